import { href, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import type { Action } from "../features/access/permissions.ts";
import { accountPaths, areaOf } from "../features/account/areas.ts";
import {
  findReturn,
  returnCookieName,
} from "../features/auth/impersonation/impersonation.server.ts";
import {
  type CurrentSession,
  checkEntry,
  ENTRY_SCREENS,
  isInGracePeriod,
  sessionCookieName,
} from "../features/auth/sessions/sessions.server.ts";
import { homeOf } from "../features/auth/sign-in/first-screen.ts";
import { findCookie } from "../http/cookies.ts";
import { isMutation } from "../http/origin.ts";
import { requestContext } from "../http/request-context.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { redirectWithToast, TOAST_COOKIE } from "../http/toast.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { requirePermission, screenContext, userContext } from "./current-user.ts";
import { withOwnPreferences } from "./own-preferences.ts";
import { findCurrentSession } from "./session.ts";

/**
 * Lets in users who are signed in, have a name and are not in the grace period. Redirects others to the screen for it,
 * and back afterwards.
 */
export const requireUser: MiddlewareFunction<Response> = async (args, next) => {
  return admit(args, await findCurrentSession(args.context), next);
};

/** Lets in anonymous visitors, and users as `requireUser` does. */
export const allowAnonymous: MiddlewareFunction<Response> = async (args, next) => {
  const current = await findCurrentSession(args.context);
  return current ? admit(args, current, next) : next();
};

function admit(
  { request, context, url }: Parameters<MiddlewareFunction<Response>>[0],
  session: CurrentSession | undefined,
  next: Parameters<MiddlewareFunction<Response>>[1],
) {
  const entry = checkEntry(session);
  if (!entry.ok) {
    const path = url.pathname + (request.method === "GET" ? url.search : "");
    const location = `${ENTRY_SCREENS[entry.code]}?redirect=${encodeURIComponent(path)}`;
    throw entry.code === "UNAUTHORIZED" ? toLogin(request, context, location) : redirect(location);
  }
  const { current } = entry;
  context.set(userContext, current);
  context.set(screenContext, screenOf(request, url));
  return withOwnPreferences({ request, context, url }, current, next);
}

/**
 * Redirects to the login screen. A browser that still has a session's cookie is told that the session has ended;
 * whether there ever was such a session is told to no one.
 */
function toLogin(
  request: Request,
  context: Readonly<RouterContextProvider>,
  location: string,
): Response {
  const { isSecure } = context.get(servicesContext).config;
  const isLeft = findCookie(request, sessionCookieName(isSecure)) !== undefined;
  // The login screen leads a manager back whose impersonation has ended.
  const isImpersonation = findCookie(request, returnCookieName(isSecure)) !== undefined;
  const isToldMore = findCookie(request, TOAST_COOKIE) !== undefined;
  if (!isLeft || isImpersonation || isToldMore) return redirect(location);
  return redirectWithToast(location, { kind: "info", message: "common:endedElsewhere" });
}

/**
 * Returns the screen for a refusal of `requireOwner`: the form's own, the account screen for pages below it, else the
 * home screen.
 */
function screenOf(request: Request, url: URL): string {
  if (isMutation(request)) return url.pathname + url.search;
  const { account } = accountPaths(areaOf(url));
  return url.pathname.startsWith(`${account}/`) ? account : href("/app");
}

/**
 * Lets in anonymous visitors. Redirects signed-in users to the page they asked for, and a manager whose impersonation
 * has ended to their own session.
 */
export const requireAnonymous: MiddlewareFunction<Response> = async (
  { request, context, url },
  next,
) => {
  // When the database fails, the sign-in pages still show; parts that need the database report it.
  const lookup = await findCurrentSession(context).then(
    (current) => ({ current, isKnown: true }),
    (error) => {
      log("error", "session.not_found", {
        request: context.get(requestContext).id,
        ...describeError(error),
      });
      return { current: undefined, isKnown: false };
    },
  );
  if (lookup.current) {
    throw redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(lookup.current.user));
  }
  const { keys, config } = context.get(servicesContext);
  const back = lookup.isKnown && (await findReturn({ keys, isSecure: config.isSecure }, request));
  if (back) {
    const toast = { kind: "default", message: "common:impersonation.ended" } as const;
    throw redirectWithToast(back.location, toast, back.headers);
  }
  return next();
};

/** Lets in signed-in users without a name. Redirects others, including a manager who impersonates such a user. */
export const requireNewcomer: MiddlewareFunction<Response> = async (
  { request, context, url },
  next,
) => {
  const current = await findCurrentSession(context);
  if (!current) throw redirect(href("/login") + url.search);
  if (current.session.impersonatedBy && isMutation(request)) {
    const toast = { kind: "info", message: "codes:CLOSED_WHILE_IMPERSONATING" } as const;
    throw redirectWithToast(href("/app"), toast);
  }
  if (current.session.impersonatedBy) throw redirect(href("/app"));
  if (current.user.onboardedAt) {
    throw redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(current.user));
  }
  context.set(userContext, current);
  return next();
};

/** Returns the signed-in user who is in the grace period; redirects others. */
export async function requireGracePeriod(
  context: Readonly<RouterContextProvider>,
  url: URL,
): Promise<{ id: string; email: string; role: string; dueAt: Date }> {
  const current = await findCurrentSession(context);
  if (!current) throw redirect(href("/login") + url.search);
  const { id, email, role, deletionDueAt } = current.user;
  if (!deletionDueAt || !isInGracePeriod(current)) {
    throw redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(current.user));
  }
  return { id, email, role, dueAt: deletionDueAt };
}

/**
 * Lets in users who may open an area; answers 403 to others. Redirects managers who must first prove their session by a
 * passkey.
 */
export function requireApp(area: Action<"apps">): MiddlewareFunction<Response> {
  return ({ context, url, request }, next) => {
    if (area === "manager" && context.get(userContext).session.passkeyDemand) {
      const path = url.pathname + (isMutation(request) ? "" : url.search);
      throw redirect(`${href("/manager/passkey")}?next=${encodeURIComponent(path)}`);
    }
    requirePermission(context, "apps", area);
    return next();
  };
}
