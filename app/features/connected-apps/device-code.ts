/** Source: RFC 8628, 3.4. */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Without vowels, so that no code is a word, and without letters that look alike. Source: RFC 8628, 6.1. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

const CODE_LENGTH = 8;

/** Returns the code that a person types, without its hyphen. */
export function newUserCode(): string {
  let code = "";
  while (code.length < CODE_LENGTH) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // The last bytes would make some letters likelier than others.
    if (byte < 256 - (256 % LETTERS.length)) code += LETTERS.charAt(byte % LETTERS.length);
  }
  return code;
}

/** Returns a code as people read it. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Returns the code that somebody has typed; undefined for what cannot be one. */
export function typedUserCode(typed: string): string | undefined {
  const code = typed.replace(/[\s\p{Pd}\p{Cf}]/gu, "").toUpperCase();
  const isCode = code.length === CODE_LENGTH && [...code].every((one) => LETTERS.includes(one));
  return isCode ? code : undefined;
}
