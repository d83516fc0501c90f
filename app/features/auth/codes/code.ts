import { withAsciiDigits } from "../../../values/digits.ts";

export const CODE_LENGTH = 6;
/** Validity of a code: `{{expiration}}` in the specification. */
export const CODE_TTL_MINUTES = 5;
/** Wrong tries that one code allows: so many to the browser that asked for it, and as many to all others together. */
export const CODE_TRIES = 3;
/** Waiting time before "Resend code" works again. */
export const RESEND_COOLDOWN_SECONDS = 60;

/** Form field that the captcha widget adds. */
export const CAPTCHA_FIELD = "cf-turnstile-response";
/** Action that the captcha is solved for; a token for another action is refused. */
export const CAPTCHA_ACTION = "sign-in-code";

/** The key in the link of a mail with a sign-in code: 192 bits in base64url. */
export const LINK_KEY = /^[\w-]{32}$/;

/**
 * Returns the fragment of the link in a mail with a sign-in code. A fragment is never sent to a
 * server, so no log has it, and opening the link uses nothing up.
 */
export function linkFragment(key: string, code: string): string {
  return `#key=${key}&code=${code}`;
}

/** Reads key and code from a link, or from its fragment; undefined when it has none. */
export function readLink(text: string): { key: string; code: string } | undefined {
  const [, key, code] = /#key=([\w-]{32})&code=(\d{6})\s*$/.exec(text) ?? [];
  return key && code ? { key, code } : undefined;
}

/**
 * Returns the code in typed or pasted text. Arabic-Indic and Persian digits become ASCII. Spaces, hyphens and the
 * invisible marks of copied right-to-left text are removed.
 */
export function normalizeCode(typed: string): string {
  return withAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, "");
}
