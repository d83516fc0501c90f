import { can } from "../../features/access/permissions.ts";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { exportOwnData } from "../../features/account/own-data.server.ts";
import { isStepOf } from "../../features/auth/codes/sign-in-steps.server.ts";
import { allMailboxesOf } from "../../features/auth/mailbox.ts";
import { writeJson } from "../../http/json-stream.ts";
import { isFromOtherSite } from "../../http/origin.ts";
import { requestContext } from "../../http/request-context.ts";
import { streamText } from "../../http/stream-text.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireFresh } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { requireTurn } from "../../middleware/turn.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/data.ts";

/** Streams all data about the signed-in user as a file of any size. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const actor = requireActor(context, "account", "update");
  const { account } = accountPaths(areaOf(url));
  // The file is an audit event, so no other site's link may make one.
  if (isFromOtherSite(request)) {
    const toast = { kind: "info", message: "account:data.pressButton" } as const;
    return redirectWithToast(`${account}#data`, toast);
  }
  const { user } = requireFresh(context, url, account);
  const { db, config, keys, publicSettings, features } = context.get(servicesContext);
  const { now, id } = context.get(requestContext);
  // Visitors of a demonstration share its accounts, and the file would name other visitors' devices.
  const refusal = config.isDemo && features.demonstration?.refusal;
  if (refusal) return redirectWithToast(account, { kind: "info", message: refusal });

  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Disposition": `attachment; filename="data-${now().toISOString().slice(0, 10)}.json"`,
    "Cache-Control": "no-store",
  };
  if (request.method === "HEAD") return new Response(null, { headers });
  await requireTurn(context, "downloads");
  const owner = {
    id: user.id,
    email: user.email,
    isOwnStep: isStepOf(await allMailboxesOf(keys, user.email), now()),
    canImpersonate: can(user, "user", "impersonate"),
  };
  const { names } = (await publicSettings.current(now())).brand;
  const product = names[context.get(languageContext)];
  const site = { baseUrl: config.baseUrl, product, features: features.ownData };
  const pieces = writeJson(await exportOwnData(db, actor, owner, site));
  const body = streamText(pieces, (error) =>
    log("error", "data.download_failed", { request: id, ...describeError(error) }),
  );
  return new Response(body, { headers });
}
