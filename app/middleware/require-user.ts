import {
  createContext,
  href,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { type Action, can, type Resource } from "../features/access/permissions.ts";
import type { Actor } from "../features/audit/audit.server.ts";
import type { CurrentSession } from "../features/auth/session.server.ts";
import { requestContext } from "../http/request-context.ts";
import { forbidden } from "../http/responses.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { describeError, log } from "../log.ts";
import { findCurrentSession } from "./session.ts";

const userContext = createContext<CurrentSession>();

/** Lets in who is signed in and has given a name; sends others to where they can, and back afterwards. */
export const requireUser: MiddlewareFunction<Response> = async (
  { request, context, url },
  next,
) => {
  const current = await findCurrentSession(context);
  const back = `?redirect=${encodeURIComponent(url.pathname + (request.method === "GET" ? url.search : ""))}`;
  if (!current) throw redirect(href("/login") + back);
  if (!current.user.onboardedAt) throw redirect(href("/onboarding") + back);
  context.set(userContext, current);
  return next();
};

/** Lets in who has no session yet; sends others to where they were going. */
export const requireAnonymous: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  // With the database away the way in still shows; what needs the database says so itself.
  const current = await findCurrentSession(context).catch((error) => {
    log("error", "session.not_found", {
      request: context.get(requestContext).id,
      ...describeError(error),
    });
    return undefined;
  });
  if (current) {
    throw redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(current.user));
  }
  return next();
};

/** Who is signed in and has not given a name yet; others are sent to where they belong. */
export async function requireNewcomer(
  context: Readonly<RouterContextProvider>,
  url: URL,
): Promise<CurrentSession> {
  const current = await findCurrentSession(context);
  if (!current) throw redirect(href("/login") + url.search);
  if (current.user.onboardedAt) {
    throw redirect(safeRedirect(url.searchParams.get("redirect")) ?? homeOf(current.user));
  }
  return current;
}

/** Lets in who may use an area of the product; answers 403 to others. */
export function requireApp(area: Action<"apps">): MiddlewareFunction<Response> {
  return ({ context }, next) => {
    requirePermission(context, "apps", area);
    return next();
  };
}

/** The signed-in user, if they may do this; answers 403 otherwise. Only below `requireUser`. */
export function requirePermission<R extends Resource>(
  context: Readonly<RouterContextProvider>,
  resource: R,
  action: Action<R>,
): CurrentSession {
  const current = getCurrentSession(context);
  if (!can(current.user, resource, action)) {
    log("warn", "access.denied", {
      request: context.get(requestContext).id,
      user: current.user.id,
      permission: `${resource}.${action}`,
    });
    forbidden();
  }
  return current;
}

/** Who changes something and from where, if they may; answers 403 otherwise. */
export function requireActor<R extends Resource>(
  context: Readonly<RouterContextProvider>,
  resource: R,
  action: Action<R>,
): Actor {
  const { user, session } = requirePermission(context, resource, action);
  return {
    actorId: user.id,
    impersonatorId: session.impersonatedBy,
    source: context.get(requestContext),
  };
}

/** The session of a guarded page. Throws when no guard has run. */
export function getCurrentSession(context: Readonly<RouterContextProvider>): CurrentSession {
  try {
    return context.get(userContext);
  } catch {
    throw new Error("There is no user here: add requireUser to the middleware of a layout above");
  }
}

/** Where someone starts after signing in. */
export function homeOf(user: { role: string }): string {
  return can(user, "apps", "manager") ? href("/manager") : href("/app");
}
