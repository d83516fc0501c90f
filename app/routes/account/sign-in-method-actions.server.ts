import { type RouterContextProvider, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { unlinkAccount } from "../../features/account/linked-accounts.server.ts";
import { linkMessageFor } from "../../features/auth/gateway/link-message.ts";
import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireFresh } from "../../middleware/guards.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { gatewayCall } from "../gateway-call.server.ts";

type Call = { request: Request; context: Readonly<RouterContextProvider>; url: URL };

/** Sends somebody who has just proved to be there to a provider, to link their account with it. */
export async function linkAccount(call: Call, provider: string): Promise<Response> {
  const { request, context } = call;
  const { area, account } = requireOwnHands(call);
  const { gateway } = context.get(servicesContext);
  const result = await gateway.pass(gatewayCall(request, context), "/link-social", {
    provider,
    area,
  });
  if (result.ok && typeof result.body.url === "string") {
    return redirect(result.body.url, { headers: result.headers });
  }
  const message = linkMessageFor(result.ok ? "UNKNOWN_ERROR" : result.code);
  return redirectWithToast(account, { kind: "error", message });
}

/** Takes a linked account away from somebody who has just proved to be there. */
export async function unlinkOwnAccount(call: Call, accountId: string): Promise<Response> {
  const { context } = call;
  const { account } = requireOwnHands(call);
  const { db, config } = context.get(servicesContext);
  const offered = listProviders(config.social).map(({ id }) => id);
  const actor = requireActor(context, "account", "update");
  const result = await unlinkAccount(db, actor, accountId, offered);
  if (!result.ok) {
    return redirectWithToast(account, { kind: "error", message: `codes:${result.code}` });
  }
  return redirectWithToast(account, { kind: "success", message: "account:linked.unlinked" });
}

/** The ways in are nobody's to change but their owner's, who has just proved to be there. */
function requireOwnHands({ context, url }: Call) {
  const area = areaOf(url);
  const { account } = accountPaths(area);
  requireFresh(context, url, account);
  return { area, account };
}
