import { serializeCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { mailboxOf } from "../mailbox.ts";
import { cookiePrefix } from "./cookie-prefix.ts";

/** Mailboxes for which one browser is trusted; above this the oldest is dropped. */
const MAX_MAILBOXES = 5;

export function deviceCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.device`;
}

const DEVICE_COOKIE_MAX_AGE_SECONDS = 400 * 86_400;

/**
 * Returns the id of a browser that has signed in to the mailbox before; undefined for any other. The device cookie has
 * a signature for each mailbox, so that its owner does not notice an attack on a mailbox. Source:
 * OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export async function findTrustedDevice(
  keys: Keys,
  cookie: string | undefined,
  email: string,
): Promise<string | undefined> {
  const [deviceId, ...signatures] = (cookie ?? "").split(".").slice(0, MAX_MAILBOXES + 1);
  if (!deviceId) return undefined;
  const expected = await Promise.all(
    [keys, ...keys.previous].map(async (each) =>
      sign(each, deviceId, await mailboxOf(each, email)),
    ),
  );
  return expected.some((signature) => signatures.includes(signature)) ? deviceId : undefined;
}

/** Returns the device cookie for a browser whose user has confirmed a mailbox. */
export async function trustDevice(
  { keys, isSecure }: { keys: Keys; isSecure: boolean },
  cookie: string | undefined,
  mailbox: string,
): Promise<string> {
  const value = await addMailbox(keys, cookie, mailbox);
  const options = { isSecure, maxAgeSeconds: DEVICE_COOKIE_MAX_AGE_SECONDS };
  return serializeCookie(deviceCookieName(isSecure), value, options);
}

async function addMailbox(
  keys: Keys,
  cookie: string | undefined,
  mailbox: string,
): Promise<string> {
  const [known, ...signatures] = (cookie ?? "").split(".").slice(0, MAX_MAILBOXES + 1);
  const deviceId = known && /^[\w-]{36}$/.test(known) ? known : crypto.randomUUID();
  const signature = await sign(keys, deviceId, mailbox);
  const others = signatures.filter(
    (candidate) => candidate !== signature && candidate.length === 43,
  );
  return [deviceId, signature, ...others].slice(0, MAX_MAILBOXES + 1).join(".");
}

function sign(keys: Keys, deviceId: string, mailbox: string): Promise<string> {
  return keys.mac("device", `${deviceId} ${mailbox}`);
}
