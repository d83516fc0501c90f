import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { spending } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { isMailPaused, selectMailPause } from "../../../db/mail-pause.ts";
import { accountCode } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import { isLanguage, type Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { Networks } from "../../../values/client-network.ts";
import type { CodePurpose } from "../../mail/mail-message.ts";
import type { Occasion } from "../../mail/occasion.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { mailboxOf } from "../mailbox.ts";
import { networksOf } from "../networks.server.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import { CODE_TRIES, CODE_TTL_MINUTES } from "./code.ts";
import { recordFailure, takeAccountCode } from "./code-limits.server.ts";
import { countdownsSince } from "./code-sent.ts";
import { boundTo, prepareMails, prepareRow, randomCode } from "./new-code.server.ts";
import { reportSiteBudget, selectSent } from "./site-codes.server.ts";

/** The session that asks for a code. Another session of the same user cannot use the code. */
export type CodeAsker = {
  userId: string;
  sessionId: string;
  language: Language;
  /** Described in the mail. */
  request: Occasion;
  /** `limitedIpAddress` of the request, for the turn of the mail. */
  ipAddress: string | undefined;
};

/** One request of a user about their own account. */
export type OwnRequest = {
  current: CurrentSession;
  asker: CodeAsker;
  info: RequestInfo;
  /** Language of the user's mails: the saved one, else the current page's. */
  mailLanguage: Language;
};

/** Builds what a feature needs from a request of a user about their own account. */
export function ownRequestOf(
  current: CurrentSession,
  asker: CodeAsker,
  info: RequestInfo,
): OwnRequest {
  const { language } = current.user;
  return {
    current,
    asker,
    info,
    mailLanguage: isLanguage(language) ? language : asker.language,
  };
}

/** `code` is an error code; `status` is its HTTP status. */
export type CodeRefusal = {
  ok: false;
  status: number;
  code: ErrorCode;
  retryAfterSeconds?: number;
  triesLeft?: number;
};

export type CodeUse = {
  purpose: CodePurpose;
  email: string;
  newEmail?: string;
};

type CodeRequest = CodeUse & {
  /** The e-mail that was confirmed before this one, and when. */
  proved?: { email: string; at: Date };
};

/** Statement that spends a code. It comes first in the batch of the change that the code allows. */
export type SpendCode = BatchItem<"sqlite">;

export type AccountCodesOptions = {
  db: Db;
  keys: Keys;
  mailer: Pick<Mailer, "prepare">;
  /** Codes in an hour, over the whole site, above which an alarm is logged. */
  codeMailsPerHour: number;
};

type Asker = Pick<CodeAsker, "userId" | "sessionId">;

export type AccountCodes = ReturnType<typeof createAccountCodes>;

/**
 * One-time codes for signed-in users: to re-authenticate, to change the e-mail, to delete the account. Each code is
 * bound to a session, a purpose and an e-mail, allows three tries, is valid for five minutes, and works once. They have
 * limits of their own, so that they never use up the sign-in codes of a mailbox.
 */
export function createAccountCodes(options: AccountCodesOptions) {
  return {
    send: send.bind(undefined, options),
    check: check.bind(undefined, options),
    expired: EXPIRED,
  };
}

/**
 * Sends a code, which replaces the last one for this purpose. When a new e-mail already has an account, it gets no
 * code: its owner gets a warning instead, and the answer is the same. Errors: RESEND_TOO_SOON within a minute of the
 * last one, TOO_MANY_CODES, MAIL_QUOTA_REACHED, MAIL_NOT_SENT.
 *
 * With `spend` the same batch spends the previous step's code, and only when it sends this one. Then the error
 * OTP_EXPIRED is possible too: another request spent that code first.
 */
async function send(
  options: AccountCodesOptions,
  asker: CodeAsker,
  request: CodeRequest,
  now: Date,
  spend?: SpendCode,
): Promise<{ ok: true; deliver: () => Promise<unknown> } | CodeRefusal> {
  const { db, codeMailsPerHour } = options;
  const [pause] = await selectMailPause(db, now);
  if (isMailPaused(pause, now)) return { ok: false, status: 503, code: "MAIL_QUOTA_REACHED" };
  const networks = await networksOf(options.keys, asker.ipAddress);
  const permit = await takePermit(options, asker, request, { networks, now });
  if (!permit.ok) return permit;
  const expiresAt = new Date(now.getTime() + CODE_TTL_MINUTES * 60_000);
  const newCode = { ...request, code: randomCode(), sentAt: now, expiresAt };
  const { write, isWritten } = await prepareRow(options, asker, newCode);
  const { withCode, warning } = await prepareMails(
    options,
    { ...asker, networks },
    newCode,
    isWritten,
  );
  const site = selectSent(db, codeMailsPerHour, now);
  const mails = [withCode.statement, warning.statement, site] as const;
  try {
    const [, written, codes, warnings, [site]] = spend
      ? await db.batch([...spending(spend, write), ...mails])
      : [spend, ...(await db.batch([write(), ...mails]))];
    if (written.meta.changes === 0) return EXPIRED;
    const isOverBudget = (site?.sent ?? 0) > codeMailsPerHour;
    return {
      ok: true,
      deliver: () =>
        Promise.all([
          withCode.send(codes),
          warning.send(warnings),
          ...(isOverBudget ? [reportSiteBudget(db, codeMailsPerHour, now)] : []),
        ]),
    };
  } catch (error) {
    log("error", "mail.not_queued", describeError(error));
    return { ok: false, status: 503, code: "MAIL_NOT_SENT" };
  }
}

/** Takes a code from the user's limits. Errors: RESEND_TOO_SOON, TOO_MANY_CODES. */
async function takePermit(
  { db, keys }: AccountCodesOptions,
  asker: CodeAsker,
  { purpose, email, proved }: CodeRequest,
  { networks, now }: { networks: Networks; now: Date },
): Promise<{ ok: true } | CodeRefusal> {
  const [last] = await db
    .select({ sentAt: accountCode.sentAt })
    .from(accountCode)
    .where(and(isOwn(asker, purpose), eq(accountCode.email, email)));
  const { resendIn } = countdownsSince(last?.sentAt.getTime() ?? 0, now);
  if (resendIn > 0) {
    return { ok: false, status: 429, code: "RESEND_TOO_SOON", retryAfterSeconds: resendIn };
  }
  const isForNewEmail = purpose === "email-new";
  const mailbox = await mailboxOf(keys, proved?.email ?? email);
  const newMailbox = isForNewEmail ? await mailboxOf(keys, email) : undefined;
  const taken = await takeAccountCode(db, { mailbox, newMailbox, network: networks.wide }, now);
  if (taken.ok) return taken;
  const { retryAfterSeconds } = taken;
  return { ok: false, status: 429, code: "TOO_MANY_CODES", retryAfterSeconds };
}

/**
 * Checks a code. One statement counts the try and reads the code, so that simultaneous guesses
 * cannot share a try. The returned statement `spend` spends the right code, in the batch of the
 * change (`spendAndRecord`), so that one of two requests with the same code makes it. Errors:
 * INVALID_OTP, TOO_MANY_ATTEMPTS, OTP_EXPIRED.
 */
async function check(
  { db, keys }: AccountCodesOptions,
  asker: Asker,
  use: CodeUse,
  code: string,
  now: Date,
) {
  const { userId } = asker;
  const { purpose, email, newEmail } = use;
  const isTheirs = and(
    isOwn(asker, purpose),
    eq(accountCode.email, email),
    newEmail === undefined ? undefined : eq(accountCode.newEmail, newEmail),
  );
  const refuse = (refused: ErrorCode): CodeRefusal => {
    log("warn", "account.code_refused", { user: userId, purpose, code: refused });
    return { ok: false, status: 400, code: refused };
  };
  const [row] = await db
    .update(accountCode)
    .set({ tries: sql`${accountCode.tries} + 1` })
    .where(and(isTheirs, gt(accountCode.expiresAt, now), lt(accountCode.tries, CODE_TRIES)))
    .returning();
  if (!row) {
    const [dead] = await db.select({ tries: accountCode.tries }).from(accountCode).where(isTheirs);
    return refuse((dead?.tries ?? 0) >= CODE_TRIES ? "TOO_MANY_ATTEMPTS" : "OTP_EXPIRED");
  }
  const { codeHash, provedEmail } = row;
  if (!(await keys.verifyMac("account-code", boundTo(userId, purpose, email, code), codeHash))) {
    // Never against the new e-mail, whose owner has nothing to do with it.
    await recordFailure(db, await mailboxOf(keys, provedEmail ?? email), now);
    const triesLeft = CODE_TRIES - row.tries;
    return triesLeft <= 0 ? refuse("TOO_MANY_ATTEMPTS") : { ...refuse("INVALID_OTP"), triesLeft };
  }
  const spend = db.delete(accountCode).where(and(isTheirs, eq(accountCode.codeHash, codeHash)));
  return { ok: true as const, spend };
}

/** The code has expired, or another request spent it first. */
const EXPIRED: CodeRefusal = { ok: false, status: 400, code: "OTP_EXPIRED" };

/** Returns when the session's valid code for this purpose was sent; undefined without one. */
export async function findSentAt(
  db: Db,
  asker: Asker,
  purpose: CodePurpose,
  now: Date,
): Promise<Date | undefined> {
  const [sent] = await selectSentAt(db, asker, purpose, now);
  return sent?.sentAt;
}

/** Statement that selects when the session's valid code for this purpose was sent. */
export function selectSentAt(db: Db, asker: Asker, purpose: CodePurpose, now: Date) {
  return db
    .select({ sentAt: accountCode.sentAt })
    .from(accountCode)
    .where(and(isOwn(asker, purpose), gt(accountCode.expiresAt, now)));
}

function isOwn({ userId, sessionId }: Asker, purpose: CodePurpose) {
  return and(
    eq(accountCode.userId, userId),
    eq(accountCode.purpose, purpose),
    eq(accountCode.sessionId, sessionId),
  );
}
