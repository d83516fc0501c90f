import { withAsciiDigits } from "../../../values/digits.ts";

export const CODE_LENGTH = 6;
/** Validity of a code: `{{expiration}}` in the specification. */
export const CODE_TTL_MINUTES = 5;
/** Wrong tries that one code allows; better-auth counts them. */
export const CODE_TRIES = 3;
/** Waiting time before "Resend code" works again. */
export const RESEND_COOLDOWN_SECONDS = 60;

/** Form field that the captcha widget adds. */
export const CAPTCHA_FIELD = "cf-turnstile-response";
/** Action that the captcha is solved for; a token for another action is refused. */
export const CAPTCHA_ACTION = "sign-in-code";

/**
 * Returns the code in typed or pasted text. Arabic-Indic and Persian digits become ASCII. Spaces, hyphens and the
 * invisible marks of copied right-to-left text are removed.
 */
export function normalizeCode(typed: string): string {
  return withAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, "");
}
