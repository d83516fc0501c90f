import { formatsOf } from "../../../i18n/formats.ts";
import type { Language } from "../../../i18n/languages.ts";
import { type MessageReference, messageReference } from "../../../ui/message.tsx";

/** What a screen says for an error code of the auth gateway; always by code, never by better-auth's English text. */
export function messageForCode(
  code: string,
  { retryAfterSeconds, language }: { retryAfterSeconds?: number; language: Language },
): MessageReference {
  switch (code) {
    case "INVALID_OTP":
      return "validation:code.invalid";
    case "INVALID_EMAIL":
      return "validation:email.invalid";
    case "RESEND_TOO_SOON":
      return messageReference("login:resendIn", { count: retryAfterSeconds ?? 60 });
    case "TOO_MANY_CODES":
      return messageReference("codes:TOO_MANY_CODES", {
        duration: formatDuration(retryAfterSeconds ?? 3_600, language),
      });
    default:
      return `codes:${code}`;
  }
}

/**
 * The errors of a form that entered a code, by field: a wrong code stands beside the code's field with the tries that
 * are left, everything else above the form.
 */
export function codeFormErrors(
  refusal: { code: string; retryAfterSeconds?: number; triesLeft?: number },
  language: Language,
): Record<string, MessageReference[]> {
  const { code, retryAfterSeconds, triesLeft } = refusal;
  const message = messageForCode(code, { retryAfterSeconds, language });
  if (code !== "INVALID_OTP") return { "": [message] };
  return {
    code: triesLeft
      ? [message, messageReference("login:triesLeft", { count: triesLeft })]
      : [message],
  };
}

/** A waiting time in whole minutes, or hours from one on, rounded up. */
function formatDuration(seconds: number, language: Language): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const { quantity } = formatsOf(language);
  return minutes < 60 ? quantity(minutes, "minute") : quantity(Math.ceil(minutes / 60), "hour");
}
