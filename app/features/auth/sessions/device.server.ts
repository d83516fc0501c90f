import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { user } from "../../../db/schema/schema.ts";
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
 * Returns when a browser has last signed in to the mailbox by a code; undefined when it has not.
 * The device cookie has a signed time for each mailbox, so that its owner does not notice an attack
 * on a mailbox. A rotation of the secret ends them. Source: OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies".
 */
export async function findTrustedSince(
  keys: Keys,
  cookie: string | undefined,
  email: string,
): Promise<Date | undefined> {
  const [deviceId, ...signatures] = (cookie ?? "").split(".").slice(0, MAX_MAILBOXES + 1);
  if (!deviceId) return undefined;
  const mailbox = await mailboxOf(keys, email);
  for (const signature of signatures) {
    const since = timeOf(signature);
    if (signature === (await sign(keys, deviceId, mailbox, since))) return new Date(since);
  }
  return undefined;
}

/**
 * SQL condition: a browser that was trusted at this time is a trusted device of the e-mail's user, or of nobody yet.
 */
export function isStillTrusted(since: Date | undefined, email: string): SQL {
  if (!since) return sql`false`;
  return sql`NOT EXISTS (SELECT 1 FROM ${user} WHERE ${and(eq(user.email, email), gt(user.devicesSince, since))})`;
}

/** Returns the device cookie for a browser whose user has confirmed a mailbox. */
export async function trustDevice(
  { keys, isSecure }: { keys: Keys; isSecure: boolean },
  cookie: string | undefined,
  mailbox: string,
  now: Date,
): Promise<string> {
  const value = await addMailbox(keys, cookie, mailbox, now);
  const options = { isSecure, maxAgeSeconds: DEVICE_COOKIE_MAX_AGE_SECONDS };
  return serializeCookie(deviceCookieName(isSecure), value, options);
}

async function addMailbox(
  keys: Keys,
  cookie: string | undefined,
  mailbox: string,
  now: Date,
): Promise<string> {
  const [known, ...signatures] = (cookie ?? "").split(".").slice(0, MAX_MAILBOXES + 1);
  const deviceId = known && /^[\w-]{36}$/.test(known) ? known : crypto.randomUUID();
  const signature = await sign(keys, deviceId, mailbox, now.getTime());
  const checked = signatures.map(async (candidate) => {
    const isSame = candidate === (await sign(keys, deviceId, mailbox, timeOf(candidate)));
    return isSame || !SIGNATURE.test(candidate) ? [] : [candidate];
  });
  const others = (await Promise.all(checked)).flat();
  return [deviceId, signature, ...others].slice(0, MAX_MAILBOXES + 1).join(".");
}

/** The time of the sign-in, in base 36, and the signature. The previous release wrote no time. */
const SIGNATURE = /^(?:([\da-z]{1,11})~)?[\w-]{43}$/;

/** Returns the time that a signature names, in milliseconds since 1970; 0 without one. */
function timeOf(signature: string): number {
  const [, time] = SIGNATURE.exec(signature) ?? [];
  return time ? Number.parseInt(time, 36) : 0;
}

async function sign(keys: Keys, deviceId: string, mailbox: string, time: number): Promise<string> {
  if (time === 0) return keys.mac("device", `${deviceId} ${mailbox}`);
  const at = time.toString(36);
  return `${at}~${await keys.mac("device", `${deviceId} ${mailbox} ${at}`)}`;
}
