import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import {
  clearReturnCookie,
  returnCookieName,
} from "../features/auth/impersonation/impersonation.server.ts";
import {
  type CurrentSession,
  findSession,
  type SessionLookup,
  sessionCookieName,
} from "../features/auth/sessions/sessions.server.ts";
import { termsVersionInForce } from "../features/site-settings/terms.server.ts";
import { findCookie } from "../http/cookies.ts";
import { requestContext } from "../http/request-context.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Impersonation } from "../ui/layout/document.tsx";

type LazySession = {
  find: () => Promise<CurrentSession | undefined>;
  /** The session, if any code has asked for it. */
  found: () => Promise<SessionLookup | undefined> | undefined;
  /** True when the browser sends the return cookie of an impersonation. */
  mayImpersonate: boolean;
};

const sessionContext = createContext<LazySession>({
  find: async () => undefined,
  found: () => undefined,
  mayImpersonate: false,
});

/**
 * Provides the session on demand, so that a page that does not need it costs no query. Extends a session that is in
 * use.
 */
export const session: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { db, config } = context.get(servicesContext);
  const { now, afterAnswer, id } = context.get(requestContext);
  const returnCookie = returnCookieName(config.isSecure);
  let lookup: Promise<SessionLookup | undefined> | undefined;
  context.set(sessionContext, {
    find: async () => {
      lookup ??= findSession(request, {
        db,
        secrets: config,
        isSecure: config.isSecure,
        adminEmails: config.adminEmails,
        now: now(),
        termsVersion: termsVersionInForce(config),
      });
      return (await lookup)?.current;
    },
    found: () => lookup,
    mayImpersonate: findCookie(request, returnCookie) !== undefined,
  });

  const response = await next();

  const found = await context
    .get(sessionContext)
    .found()
    ?.catch(() => undefined);
  const touch = found?.touch;
  if (touch) {
    afterAnswer(() =>
      touch().catch((error) =>
        log("warn", "session.not_touched", { request: id, ...describeError(error) }),
      ),
    );
  }
  const isSet = (name: string) =>
    response.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  // A cookie set by signing in or out is not overwritten.
  if (found?.cookie && !isSet(sessionCookieName(config.isSecure))) {
    response.headers.append("Set-Cookie", found.cookie);
  }
  // A browser whose session is not an impersonation does not keep a return cookie.
  const isLeftOver =
    found && !found.current.session.impersonatedBy && findCookie(request, returnCookie);
  if (isLeftOver && !isSet(returnCookie)) {
    response.headers.append("Set-Cookie", clearReturnCookie(config.isSecure));
  }
  return response;
};

/** Returns the current session; undefined without one. For pages that are open to all. */
export function findCurrentSession(
  context: Readonly<RouterContextProvider>,
): Promise<CurrentSession | undefined> {
  return context.get(sessionContext).find();
}

/**
 * Returns the impersonation of this session, or null. It reads the session only when the browser
 * has the return cookie of an impersonation, so other pages cost no query. A 404 page has no guard
 * and shows the banner by this as well.
 */
export async function findImpersonation(
  context: Readonly<RouterContextProvider>,
): Promise<Impersonation | null> {
  const lazy = context.get(sessionContext);
  const lookup = lazy.mayImpersonate ? lazy.find() : lazy.found()?.then((found) => found?.current);
  const { session, user } = (await lookup?.catch(() => undefined)) ?? {};
  if (!session?.impersonation || !user) return null;
  const { manager, endsAt } = session.impersonation;
  const secondsLeft = Math.ceil(
    (endsAt.getTime() - context.get(requestContext).now().getTime()) / 1_000,
  );
  return { name: user.name, email: user.email, manager, secondsLeft };
}
