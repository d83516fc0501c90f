import type { RouterContextProvider } from "react-router";
import type { CodeAsker, CodeRefusal } from "../features/auth/account-codes.server.ts";
import { deviceCookieName } from "../features/auth/device.server.ts";
import { messageForCode } from "../features/auth/error-message.ts";
import type { CodePurpose } from "../features/mail/message.ts";
import { findCookie } from "../http/cookies.ts";
import { type FormResult, invalid } from "../http/forms.server.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../services.server.ts";
import { languageContext } from "./locale.ts";
import { getCurrentSession } from "./require-user.ts";

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

/** Takes the code that a person entered. Only below `requireUser`. */
export function takeAccountCode(
  request: Request,
  context: Context,
  { purpose, code }: { purpose: CodePurpose; code: string },
) {
  const { accountCodes } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return accountCodes.take(codeAsker(request, context), purpose, code, now);
}

/** Answers the code entry with what was wrong: beside the field, beside "Resend code", or above the form. */
export function refuseCode(
  context: Context,
  result: FormResult,
  refusal: CodeRefusal,
  part: "verify" | "resend",
) {
  const message = messageForCode(refusal.code, {
    retryAfterSeconds: refusal.retryAfterSeconds,
    language: context.get(languageContext),
  });
  const field = part === "resend" ? "resend" : refusal.code === "INVALID_OTP" ? "code" : "";
  return invalid(result, { [field]: [message] }, refusal);
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
