export const CODE_LENGTH = 6;
/** How long a code is valid: `{{expiration}}` of the specification. */
export const CODE_TTL_MINUTES = 5;
/** Wrong tries that one code stands; better-auth counts them. */
export const CODE_TRIES = 3;
/** How long "Resend code" waits after a code was sent. */
export const RESEND_COOLDOWN_SECONDS = 60;

/** The field that the captcha's widget adds to the form around it. */
export const CAPTCHA_FIELD = "cf-turnstile-response";
/** What the captcha is solved for; a token that was solved for something else is refused. */
export const CAPTCHA_ACTION = "sign-in-code";

const ARABIC_INDIC_ZERO = 0x0660;
const PERSIAN_ZERO = 0x06f0;

/**
 * The code in what someone typed or pasted: Arabic-Indic and Persian digits become ASCII; spaces, hyphens and the
 * invisible marks that come along when copying right-to-left text go.
 */
export function normalizeCode(typed: string): string {
  return typed
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_INDIC_ZERO))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN_ZERO))
    .replace(/[\s\p{Cf}\p{Pd}]/gu, "");
}
