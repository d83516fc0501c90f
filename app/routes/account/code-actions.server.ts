import type { RouterContextProvider } from "react-router";
import { describeOccasion } from "../../features/audit/occasion.server.ts";
import {
  type CodeAsker,
  type CodeRefusal,
  findSentAt,
  type OwnRequest,
  ownRequestOf,
  selectSentAt,
} from "../../features/auth/codes/account-codes.server.ts";
import { countdownsSince } from "../../features/auth/codes/code-sent.ts";
import { mailboxOf } from "../../features/auth/mailbox.ts";
import { deviceCookieName, trustDevice } from "../../features/auth/sessions/device.server.ts";
import type { CodePurpose } from "../../features/mail/mail-message.ts";
import { selectAnyPasskey } from "../../features/passkeys/own-passkeys.server.ts";
import { findCookie } from "../../http/cookies.ts";
import { requestContext } from "../../http/request-context.ts";
import { getCurrentSession, requireOwner } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";

type Context = Readonly<RouterContextProvider>;

/** Sends a one-time code to one of the user's e-mails, after the answer. Only below `requireUser`. */
export async function sendAccountCode(
  context: Context,
  code: { purpose: CodePurpose; email: string; newEmail?: string },
): Promise<{ ok: true } | CodeRefusal> {
  const { accountCodes } = context.get(servicesContext);
  const { now, afterAnswer } = context.get(requestContext);
  const sent = await accountCodes.send(codeAsker(context), code, now());
  if (!sent.ok) return sent;
  afterAnswer(sent.deliver);
  return { ok: true };
}

/**
 * Returns the countdowns of the code that was sent for this purpose; undefined without one. Only below `requireUser`.
 */
export async function findCountdowns(context: Context, purpose: CodePurpose) {
  const { user, session } = getCurrentSession(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const sentAt = await findSentAt(db, { userId: user.id, sessionId: session.id }, purpose, now);
  return sentAt && countdownsSince(sentAt.getTime(), now);
}

/**
 * Returns how the user can prove who they are: by the code that was sent, if any, and by a passkey,
 * if they have one. Only below `requireUser`.
 */
export async function findProofs(context: Context) {
  const { user, session } = getCurrentSession(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const [[sent], passkeys] = await db.batch([
    selectSentAt(db, { userId: user.id, sessionId: session.id }, "confirm", now),
    selectAnyPasskey(db, user.id),
  ]);
  const countdowns = sent && countdownsSince(sent.sentAt.getTime(), now);
  return { countdowns, hasPasskey: passkeys.length > 0 };
}

/** Checks a code that was sent to the user's own e-mail. Only below `requireUser`. */
export function checkAccountCode(
  context: Context,
  { purpose, code }: { purpose: CodePurpose; code: string },
) {
  const { accountCodes } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const { email } = getCurrentSession(context).user;
  return accountCodes.check(codeAsker(context), { purpose, email }, code, now);
}

/** Returns what a feature needs from a request of a user about their own account. Only below `requireUser`. */
export function ownRequest(context: Context): OwnRequest {
  return ownRequestOf(requireOwner(context), codeAsker(context), context.get(requestContext));
}

/** Returns the device cookie for a browser whose user has confirmed a mailbox. */
export async function trustMailbox(request: Request, context: Context, email: string) {
  const { keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const cookie = findCookie(request, deviceCookieName(isSecure));
  const now = context.get(requestContext).now();
  return trustDevice({ keys, isSecure }, cookie, await mailboxOf(keys, email), now);
}

function codeAsker(context: Context): CodeAsker {
  const { user, session } = getCurrentSession(context);
  return {
    userId: user.id,
    sessionId: session.id,
    language: context.get(languageContext),
    request: describeOccasion(context.get(requestContext)),
    ipAddress: context.get(requestContext).limitedIpAddress,
  };
}
