import {
  createContext,
  href,
  type MiddlewareFunction,
  type RouterContextProvider,
} from "react-router";
import {
  clearReturnCookie,
  returnCookieName,
} from "../features/auth/impersonation/impersonation.server.ts";
import type { SessionQuery } from "../features/auth/sessions/session-query.server.ts";
import {
  type CurrentSession,
  findSession,
  type SessionLookup,
  sessionCookieName,
} from "../features/auth/sessions/sessions.server.ts";
import { selectUnreadCount } from "../features/notices/unread-count.server.ts";
import {
  type OwnOrganization,
  selectOwnOrganizations,
} from "../features/organizations/own-organizations.server.ts";
import { selectPasskeyCount } from "../features/passkeys/own-passkeys.server.ts";
import {
  type RecentRepositories,
  readRecentRepositories,
  selectRecentRepositories,
} from "../features/repositories/recent-repositories.server.ts";
import { selectSavedViews } from "../features/saved-views/saved-views.server.ts";
import { viewedListAt } from "../features/saved-views/viewed-lists.ts";
import { termsVersionInForce } from "../features/site-settings/terms.server.ts";
import { selectAlarms } from "../features/system/alarms.server.ts";
import { type Trouble, troublesOf } from "../features/system/alarms.ts";
import { selectRuns } from "../features/system/scheduled-runs.server.ts";
import { findCookie } from "../http/cookies.ts";
import { requestContext } from "../http/request-context.ts";
import type { SavedView } from "../lists/list-state.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Impersonation } from "../ui/document.tsx";

/** What the navigation of an area shows about the user. */
type Shell = {
  organizations: OwnOrganization[];
  unreadNotices: number;
  /** Alarms that hold and late schedules; none outside the back-office. */
  troubles: Trouble[];
  /** Only on the screen of a list that has saved views. */
  views?: SavedView[];
  /** Only on the home screen of the app. */
  home?: Home;
};

/** What the home screen of the app shows. */
type Home = { recent: RecentRepositories; hasPasskey: boolean };

type Lookup = SessionLookup<Shell | undefined>;
type Read = Parameters<typeof findSession<Shell | undefined>>[1]["read"];

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
  const { db, config } = context.get(servicesContext);
  const { now, afterAnswer, id } = context.get(requestContext);
  const returnCookie = returnCookieName(config.isSecure);
  let lookup: Promise<Lookup | undefined> | undefined;
  context.set(sessionContext, {
    find: async () => {
      lookup ??= findSession(request, {
        db,
        secrets: config,
        isSecure: config.isSecure,
        adminEmails: config.adminEmails,
        now: now(),
        termsVersion: termsVersionInForce(config),
        read: readerOf(context, url),
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
 * Returns how the session is read: alone, or for a page of an area with what the navigation and a list's toolbar show. The
 * back-office adds its troubles, and the home screen of the app its own data.
 */
function readerOf(context: Readonly<RouterContextProvider>, url: URL): Read {
  const pathname = url.pathname.replace(/\/$/, "");
  const isIn = (area: string) => pathname === area || pathname.startsWith(`${area}/`);
  if (!isIn(href("/app")) && !isIn(href("/manager")))
    return async (query) => [await query, undefined];
  const { db } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const list = viewedListAt(pathname);
  const shellOf = (query: SessionQuery, token: string) =>
    [
      query,
      selectOwnOrganizations(db, token),
      selectUnreadCount(db, token, now()),
      // Finds nothing where there is no list.
      selectSavedViews(db, token, pathname),
    ] as const;
  const asShell = (
    organizations: OwnOrganization[],
    [unread]: { count: number }[],
    views: SavedView[],
  ): Shell => ({
    organizations,
    unreadNotices: unread?.count ?? 0,
    views: list ? views : undefined,
    troubles: [],
  });

  if (isIn(href("/manager"))) {
    return async (query, token) => {
      const [rows, organizations, unread, views, alarms, runs] = await db.batch([
        ...shellOf(query, token),
        selectAlarms(db),
        selectRuns(db),
      ]);
      const troubles = troublesOf(alarms, runs, now());
      return [rows, { ...asShell(organizations, unread, views), troubles }];
    };
  }
  if (pathname !== href("/app")) {
    return async (query, token) => {
      const [rows, ...shell] = await db.batch(shellOf(query, token));
      return [rows, asShell(...shell)];
    };
  }
  return async (query, token) => {
    const [rows, organizations, unread, views, [own], ...recent] = await db.batch([
      ...shellOf(query, token),
      selectPasskeyCount(db, token),
      ...selectRecentRepositories(db, token),
    ]);
    const home = {
      recent: readRecentRepositories(...recent),
      hasPasskey: own !== undefined && own.passkeys > 0,
    };
    return [rows, { ...asShell(organizations, unread, views), home }];
  };
}

/**
 * Returns what the navigation shows about the user, and the active organization. Only for pages of an area, below
 * `requireUser`.
 */
export async function getShell(context: Readonly<RouterContextProvider>) {
  const { beside, current } = await findShell(context);
  const { organizations, unreadNotices, troubles } = beside;
  const { activeOrganizationId } = current.session;
  const activeOrganization = organizations.find(({ id }) => id === activeOrganizationId);
  return { organizations, unreadNotices, troubles, activeOrganization };
}

/** Returns the user's views of the list on this screen; undefined when the list has none. */
export async function getSavedViews(context: Readonly<RouterContextProvider>) {
  return (await findShell(context)).beside.views;
}

/** Returns the data of the home screen. Only for that screen, below `requireUser`. */
export async function getHome(context: Readonly<RouterContextProvider>): Promise<Home> {
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
  return { name: user.name || user.email, manager, secondsLeft };
}
