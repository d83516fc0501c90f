import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { unlinkAccount } from "../../features/account/linked-accounts.server.ts";
import { linkMessageFor } from "../../features/auth/gateway/link-message.ts";
import { listProviders, METHODS_ID } from "../../features/auth/sign-in/providers.ts";
import { removePasskey, renamePasskey } from "../../features/passkeys/own-passkeys.server.ts";
import type { PostedForm } from "../../http/forms.server.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireFresh, requirePasskey } from "../../middleware/current-user.ts";
import { gatewayCall } from "../../middleware/gateway-call.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { done, ownerOf } from "./account-form.server.ts";

/** Sends the user to a provider, to link an account there. Needs a recent authentication. */
export async function linkAccount(posted: PostedForm, provider: string): Promise<Response> {
  const { request, context } = posted;
  const { area, account } = requireFreshOwner(posted);
  const { gateway } = context.get(servicesContext);
  const result = await gateway.pass(gatewayCall(request, context), "/link-social", {
    provider,
    area,
  });
  if (result.ok && typeof result.body.url === "string") {
    return redirect(result.body.url, { headers: result.headers });
  }
  const message = linkMessageFor(result.ok ? "UNKNOWN_ERROR" : result.code);
  return redirectWithToast(`${account}#${METHODS_ID}`, { kind: "error", message });
}

/** Unlinks a provider account of the user. Needs a recent authentication. */
export async function unlinkOwnAccount(posted: PostedForm, accountId: string): Promise<Response> {
  const methods = `${requireFreshOwner(posted).account}#${METHODS_ID}`;
  const { db, actor } = ownerOf(posted);
  const { config } = posted.context.get(servicesContext);
  const offered = listProviders(config.social).map(({ id }) => id);
  const result = await unlinkAccount(db, actor, accountId, offered);
  if (!result.ok) {
    return redirectWithToast(methods, { kind: "error", message: `codes:${result.code}` });
  }
  return redirectWithToast(methods, { kind: "success", message: "account:linked.unlinked" });
}

export async function renameOwnPasskey(posted: PostedForm, id: string, name: string) {
  const { db, actor } = ownerOf(posted);
  const isRenamed = (await renamePasskey(db, actor, id, name)) ?? notFound();
  // The suggested name of a new passkey is often saved as it is.
  if (!isRenamed) return redirect(accountPaths(areaOf(posted.url)).account);
  return done(posted, "account:toast.passkeyRenamed");
}

/** Removes a passkey of the user. Needs a recent authentication. */
export async function removeOwnPasskey(posted: PostedForm, id: string) {
  const { db, actor } = ownerOf(posted);
  requireFreshOwner(posted);
  if (!(await removePasskey(db, actor, id))) notFound();
  return done(posted, "account:toast.passkeyRemoved");
}

/**
 * Returns the owner's area and paths. Only the owner may change sign-in methods, within 15 minutes after
 * authentication, and who has a passkey only in a session that a passkey has proven.
 */
function requireFreshOwner({ context, url }: PostedForm) {
  const area = areaOf(url);
  const { account } = accountPaths(area);
  requirePasskey(context, url, { change: "method", next: account });
  requireFresh(context, url, account);
  return { area, account };
}
