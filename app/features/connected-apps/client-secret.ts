// The stored form of an app's secret: the hash of the secret, and behind it, after a rotation, the
// hash of the one before and the time until which that one counts. SHA-256 is enough for a secret
// of 256 random bits.

/** Hours for which the secret before a rotation still counts, so that servers can be changed one by one. */
export const OVERLAP_HOURS = 24;

const PREFIX = "ghs_";
const SECRET_BYTES = 32;

/** Returns a new secret. Its prefix lets scanners of leaked secrets find it. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return PREFIX + toBase64Url(bytes);
}

export async function hashSecret(secret: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return toBase64Url(new Uint8Array(bytes));
}

/** Returns the stored form after a rotation, with which the secret before counts a while longer. */
export async function rotated(stored: string, secret: string, now: Date): Promise<string> {
  const [before = ""] = stored.split(" ");
  const until = now.getTime() + OVERLAP_HOURS * 3_600_000;
  return `${await hashSecret(secret)} ${before} ${until}`;
}

/** Returns until when the secret before the last rotation counts; undefined when none does. */
export function overlapUntil(stored: string, now: Date): Date | undefined {
  const [, , until] = stored.split(" ");
  return Number(until) > now.getTime() ? new Date(Number(until)) : undefined;
}

/** True when a secret is the app's, or the one before within its overlap. */
export async function isSecret(secret: string, stored: string, now: Date): Promise<boolean> {
  const [newest = "", before = ""] = stored.split(" ");
  const hash = await hashSecret(secret);
  if (hash === newest) return true;
  return hash === before && overlapUntil(stored, now) !== undefined;
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
