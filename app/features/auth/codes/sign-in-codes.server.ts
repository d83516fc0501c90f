import { and, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { mailPaused } from "../../../db/mail-pause.ts";
import { rowValues } from "../../../db/row-values.ts";
import { codeEvent, signInCode } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { MAIL_LIMITS, type RateLimit, WRONG_CODES } from "../../../values/rate-limits.ts";
import { DAY_MS, HOUR_MS } from "../../../values/time.ts";
import { allMailboxesOf } from "../mailbox.ts";
import { CODE_TRIES, CODE_TTL_MINUTES, LINK_KEY, LINK_TTL_MS } from "./code.ts";
import { randomCode } from "./new-code.server.ts";

// Statements about sign-in codes (decision 060). Known and unknown mailboxes get the same ones.

/** Who asks for a code, or enters one. */
export type Asker = {
  /** Every hash of the mailbox, the current one first. */
  mailboxes: [string, ...string[]];
  /** The browser, when it has asked for a code before. */
  browser: string | undefined;
  /** True for a browser that has signed in to the mailbox before. */
  isTrusted: boolean;
  /** False in a demonstration, whose visitors share a few mailboxes. */
  hasLimits: boolean;
  now: Date;
};

/** What the database knows about a mailbox after a request for a code, or a try. */
export type MailboxState = {
  /** When the last mail left that counts for the interval, in milliseconds since 1970. */
  lastSentAt: number | null;
  wrong: number;
};

/** Returns every hash that rows may have for an e-mail. */
export async function mailboxesOf(keys: Keys, email: string): Promise<Asker["mailboxes"]> {
  const [current = "", ...older] = await allMailboxesOf(keys, email);
  return [current, ...older];
}

/** Makes a code and the key of the mail's link, with their hashes for a mailbox. */
export async function newSignInCode(keys: Keys, mailbox: string) {
  const code = randomCode();
  const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return {
    code,
    key,
    codeHash: await keys.mac("sign-in-code", boundTo(mailbox, code)),
    keyHash: await keys.mac("sign-in-key", boundTo(mailbox, key)),
  };
}

function boundTo(mailbox: string, secret: string): string {
  return `${mailbox}\n${secret}`;
}

/**
 * Returns the statements that take a mail from the mailbox's limits and store its code, as functions of a further
 * condition, and the SQL condition that a mail may leave. Trusted devices have limits of their own first. Each statement
 * counts and takes, so simultaneous requests cannot take the same mail.
 */
export function issueStatements(
  db: Db,
  asker: Asker & { browser: string },
  { codeHash, keyHash }: { codeHash: string; keyHash: string },
) {
  const { mailboxes, browser, now } = asker;
  const id = crypto.randomUUID();
  const [mailbox] = mailboxes;
  const isIssued = sql`EXISTS (SELECT 1 FROM ${signInCode} WHERE ${and(
    eq(signInCode.mailbox, mailbox),
    eq(signInCode.sentAt, now),
    eq(signInCode.id, id),
  )})`;
  const insert = (isTrusted: boolean, isEarly: SQL, condition: SQL) => (isAllowed: SQL) =>
    db
      .insert(signInCode)
      .select(
        sql`SELECT ${rowValues(signInCode, {
          ...{ id, mailbox, browser, isTrusted, isEarly, codeHash, keyHash },
          ...{ ownTries: 0, sharedTries: 0, sentAt: now, spentAt: null },
          expiresAt: new Date(now.getTime() + CODE_TTL_MINUTES * 60_000),
          keyExpiresAt: new Date(now.getTime() + LINK_TTL_MS),
        })} WHERE ${isAllowed} AND ${condition} AND NOT ${mailPaused(now)}`,
      )
      .returning({ id: signInCode.id });
  const { ofTrusted, isEarly, ofAll } = limitsOf(asker);
  return {
    id,
    isIssued,
    trusted: insert(true, sql`0`, asker.isTrusted ? ofTrusted : sql`false`),
    any: insert(false, isEarly, sql`NOT ${isIssued} AND (NOT ${isEarly} OR ${ofAll})`),
  };
}

/** SQL conditions: which limits leave room for another mail to the mailbox. */
function limitsOf({ mailboxes, now, hasLimits }: Asker) {
  if (!hasLimits) return { ofTrusted: sql`true`, isEarly: sql`0`, ofAll: sql`true` };
  const isOfMailbox = inArray(signInCode.mailbox, mailboxes);
  const within = (windowMs: number) => gt(signInCode.sentAt, new Date(now.getTime() - windowMs));
  const hasRoom = ({ max, windowMs }: RateLimit, counted: SQL | undefined) =>
    sql`(SELECT count(*) FROM ${signInCode} WHERE ${and(isOfMailbox, within(windowMs), counted)}) < ${max}`;
  const { codesAtOnce, codeInterval, earlyCodes, trustedCodesAtOnce, trustedCodes } = MAIL_LIMITS;
  const isTrusted = eq(signInCode.isTrusted, true);
  const isOther = eq(signInCode.isTrusted, false);
  // A code that signed in gives its place back; when it was the newest one, the next may leave at once.
  const isUnused = isNull(signInCode.spentAt);
  const isNewestUsed = sql`(SELECT ${signInCode.spentAt} IS NOT NULL FROM ${signInCode} WHERE ${isOfMailbox}
    ORDER BY ${signInCode.sentAt} DESC, ${signInCode.id} DESC LIMIT 1)`;
  return {
    ofTrusted: sql`(${hasRoom(trustedCodesAtOnce, and(isTrusted, isUnused))} AND ${hasRoom(trustedCodes, isTrusted)})`,
    isEarly: sql`NOT ${hasRoom(codeInterval, isOther)}`,
    ofAll: sql`((${hasRoom(codesAtOnce, and(isOther, isUnused))} OR ${isNewestUsed})
      AND ${hasRoom(earlyCodes, eq(signInCode.isEarly, true))})`,
  };
}

/** Query whether a mail may still leave at once: afterwards a captcha is asked, where one is configured. */
export function selectHasRoom(db: Db, asker: Asker) {
  const { ofTrusted, ofAll } = limitsOf(asker);
  const hasRoom = asker.isTrusted ? sql`(${ofTrusted} OR ${ofAll})` : ofAll;
  return db.select({ hasRoom: sql<0 | 1>`${hasRoom}`.as("has_room") }).from(sql`(SELECT 1)`);
}

/** Query for the state of a mailbox. */
export function selectMailboxState(db: Db, { mailboxes, now }: Asker) {
  const isOther = and(inArray(signInCode.mailbox, mailboxes), eq(signInCode.isTrusted, false));
  return db
    .select({
      lastSentAt: sql<
        number | null
      >`(SELECT max(${signInCode.sentAt}) FROM ${signInCode} WHERE ${isOther})`.as("last_sent_at"),
      wrong: sql<number>`${wrongCodes(mailboxes, now)}`.as("wrong"),
    })
    .from(sql`(SELECT 1)`);
}

function wrongCodes(mailboxes: string[], now: Date): SQL {
  const counted = and(
    inArray(codeEvent.budget, mailboxes),
    eq(codeEvent.kind, "failed"),
    gt(codeEvent.createdAt, new Date(now.getTime() - WRONG_CODES.windowMs)),
  );
  return sql`(SELECT count(*) FROM ${codeEvent} WHERE ${counted})`;
}

/** True when only the link of a mail signs a browser in. */
function isLinkOnly({ isTrusted, hasLimits }: Asker, { wrong }: MailboxState): boolean {
  return hasLimits && !isTrusted && wrong >= WRONG_CODES.max;
}

/**
 * Returns the statements of a try, as a function of a further condition. The code or the link's key is compared with the
 * browser's newest code and with the newest one of the mailbox. A wrong one is counted, and a right one is spent: one
 * update, which returns the row only to the call that spends it. `network` is the hash of the client's IP address, for
 * tries when nothing can be guessed.
 */
export async function trialStatements(
  { db, keys }: { db: Db; keys: Keys },
  asker: Asker,
  { secret, network }: { secret: string; network: string },
) {
  const { mailboxes, browser = "", now, isTrusted, hasLimits } = asker;
  const isByLink = LINK_KEY.test(secret);
  const hashes = await Promise.all(
    [keys, ...keys.previous].map((each, index) =>
      each.mac(
        isByLink ? "sign-in-key" : "sign-in-code",
        boundTo(mailboxes[index] ?? mailboxes[0], secret),
      ),
    ),
  );
  const isRecent = and(
    inArray(signInCode.mailbox, mailboxes),
    gt(signInCode.sentAt, new Date(now.getTime() - HOUR_MS)),
  );
  const newest = (where?: SQL) =>
    sql`(SELECT ${signInCode.id} FROM ${signInCode} WHERE ${and(isRecent, where)} ORDER BY ${signInCode.sentAt} DESC, ${signInCode.id} DESC LIMIT 1)`;
  const isUnspent = isNull(signInCode.spentAt);
  const isLive = and(gt(signInCode.expiresAt, now), isUnspent);
  const isOwn = eq(signInCode.browser, browser);
  const isOwnNewest = sql`${signInCode.id} = ${newest(isOwn)}`;
  const isNewest = sql`${signInCode.id} = ${newest()}`;
  const isCompared = and(
    isRecent,
    isLive,
    or(
      and(isOwnNewest, lt(signInCode.ownTries, CODE_TRIES)),
      and(isNewest, ne(signInCode.browser, browser), lt(signInCode.sharedTries, CODE_TRIES)),
    ),
  );
  const mayGuess =
    isTrusted || !hasLimits ? sql`true` : sql`${wrongCodes(mailboxes, now)} < ${WRONG_CODES.max}`;
  const isRight = isByLink
    ? and(
        isRecent,
        inArray(signInCode.keyHash, hashes),
        gt(signInCode.keyExpiresAt, now),
        isUnspent,
      )
    : and(isCompared, inArray(signInCode.codeHash, hashes), mayGuess);
  const isWrong = sql`NOT EXISTS (SELECT 1 FROM ${signInCode} WHERE ${isRight})`;
  const isGuess = isByLink
    ? sql`false`
    : sql`(${mayGuess} AND EXISTS (SELECT 1 FROM ${signInCode} WHERE ${isCompared}))`;
  const budget =
    isTrusted || !hasLimits
      ? sql`${network}`
      : sql`CASE WHEN ${isGuess} THEN ${mailboxes[0]} ELSE ${network} END`;
  const counted = { id: crypto.randomUUID(), budget, kind: "failed", createdAt: now } as const;
  return (isAllowed: SQL) =>
    [
      db
        .insert(codeEvent)
        .select(sql`SELECT ${rowValues(codeEvent, counted)} WHERE ${isAllowed} AND ${isWrong}`),
      db
        .update(signInCode)
        .set({
          ownTries: sql`${signInCode.ownTries} + (${isOwn})`,
          sharedTries: sql`${signInCode.sharedTries} + (NOT ${isOwn})`,
        })
        .where(and(isAllowed, isCompared, isWrong, isByLink ? sql`false` : undefined)),
      db
        .update(signInCode)
        .set({ spentAt: now })
        .where(and(isAllowed, isRight))
        .returning({ id: signInCode.id }),
      db
        .select()
        .from(signInCode)
        .where(and(isRecent, isUnspent, or(isOwnNewest, isNewest))),
      selectMailboxState(db, asker),
    ] as const;
}

/**
 * Returns why a try was refused, by the rows that `trialStatements` selects: the error code, and the tries that are left
 * after a wrong code.
 */
export function refusalOf(
  asker: Asker,
  secret: string,
  codes: (typeof signInCode.$inferSelect)[],
  state: MailboxState | undefined,
): { code: "INVALID_OTP" | "OTP_EXPIRED" | "TOO_MANY_ATTEMPTS" | "LINK_REQUIRED"; left?: number } {
  if (LINK_KEY.test(secret)) return { code: "OTP_EXPIRED" };
  if (state && isLinkOnly(asker, state)) return { code: "LINK_REQUIRED" };
  if (codes.length === 0) return { code: "INVALID_OTP" };
  const live = codes.filter(({ expiresAt }) => expiresAt > asker.now);
  if (live.length === 0) return { code: "OTP_EXPIRED" };
  const left = live.map(({ browser, ownTries, sharedTries }) =>
    Math.max(0, CODE_TRIES - (browser === asker.browser ? ownTries : sharedTries)),
  );
  const most = Math.max(...left);
  return most === 0 ? { code: "TOO_MANY_ATTEMPTS" } : { code: "INVALID_OTP", left: most };
}

/** Statement that deletes codes which no limit counts any more. */
export function pruneSignInCodes(db: Db, now: Date) {
  return db.delete(signInCode).where(lt(signInCode.sentAt, new Date(now.getTime() - 2 * DAY_MS)));
}
