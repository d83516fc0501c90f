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
import { findCookie } from "../http/cookies.ts";
import { requestContext } from "../http/request-context.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Impersonation } from "../ui/layout/document.tsx";
import type { Services } from "../worker/services.server.ts";

type Beside = Awaited<ReturnType<Services["readSession"]>>["beside"];
type Lookup = SessionLookup<Beside>;

type LazySession = {
  find: () => Promise<CurrentSession | undefined>;
  /** The session, if any code has asked for it. */
  found: () => Promise<Lookup | undefined> | undefined;
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
export const session: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const { db, config, readSession } = context.get(servicesContext);
  const { now, afterAnswer, id } = context.get(requestContext);
  const returnCookie = returnCookieName(config.isSecure);
  let lookup: Promise<Lookup | undefined> | undefined;
  context.set(sessionContext, {
    find: async () => {
      const at = now();
      lookup ??= findSession(request, {
        db,
        secrets: config,
        isSecure: config.isSecure,
        adminEmails: config.adminEmails,
        now: at,
        read: (token) => readSession({ pathname: url.pathname, token, now: at }),
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

/**
 * Returns what the navigation shows about the user, and the active organization. Only for pages of an area, below
 * `requireUser`.
 */
export async function getShell(context: Readonly<RouterContextProvider>) {
  const { beside, current } = await findShell(context);
  const { organizations, invitations } = beside;
  const { activeOrganizationId } = current.session;
  const activeOrganization = organizations.find(({ id }) => id === activeOrganizationId);
  return { organizations, invitations, activeOrganization };
}

/** Returns the data of the home screen. Only for that screen, below `requireUser`. */
export async function getHome(context: Readonly<RouterContextProvider>) {
  const { home } = (await findShell(context)).beside;
  if (!home) throw new Error("There is no data of the home screen here: the page is another");
  return home;
}

async function findShell(context: Readonly<RouterContextProvider>) {
  const found = await context.get(sessionContext).found();
  if (!found?.beside) throw new Error("There is no navigation here: the page is in no area");
  return { ...found, beside: found.beside };
}

/** Returns the current session; undefined without one. For pages that are open to all. */
export function findCurrentSession(
  context: Readonly<RouterContextProvider>,
): Promise<CurrentSession | undefined> {
  return context.get(sessionContext).find();
}

/**
 * Returns the impersonation of this session, or null. It reads the session only when the browser has the return cookie of
 * an impersonation, so other pages cost no query. A 404 page has no guard and shows the banner by this as well.
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
