import { formatsOf } from "../../../i18n/formats.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { type CheckedMessage, messageReference } from "../../../ui/text/message.tsx";

/** Returns the message for an error code of the auth gateway. better-auth's English texts are never shown. */
export function messageForCode(
  code: ErrorCode,
  { retryAfterSeconds, language }: { retryAfterSeconds?: number; language: Language },
): CheckedMessage {
  switch (code) {
    case "INVALID_OTP":
      return "validation:code.invalid";
    case "INVALID_EMAIL":
      return "validation:email.invalid";
    case "RESEND_TOO_SOON":
      return waitMessage(retryAfterSeconds ?? 60);
    case "TOO_MANY_CODES":
      return messageReference("codes:TOO_MANY_CODES", {
        duration: formatDuration(retryAfterSeconds ?? 3_600, language),
      });
    default:
      return `codes:${code}`;
  }
}

/** Says when another code can be asked for: in seconds, above a minute in minutes. */
export function waitMessage(seconds: number): CheckedMessage {
  return seconds <= 60
    ? messageReference("login:resendIn", { count: seconds })
    : messageReference("login:resendInMinutes", { count: Math.ceil(seconds / 60) });
}

/**
 * Returns the errors of a form with a code, by field: a wrong code beside the code's field with the remaining tries,
 * everything else above the form.
 */
export function codeFormErrors(
  refusal: { code: ErrorCode; retryAfterSeconds?: number; triesLeft?: number },
  language: Language,
): Record<string, CheckedMessage[]> {
  const { code, retryAfterSeconds, triesLeft } = refusal;
  const message = messageForCode(code, { retryAfterSeconds, language });
  if (code !== "INVALID_OTP") return { "": [message] };
  return {
    code: triesLeft
      ? [message, messageReference("login:triesLeft", { count: triesLeft })]
      : [message],
  };
}

/** Formats a waiting time in whole minutes, or in hours from one hour on, rounded up. */
function formatDuration(seconds: number, language: Language): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const { quantity } = formatsOf(language);
  return minutes < 60 ? quantity(minutes, "minute") : quantity(Math.ceil(minutes / 60), "hour");
}
