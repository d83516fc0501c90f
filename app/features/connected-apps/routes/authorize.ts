import { href, redirect } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { MAX_REDIRECT_LENGTH } from "../../../http/safe-redirect.ts";
import { appErrorPath } from "../app-error-path.ts";
import { searchAskedAt } from "../app-request.ts";
import { PROVIDER } from "../provider-paths.ts";
import type { Route } from "./+types/authorize.ts";
import { authorize, findAppSession, readAsked, refusalTo } from "./authorization.server.ts";
import { readCallForm } from "./call.server.ts";

/** The page of the sign-in could not lead back to it. */
const TOO_LONG = { error: "invalid_request", description: "The request is too long" };

/**
 * Begins the sign-in to an app. Answers a redirect: to the app, to the page that signs in or asks
 * for a consent, or to the page that says why there is no way to the app. Sources: RFC 6749, 3.1;
 * OpenID Connect Core 1.0, 3.1.2.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const asked = readAsked(context, url);
  const current = await findAppSession(context);
  const asker = { request, context };
  const step = await authorize(asker, asked, current);
  if (step.type === "error") return redirect(appErrorPath(step.code));
  if (step.type === "app" && !step.isUntrusted) return redirect(step.location);
  const { now } = context.get(requestContext);
  const next = href("/app/connect") + searchAskedAt(asked, now());
  if (next.length > MAX_REDIRECT_LENGTH) {
    return redirect((await refusalTo(asker, asked, TOO_LONG)) ?? appErrorPath("invalid_request"));
  }
  const email = asked.search.get("login_hint");
  // The field of the sign-in is filled in; nothing is sent before the person presses its button.
  return current || !email
    ? redirect(next)
    : redirect(`${href("/login")}?${new URLSearchParams({ redirect: next, email })}`);
}

/** A form of an app may post the request. It is asked again by GET, with the browser's cookies. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readCallForm(request);
  return redirect(form ? `${PROVIDER.authorize}?${form}` : appErrorPath("invalid_request"), 303);
}
