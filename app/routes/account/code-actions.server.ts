import type { RouterContextProvider } from "react-router";
import {
  type CodeAsker,
  type CodeRefusal,
  findSentAt,
  type OwnRequest,
  ownRequestOf,
} from "../../features/auth/codes/account-codes.server.ts";
import { countdownsSince } from "../../features/auth/codes/code-sent.ts";
import { mailboxOf } from "../../features/auth/codes/mailbox.ts";
import { codeFormErrors, messageForCode } from "../../features/auth/gateway/error-message.ts";
import { deviceCookieName, trustDevice } from "../../features/auth/sessions/device.server.ts";
import type { CodePurpose } from "../../features/mail/mail-message.ts";
import { findCookie } from "../../http/cookies.ts";
import { type FormResult, invalid } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { getCurrentSession, requireOwner } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";

type Context = Readonly<RouterContextProvider>;

/** Sends a code to one of a person's mailboxes, once the answer is on its way. Only below `requireUser`. */
export async function sendAccountCode(
  request: Request,
  context: Context,
  code: { purpose: CodePurpose; address: string; newEmail?: string },
): Promise<{ ok: true } | CodeRefusal> {
  const { accountCodes } = context.get(servicesContext);
  const { now, afterAnswer } = context.get(requestContext);
  const sent = await accountCodes.send(codeAsker(request, context), code, now());
  if (!sent.ok) return sent;
  afterAnswer(sent.deliver);
  return { ok: true };
}

/** What is left of the code that was sent for this; undefined when there is none to enter. Only below `requireUser`. */
export async function findCountdowns(context: Context, purpose: CodePurpose) {
  const { user, session } = getCurrentSession(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const sentAt = await findSentAt(db, { userId: user.id, sessionId: session.id }, purpose, now);
  return sentAt && countdownsSince(sentAt.getTime(), now);
}

/** Checks the code that a person entered, sent to their own e-mail. Only below `requireUser`. */
export function checkAccountCode(
  request: Request,
  context: Context,
  { purpose, code }: { purpose: CodePurpose; code: string },
) {
  const { accountCodes } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const address = getCurrentSession(context).user.email;
  return accountCodes.check(codeAsker(request, context), { purpose, address }, code, now);
}

/** What a feature needs of a request of somebody about their own account. Only below `requireUser`. */
export function ownRequest(request: Request, context: Context): OwnRequest {
  return ownRequestOf(
    requireOwner(context),
    codeAsker(request, context),
    context.get(requestContext),
  );
}

/** The cookie that a browser is sent once it has proved to read a mailbox. */
export async function trustMailbox(request: Request, context: Context, email: string) {
  const { keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const cookie = findCookie(request, deviceCookieName(isSecure));
  return trustDevice({ keys, isSecure }, cookie, await mailboxOf(keys, email));
}

/**
 * Answers the form that asked for a code. A sent code leads to the form's screen with a toast; a refused one gets the
 * reason. `isFirst` is true when the user had no code to enter yet.
 */
export function answerResend(
  context: Context,
  url: URL,
  result: FormResult,
  sent: { ok: true } | CodeRefusal,
  isFirst = false,
) {
  if (!sent.ok) return refuseCode(context, result, sent, "resend");
  const message = isFirst ? "account:code.first" : "login:resent";
  const toast = { kind: "success", message } as const;
  return redirectWithToast(url.pathname + url.search, toast);
}

/**
 * Answers a form with why there is no code, or no way on with it: beside the code's field or above the form when a
 * code was entered, else beside the part that asked for one.
 */
export function refuseCode(
  context: Context,
  result: FormResult,
  refusal: CodeRefusal,
  part: "verify" | "resend" | "email" | "deletion",
) {
  const language = context.get(languageContext);
  const { code, retryAfterSeconds } = refusal;
  const errors =
    part === "verify"
      ? codeFormErrors(refusal, language)
      : { [part]: [messageForCode(code, { retryAfterSeconds, language })] };
  return invalid(result, errors, refusal);
}

function codeAsker(request: Request, context: Context): CodeAsker {
  const { user, session } = getCurrentSession(context);
  const { config } = context.get(servicesContext);
  return {
    userId: user.id,
    sessionId: session.id,
    language: context.get(languageContext),
    deviceCookie: findCookie(request, deviceCookieName(config.isSecure)),
  };
}
