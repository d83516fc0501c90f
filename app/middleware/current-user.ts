import { createContext, href, type RouterContextProvider, redirect } from "react-router";
import type { Act } from "../features/access/act.ts";
import { isPasskeyMissing, type OwnChange } from "../features/access/passkey-demand.ts";
import {
  type Action,
  mayDo,
  type Permission,
  type Resource,
} from "../features/access/permissions.ts";
import { needsProof } from "../features/access/proof.ts";
import { accountPaths, areaOf } from "../features/account/areas.ts";
import type { Actor } from "../features/audit/audit.server.ts";
import { type CurrentSession, isFresh } from "../features/auth/sessions/sessions.server.ts";
import { requestContext } from "../http/request-context.ts";
import { forbidden } from "../http/responses.ts";
import { redirectWithToast } from "../http/toast.ts";
import { BY_PASSKEY } from "../http/unproved.ts";
import { type KeptChoice, NO_CHOICE, withChoice } from "../lists/bulk/kept-choice.ts";
import { log } from "../runtime/log.ts";

/** The session that a guard has let in. */
export const userContext = createContext<CurrentSession>();

/** Screen to return to when an action is refused: the screen of the posted form. */
export const screenContext = createContext<string>();

type Asked = {
  /**
   * The form is only shown, or is validated before `requireProof`, so that its errors come first.
   */
  isProofLater?: boolean;
} & AfterProof;

type AfterProof = {
  /** Rows of a list that are chosen again after a proof, and the question that is then open. */
  choice?: KeptChoice;
  /** Page after a proof; by default the form's screen. */
  next?: string;
};

/**
 * Returns the signed-in user if they have the permission; answers 403 otherwise. Where its use
 * needs a proof, a user whose last one is too old is redirected to the screen that asks for one,
 * and back afterwards; a form of a page with JavaScript stays, and asks for the proof over itself
 * (`askForProof`). Only below `requireUser`.
 */
export function requirePermission<R extends Resource>(
  context: Readonly<RouterContextProvider>,
  resource: R,
  action: Action<R>,
  { isProofLater = false, ...after }: Asked = {},
): CurrentSession {
  const current = requireRight(context, [resource, action]);
  if (!isProofLater) requireProof(context, `${resource}.${action}`, after);
  return current;
}

/** Returns who does an act, under the conditions of `requirePermission`. */
export function requireAct(
  context: Readonly<RouterContextProvider>,
  act: Act,
  after: AfterProof = {},
): Actor {
  const current = requireRight(context, act.permission);
  requireProof(context, act, after);
  return actorOf(context, current);
}

function requireRight(
  context: Readonly<RouterContextProvider>,
  permission: readonly [string, string],
): CurrentSession {
  const current = getCurrentSession(context);
  if (mayDo(current.user, permission)) return current;
  log("warn", "access.denied", {
    request: context.get(requestContext).id,
    user: current.user.id,
    permission: permission.join("."),
  });
  return forbidden(current.user.email);
}

/** Requires a proof that is new enough for an act, and the permission as `requirePermission`. */
export function requireProof(
  context: Readonly<RouterContextProvider>,
  act: Act | string,
  { choice = NO_CHOICE, next }: AfterProof = {},
): void {
  if (!isProofMissing(context, act)) return;
  const back = next ?? withChoice(context.get(screenContext), NO_CHOICE);
  const { confirm } = accountPaths(areaOf({ pathname: back }));
  throw redirect(withChoice(`${confirm}?next=${encodeURIComponent(back)}`, choice));
}

/**
 * True when an act needs a proof and the session's last one is too old. Only below `requireUser`.
 */
export function isProofMissing(
  context: Readonly<RouterContextProvider>,
  act: Act | string,
): boolean {
  return needsProof(act) && !isFresh(getCurrentSession(context), context.get(requestContext).now());
}

/** Answers 403 unless the signed-in user has all these permissions. Only below `requireUser`. */
export function requireAll(context: Readonly<RouterContextProvider>, permissions: Permission[]) {
  for (const [resource, action] of permissions) requirePermission(context, resource, action);
}

/**
 * Returns the signed-in user unless a manager impersonates them. During an impersonation what is the user's alone
 * (account deletion, e-mail, sessions) is closed, and a form for it leads back with a toast. Only below `requireUser`.
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
 * Returns the owner of the account if their session is proven by a passkey, where the change needs that. Otherwise
 * redirects to the screen that asks for one, and to `next` afterwards.
 */
export function requirePasskey(
  context: Readonly<RouterContextProvider>,
  url: URL,
  { change, next }: { change: OwnChange; next: string },
) {
  const current = requireOwner(context);
  if (!isPasskeyMissing(current.session, change)) return current;
  const isToAdd = current.session.passkeyDemand === "add";
  const proof = isToAdd ? href("/manager/passkey") : accountPaths(areaOf(url)).confirm;
  const search = new URLSearchParams({ next, ...(!isToAdd && { [BY_PASSKEY]: "" }) });
  throw redirect(`${proof}?${search}`);
}

/**
 * Returns the signed-in user if their last proof is new enough. Otherwise redirects to a screen
 * that asks for a code, and to `next` afterwards.
 */
export function requireFresh(context: Readonly<RouterContextProvider>, url: URL, next: string) {
  const current = requireOwner(context);
  if (!isFresh(current, context.get(requestContext).now())) {
    throw redirect(`${accountPaths(areaOf(url)).confirm}?next=${encodeURIComponent(next)}`);
  }
  return current;
}

/**
 * Lets only a user go on who has just proved who they are: by a passkey, if they have one. A key opens the account to
 * programs, so it asks for the same as a new sign-in method.
 */
export function requireKeyProof(context: Readonly<RouterContextProvider>, url: URL, next: string) {
  requirePasskey(context, url, { change: "method", next });
  requireFresh(context, url, next);
}

/** Returns the actor of a change under the conditions of `requirePermission`. */
export function requireActor<R extends Resource>(
  context: Readonly<RouterContextProvider>,
  resource: R,
  action: Action<R>,
  asked?: Asked,
): Actor {
  return actorOf(context, requirePermission(context, resource, action, asked));
}

function actorOf(
  context: Readonly<RouterContextProvider>,
  { user, session }: CurrentSession,
): Actor {
  return {
    actorId: user.id,
    impersonatorId: session.impersonatedBy,
    source: context.get(requestContext),
  };
}

/** Returns the session of a guarded page. Throws when no guard has run. */
export function getCurrentSession(context: Readonly<RouterContextProvider>): CurrentSession {
  try {
    return context.get(userContext);
  } catch {
    throw new Error("There is no user here: add requireUser to the middleware of a layout above");
  }
}
