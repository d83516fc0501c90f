import {
  createContext,
  href,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { isTheme } from "remix-themes";
import {
  type Action,
  can,
  type Permission,
  type Resource,
} from "../features/access/permissions.ts";
import { accountPaths, areaOf } from "../features/account/areas.ts";
import type { Actor } from "../features/audit/audit.server.ts";
import { findReturn } from "../features/auth/impersonation/impersonation.server.ts";
import {
  type CurrentSession,
  checkEntry,
  isFresh,
  isInGracePeriod,
} from "../features/auth/sessions/session.server.ts";
import { homeOf } from "../features/auth/sign-in/first-screen.ts";
import { findCookie } from "../http/cookies.ts";
import { languageCookie } from "../http/language-cookie.server.ts";
import { isMutation } from "../http/origin.ts";
import { requestContext } from "../http/request-context.ts";
import { forbidden } from "../http/responses.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { redirectWithToast } from "../http/toast.ts";
import { isLanguage, LANGUAGE_COOKIE, LANGUAGE_PARAM } from "../i18n/languages.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { languageContext } from "./locale.ts";
import { findCurrentSession } from "./session.ts";
import { THEME_COOKIE, themeContext, themeCookie } from "./theme.ts";

const userContext = createContext<CurrentSession>();

/** Where somebody is sent who may not do here what they asked for: the screen of the form they posted. */
const screenContext = createContext<string>();

/** Where a person does first what keeps a session from opening the product. */
const SCREEN_FOR = {
  UNAUTHORIZED: href("/login"),
  ACCOUNT_BEING_DELETED: href("/restore"),
  NOT_ONBOARDED: href("/onboarding"),
} as const;

/**
 * Lets in users who are signed in, have a name and are not in the grace period; sends others to where they can, and back afterwards.
 */
export const requireUser: MiddlewareFunction<Response> = async (
  { request, context, url },
  next,
) => {
  const entry = checkEntry(await findCurrentSession(context));
  if (!entry.ok) {
    const path = url.pathname + (request.method === "GET" ? url.search : "");
    throw redirect(`${SCREEN_FOR[entry.code]}?redirect=${encodeURIComponent(path)}`);
  }
  const { current } = entry;
  context.set(userContext, current);
  context.set(screenContext, screenOf(request, url));
  return withOwnPreferences({ request, context, url }, current, next);
};

/** Where a refusal of `requireOwner` leads: back to the form, to the account from a page below it, else home. */
function screenOf(request: Request, url: URL): string {
  if (isMutation(request)) return url.pathname + url.search;
  const { account } = accountPaths(areaOf(url));
  return url.pathname.startsWith(`${account}/`) ? account : href("/app");
}

/** Whether the page that a person signs in on is in another language or theme than the ones they keep. */
export function keepsOtherPreferences(
  request: Request,
  context: Readonly<RouterContextProvider>,
  user: unknown,
): boolean {
  const { language, theme }: { language?: unknown; theme?: unknown } = Object(user);
  const hasOtherLanguage = isLanguage(language) && language !== context.get(languageContext);
  return (
    (hasOtherLanguage && !findCookie(request, LANGUAGE_COOKIE)) ||
    (isTheme(theme) && !findCookie(request, THEME_COOKIE))
  );
}

/** On a device that has chosen neither, pages start in the language and theme that the person keeps. */
async function withOwnPreferences(
  { request, context, url }: Pick<Parameters<MiddlewareFunction>[0], "request" | "context" | "url">,
  { user, session }: CurrentSession,
  next: () => Promise<Response>,
): Promise<Response> {
  const cookies: string[] = [];
  // What the address asks for wins, and becomes this device's choice.
  const isAskedFor = isLanguage(url.searchParams.get(LANGUAGE_PARAM));
  if (!session.impersonatedBy) {
    if (isLanguage(user.language) && !isAskedFor && !findCookie(request, LANGUAGE_COOKIE)) {
      context.set(languageContext, user.language);
      cookies.push(await languageCookie.serialize(user.language));
    }
    if (isTheme(user.theme) && !findCookie(request, THEME_COOKIE)) {
      context.set(themeContext, user.theme);
      cookies.push(await themeCookie(user.theme));
    }
  }
  const response = await next();
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}

/**
 * Lets in who has no session yet; sends others to where they were going, and a manager whose impersonation is over
 * back to what is their own.
 */
export const requireAnonymous: MiddlewareFunction<Response> = async (
  { request, context, url },
  next,
) => {
  // With the database away the way in still shows; what needs the database says so itself.
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

/**
 * Lets in who is signed in and has not given a name yet; others are sent to where they belong, a manager who
 * impersonates the person among them.
 */
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

/** Who is signed in and has asked for their account to be deleted; others are sent to where they belong. */
export async function requireLeaver(
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

/** Answers 403 unless the signed-in user may do all of these. Only below `requireUser`. */
export function requireAll(context: Readonly<RouterContextProvider>, permissions: Permission[]) {
  for (const [resource, action] of permissions) requirePermission(context, resource, action);
}

/**
 * The signed-in user, if it is the person themselves: while a manager impersonates them, what is theirs alone (deleting the account,
 * their address, their sessions) is closed, and a form that asks for it leads back with a toast. Only below `requireUser`.
 */
export function requireOwner(context: Readonly<RouterContextProvider>): CurrentSession {
  const current = getCurrentSession(context);
  if (!current.session.impersonatedBy) return current;
  throw redirectWithToast(context.get(screenContext), {
    kind: "info",
    message: "codes:CLOSED_WHILE_IMPERSONATING",
  });
}

/**
 * The signed-in user themselves, if they proved to be there within the last 15 minutes; others are asked for a code
 * first, and come back to `next` afterwards.
 */
export function requireFresh(context: Readonly<RouterContextProvider>, url: URL, next: string) {
  const current = requireOwner(context);
  if (!isFresh(current, context.get(requestContext).now())) {
    throw redirect(`${accountPaths(areaOf(url)).confirm}?next=${encodeURIComponent(next)}`);
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
