import { parseCookie } from "cookie";

/** The secret that signs, and the older ones whose signatures are still valid. */
export type Secrets = { secret: string; previousSecrets: readonly string[] };

const encoder = new TextEncoder();

/** Signs a value for a cookie as better-auth does: `<value>.<base64 of HMAC-SHA-256>`. */
export async function signValue(value: string, secret: string): Promise<string> {
  const key = await signingKey(secret, "sign");
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(value));
  return `${value}.${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/**
 * Returns the value of a signed cookie, and the cookie as the current secret signs it. `isOld` is true when a previous
 * secret has signed it. Undefined when no secret has.
 */
export async function readSignedValue(
  cookie: string,
  { secret, previousSecrets }: Secrets,
): Promise<{ value: string; isOld: boolean; renewed: string } | undefined> {
  const dot = cookie.lastIndexOf(".");
  if (dot < 1) return undefined;
  const value = cookie.slice(0, dot);
  const signature = decodeBase64(cookie.slice(dot + 1));
  if (!signature) return undefined;
  if (await isSigned(value, signature, secret)) return { value, isOld: false, renewed: cookie };
  for (const previous of previousSecrets) {
    if (await isSigned(value, signature, previous)) {
      return { value, isOld: true, renewed: await signValue(value, secret) };
    }
  }
  return undefined;
}

/**
 * Returns a Cookie header in which the current secret has signed what a previous secret signed, for better-auth, which
 * knows only one.
 */
export async function renewSignatures(header: string, secrets: Secrets): Promise<string> {
  if (secrets.previousSecrets.length === 0) return header;
  const renewed = Object.entries(parseCookie(header)).map(async ([name, value = ""]) => {
    const signed = await readSignedValue(value, secrets);
    return `${name}=${encodeURIComponent(signed?.renewed ?? value)}`;
  });
  return (await Promise.all(renewed)).join("; ");
}

async function isSigned(
  value: string,
  signature: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const key = await signingKey(secret, "verify");
  return crypto.subtle.verify("HMAC", key, signature, encoder.encode(value));
}

function signingKey(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [usage]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
