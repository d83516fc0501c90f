const PREFIX = "gh_";
const SECRET = /^gh_[\da-f]{64}$/;
/** Characters of a key that its owner's list shows. */
const START_LENGTH = 8;

/** Makes a new key: 256 random bits. `hash` is what is stored, `start` what the owner recognizes it by. */
export async function makeSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const secret = PREFIX + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { secret, hash: await hashText(secret), start: secret.slice(0, START_LENGTH) };
}

/**
 * Returns SHA-256 in base64url, as better-auth's plugin for API keys stores a key. A random key of
 * 256 bits needs no salt, and no rotation of secrets changes the hash.
 */
export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Returns what a request sent as its key, in `Authorization: Bearer` or `x-api-key`. A key in a URL
 * does not count, because URLs are logged. Undefined for a request without one.
 */
export function findSecret({ headers }: Request): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return bearer ?? (headers.get("x-api-key") || undefined);
}

/** Returns the hash of a key; undefined for text that has not the form of one. */
export async function hashSecret(secret: string): Promise<string | undefined> {
  return SECRET.test(secret) ? hashText(secret) : undefined;
}
