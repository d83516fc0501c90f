import type { RouterContextProvider } from "react-router";
import { takeChange } from "../features/access/change-limit.server.ts";
import { type FormResult, invalid } from "../http/forms.server.ts";
import { requestContext } from "../http/request-context.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { USER_LIMITS } from "../values/rate-limits.ts";
import { getCurrentSession, screenContext } from "./current-user.ts";

type Context = Readonly<RouterContextProvider>;

const TOO_MANY = "codes:TOO_MANY_REQUESTS";

/** Counts something that the signed-in user is about to do. Redirects with a toast when there was too much of it. */
export async function requireTurn(context: Context, kind?: keyof typeof USER_LIMITS) {
  if ((await secondsUntilTurn(context, kind)) === undefined) return;
  throw redirectWithToast(context.get(screenContext), { kind: "error", message: TOO_MANY });
}

/**
 * Counts a change of the signed-in user's own account. Returns the form with the refusal when there were too many. The
 * route must export `retryAfterHeaders`.
 */
export async function refuseTurn(context: Context, form: FormResult) {
  const retryAfterSeconds = await secondsUntilTurn(context, "ownChanges");
  if (retryAfterSeconds === undefined) return undefined;
  return invalid(form, { "": [TOO_MANY] }, { status: 429, retryAfterSeconds });
}

function secondsUntilTurn(context: Context, kind?: keyof typeof USER_LIMITS) {
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return takeChange(db, getCurrentSession(context).user.id, now, kind);
}
