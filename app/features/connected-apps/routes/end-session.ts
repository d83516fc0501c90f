import { href, redirect } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { gatewayCall } from "../../../middleware/gateway-call.server.ts";
import { findCurrentSession } from "../../../middleware/session.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { signOut } from "../../auth/gateway/sign-out.server.ts";
import { wakeLogouts } from "../logout-sender.server.ts";
import { PROVIDER } from "../provider-paths.ts";
import { readSignOut, type SignOutRequest, SignOutSearch } from "../sign-out.server.ts";
import type { Route } from "./+types/end-session.ts";
import { readCallForm } from "./call.server.ts";

/**
 * Signs the user of an app out here too, at once where the app proves with its ID token which
 * session it means. Otherwise the person is asked. Source: OpenID Connect RP-Initiated Logout 1.0.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, keys, config, ring } = context.get(servicesContext);
  const { now, afterAnswer } = context.get(requestContext);
  const asked = parseSearch(url, SignOutSearch);
  const { location, isOfOrganization, sessionId } = await readSignOut(
    db,
    config.baseUrl,
    asked,
    now(),
  );
  const current = await findCurrentSession(context);
  const isMeant = sessionId !== undefined && (!current || current.session.id === sessionId);
  if (!isMeant) return redirect(askPath(asked));
  const { headers, isEnded } = await signOut(
    { db, keys, isSecure: config.isSecure },
    gatewayCall(request, context),
  );
  if (!isEnded) return redirect(askPath(asked));
  // Nothing is taken to be written by a GET.
  afterAnswer(() => wakeLogouts({ db, ring }, now()));
  const isLedBack = current !== undefined || !isOfOrganization;
  return redirect((isLedBack && location) || href("/login"), { headers });
}

/** A form of the app may post the request. It is asked again by GET, with the browser's cookies. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readCallForm(request);
  return redirect(form ? `${PROVIDER.endSession}?${form}` : href("/app/connect/sign-out"), 303);
}

/** The page that asks the person. */
function askPath(asked: SignOutRequest): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value) search.set(name, value);
  return href("/app/connect/sign-out") + (search.size > 0 ? `?${search}` : "");
}
