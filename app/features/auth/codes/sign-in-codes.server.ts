import { and, eq, gt, inArray, isNull, lt, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { areCodesWaiting } from "../../../db/mail-criteria.ts";
import { mailPaused } from "../../../db/mail-pause.ts";
import { rowValues } from "../../../db/row-values.ts";
import { codeEvent, signInCode } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import type { Networks } from "../../../values/client-network.ts";
import { MAIL_PROVIDER } from "../../../values/platform-limits.ts";
import {
  CODE_LIMITS,
  MAIL_LIMITS,
  type RateLimit,
  TRUSTED_WRONG_CODES,
  WRONG_CODES,
} from "../../../values/rate-limits.ts";
import { DAY_MS, HOUR_MS } from "../../../values/time.ts";
import { allMailboxesOf } from "../mailbox.ts";
import { CODE_TRIES, CODE_TTL_MINUTES, LINK_KEY } from "./code.ts";
import { LINK_TTL_MS } from "./link-ttl.ts";
import { randomCode } from "./new-code.server.ts";
import type { Outcome } from "./sign-in-steps.ts";
import { siteCodes } from "./site-codes.server.ts";

// Statements about sign-in codes (decision 060). Known and unknown mailboxes get the same ones.

/** Who asks for a code, or enters one. */
export type Asker = {
  /** Every hash of the mailbox, the current one first. */
  mailboxes: [string, ...string[]];
  /** The browser, when it has asked for a code before. */
  browser: string | undefined;
  /** SQL condition: the browser is a trusted device of the mailbox. */
  isTrusted: SQL;
  networks: Networks;
  /** False in a demonstration, whose visitors share a few mailboxes. */
  hasLimits: boolean;
  now: Date;
};

/** What the database knows about a mailbox after a request for a code, or a try. */
export type MailboxState = {
  /** When the last mail left that counts for the interval, in milliseconds since 1970. */
  lastSentAt: number | null;
  /** True when only the link of a mail signs the browser in. */
  isLinkOnly: 0 | 1;
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
 * Returns the statements that take a mail from the mailbox's limits and store its code, as
 * functions of a further condition, and the SQL condition that a mail may leave. Trusted devices
 * have limits of their own first. `isHeld` is the condition that the site holds the code back. Each
 * statement counts and takes, so simultaneous requests cannot take the same mail.
 */
export function issueStatements(
  db: Db,
  asker: Asker & { browser: string },
  { codeHash, keyHash, isHeld }: { codeHash: string; keyHash: string; isHeld: SQL },
) {
  const { mailboxes, browser, now, networks } = asker;
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
          id,
          mailbox,
          browser,
          isTrusted,
          isEarly,
          codeHash,
          keyHash,
          ownTries: 0,
          sharedTries: 0,
          sentAt: now,
          spentAt: null,
          network: networks.wide,
          nearNetwork: networks.near,
          expiresAt: new Date(now.getTime() + CODE_TTL_MINUTES * 60_000),
          keyExpiresAt: new Date(now.getTime() + LINK_TTL_MS),
        })} WHERE ${isAllowed} AND ${condition} AND NOT ${mailPaused(now)}`,
      )
      .returning({ id: signInCode.id });
  const { ofTrusted, isEarly, ofAll } = limitsOf(asker);
  return {
    id,
    isIssued,
    trusted: insert(true, sql`0`, sql`${asker.isTrusted} AND ${ofTrusted}`),
    any: insert(
      false,
      isEarly,
      sql`NOT ${isIssued} AND (NOT ${isEarly} OR ${ofAll}) AND NOT ${isHeld}`,
    ),
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

/**
 * Query whether a captcha is asked for a code, where one is configured: when no mail to the mailbox
 * may leave at once any more, and when the site or the network asks for many codes.
 */
export function selectNeedsCaptcha(db: Db, asker: Asker, codeMailsPerHour: number) {
  const { ofTrusted, ofAll } = limitsOf(asker);
  const hasRoom = sql`((${asker.isTrusted} AND ${ofTrusted}) OR ${ofAll})`;
  const { orOfBusyNetwork } = crowdOf(asker, codeMailsPerHour);
  return db
    .select({
      needsCaptcha: sql<0 | 1>`(NOT ${hasRoom} OR ${orOfBusyNetwork})`.as("needs_captcha"),
    })
    .from(sql`(SELECT 1)`);
}

/**
 * SQL conditions about what all share: the codes of the site's hour, the sender's queue, and the
 * mailboxes of a network. They ask nothing of trusted devices. `orOfBusyNetwork`: the site is busy,
 * or the network has asked for several mailboxes. `andOfBusyNetwork`: the site is busy, and the
 * network has asked for many.
 */
export function crowdOf(asker: Asker, codeMailsPerHour: number) {
  const { isTrusted, hasLimits, now } = asker;
  if (!hasLimits) return { orOfBusyNetwork: sql`false`, andOfBusyNetwork: sql`false` };
  const isSiteBusy = sql`(${siteCodes(codeMailsPerHour, now)} >= ${codeMailsPerHour} OR ${areCodesWaiting(CODES_OF_TEN_SECONDS, now)})`;
  const { mailboxes, mailboxesOfBusySite } = CODE_LIMITS;
  return {
    orOfBusyNetwork: sql`(NOT ${isTrusted} AND (${isSiteBusy} OR ${hasAskedFor(asker, mailboxes)}))`,
    andOfBusyNetwork: sql`(NOT ${isTrusted} AND ${isSiteBusy} AND ${hasAskedFor(asker, mailboxesOfBusySite)})`,
  };
}

/**
 * SQL condition: the device is not trusted, and its network has asked for codes to more mailboxes
 * than a busy site allows.
 */
export function asksForMany(asker: Asker): SQL {
  return sql`(NOT ${asker.isTrusted} AND ${hasAskedFor(asker, CODE_LIMITS.mailboxesOfBusySite)})`;
}

/** Codes that the provider takes in ten seconds. */
const CODES_OF_TEN_SECONDS = 10 * MAIL_PROVIDER.requestsASecond;

/** SQL condition: the asker's network has asked for codes to so many other mailboxes. */
function hasAskedFor({ mailboxes, networks, now }: Asker, { max, windowMs }: RateLimit): SQL {
  const counted = and(
    eq(signInCode.network, networks.wide),
    gt(signInCode.sentAt, new Date(now.getTime() - windowMs)),
    notInArray(signInCode.mailbox, mailboxes),
  );
  return sql`EXISTS (SELECT DISTINCT ${signInCode.mailbox} FROM ${signInCode} WHERE ${counted} LIMIT 1 OFFSET ${max - 1})`;
}

/** Query for the state of a mailbox. */
export function selectMailboxState(db: Db, asker: Asker) {
  const { mailboxes } = asker;
  const isOther = and(inArray(signInCode.mailbox, mailboxes), eq(signInCode.isTrusted, false));
  return db
    .select({
      lastSentAt: sql<
        number | null
      >`(SELECT max(${signInCode.sentAt}) FROM ${signInCode} WHERE ${isOther})`.as("last_sent_at"),
      isLinkOnly: sql<0 | 1>`${isLinkOnly(asker)}`.as("is_link_only"),
    })
    .from(sql`(SELECT 1)`);
}

/**
 * SQL condition: only the link of a mail signs the browser in. Trusted devices have a number of wrong codes of their
 * own.
 */
function isLinkOnly({ mailboxes, isTrusted, hasLimits, now }: Asker): SQL {
  if (!hasLimits) return sql`false`;
  const isUsedUp = (budgets: string[], { max, windowMs }: RateLimit) => {
    const counted = and(
      inArray(codeEvent.budget, budgets),
      eq(codeEvent.kind, "failed"),
      gt(codeEvent.createdAt, new Date(now.getTime() - windowMs)),
    );
    return sql`(SELECT count(*) FROM ${codeEvent} WHERE ${counted}) >= ${max}`;
  };
  const ofTrusted = isUsedUp(mailboxes.map(trustedBudget), TRUSTED_WRONG_CODES);
  return sql`CASE WHEN ${isTrusted} THEN ${ofTrusted} ELSE ${isUsedUp(mailboxes, WRONG_CODES)} END`;
}

/** The wrong codes of all trusted devices of a mailbox. As in `ownBudget`, the name begins with the mailbox's hash. */
function trustedBudget(mailbox: string): string {
  return `${mailbox} trusted`;
}

/**
 * Returns the statements of a try, as a function of a further condition. The code or the link's key
 * is compared with the browser's newest code and with the newest one of the mailbox. A wrong one is
 * counted, and a right one is spent: one update, which returns the row only to the call that spends
 * it. `network` is the hash of the client's IP address, for tries when nothing can be guessed.
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
  const mayGuess = sql`NOT (${isLinkOnly(asker)})`;
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
  const ofMailbox = sql`CASE WHEN ${isTrusted} THEN ${trustedBudget(mailboxes[0])} ELSE ${mailboxes[0]} END`;
  const budget = hasLimits
    ? sql`CASE WHEN ${isGuess} THEN ${ofMailbox} ELSE ${network} END`
    : sql`${network}`;
  const counted = {
    id: crypto.randomUUID(),
    budget,
    kind: "failed",
    createdAt: now,
    network: null,
  } as const;
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
 * Returns why a try was refused, by the rows that `trialStatements` selects: the error code, and
 * the tries that are left after a wrong code.
 */
export function refusalOf(
  asker: Asker,
  secret: string,
  codes: (typeof signInCode.$inferSelect)[],
  state: MailboxState | undefined,
): { code: "INVALID_OTP" | "OTP_EXPIRED" | "TOO_MANY_ATTEMPTS" | "LINK_REQUIRED"; left?: number } {
  if (LINK_KEY.test(secret)) return { code: "OTP_EXPIRED" };
  if (state?.isLinkOnly) return { code: "LINK_REQUIRED" };
  if (codes.length === 0) return { code: "INVALID_OTP" };
  const live = codes.filter(({ expiresAt }) => expiresAt > asker.now);
  if (live.length === 0) return { code: "OTP_EXPIRED" };
  const left = live.map(({ browser, ownTries, sharedTries }) =>
    Math.max(0, CODE_TRIES - (browser === asker.browser ? ownTries : sharedTries)),
  );
  const most = Math.max(...left);
  return most === 0 ? { code: "TOO_MANY_ATTEMPTS" } : { code: "INVALID_OTP", left: most };
}

/**
 * Returns why a try was refused. It reads the same rows: there was no code, the code belongs to
 * another browser, or the try was wrong and perhaps the last one.
 */
export function outcomeOf(
  asker: Asker,
  secret: string,
  {
    codes,
    state,
    isCompared,
  }: {
    codes: (typeof signInCode.$inferSelect)[];
    state: MailboxState | undefined;
    isCompared: boolean;
  },
): Outcome {
  if (LINK_KEY.test(secret)) return "dead.link";
  if (state?.isLinkOnly) return "dead.link_only";
  const live = codes.filter(({ expiresAt }) => expiresAt > asker.now);
  if (live.length === 0) return "dead.expired";
  if (!isCompared) return "dead.spent";
  const own = live.find(({ browser }) => browser === asker.browser);
  const whose = own ? "own" : "others";
  const tries = own ? own.ownTries : Math.max(...live.map(({ sharedTries }) => sharedTries));
  return tries >= CODE_TRIES ? `spent.${whose}` : `wrong.${whose}`;
}

/** Statement that deletes codes which no limit counts any more. */
export function pruneSignInCodes(db: Db, now: Date) {
  return db.delete(signInCode).where(lt(signInCode.sentAt, new Date(now.getTime() - 2 * DAY_MS)));
}
