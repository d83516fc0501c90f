import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../../db/db.server.ts";
import { accountCode } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import { isLanguage, type Language } from "../../../i18n/languages.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { CodePurpose } from "../../mail/mail-message.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { findTrustedDevice } from "../sessions/device.server.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import { CODE_LENGTH, CODE_TRIES, CODE_TTL_MINUTES } from "./code.ts";
import { forgetFailures, recordFailure, reportSiteBudget, takeCode } from "./code-limits.server.ts";
import { countdownsSince } from "./code-sent.ts";
import { mailboxOf } from "./mailbox.ts";

/** Who asks for a code: one session of one person. Another session of theirs cannot use it. */
export type CodeAsker = {
  userId: string;
  sessionId: string;
  language: Language;
  /** The value of the device cookie, not yet verified. */
  deviceCookie: string | undefined;
};

/** One request of a user about their own account. */
export type OwnRequest = {
  current: CurrentSession;
  asker: CodeAsker;
  info: RequestInfo;
  /** The language of the mails to the user: the one of their account, else the one of the page. */
  mailLanguage: Language;
};

/** Puts together what a feature needs of a request of a user about their own account. */
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

/** `code` is one of the catalogue's; `status` is the HTTP status that fits. */
export type CodeRefusal = {
  ok: false;
  status: number;
  code: string;
  retryAfterSeconds?: number;
  /** How many more wrong codes this code stands, when a wrong one was entered. */
  triesLeft?: number;
};

/** What a code is for: nothing else is opened by it. */
export type CodeUse = {
  purpose: CodePurpose;
  /** The mailbox that proves itself. */
  address: string;
  /** What is to take the place of the current address. */
  newEmail?: string;
};

type CodeRequest = CodeUse & {
  /** The address that proved itself before this one, and when. */
  proved?: { address: string; at: Date };
};

/** The statement that spends a code, at the head of the batch that does what the code allows. */
export type SpendCode = BatchItem<"sqlite">;

type AccountCodesOptions = {
  db: Db;
  keys: Keys;
  mailer: Pick<Mailer, "prepare">;
  /** Codes an hour, over the whole site, beyond which an alarm is logged. */
  codeMailsPerHour: number;
};

type Asker = Pick<CodeAsker, "userId" | "sessionId">;

export type AccountCodes = ReturnType<typeof createAccountCodes>;

/**
 * Codes for somebody who is signed in: to confirm that it is still them, to change their address, to delete their
 * account. Each is bound to a session, a purpose and an address, stands three tries, lives five minutes, works once,
 * and counts against the mailbox's budget like a sign-in code.
 */
export function createAccountCodes({ db, keys, mailer, codeMailsPerHour }: AccountCodesOptions) {
  /**
   * Sends a code, in place of the last one for this purpose. An address that has an account already gets no code
   * when it is asked to become somebody's: its owner is told instead, and the answer is the same. Refused:
   * RESEND_TOO_SOON within a minute of the last one, TOO_MANY_CODES, MAIL_NOT_SENT.
   *
   * With `spend` it spends the code of the step before in the same batch, and only when it sends this one. Then it can
   * also answer OTP_EXPIRED: another request spent that code first.
   */
  async function send(
    asker: CodeAsker,
    { purpose, address, newEmail, proved }: CodeRequest,
    now: Date,
    spend?: SpendCode,
  ): Promise<{ ok: true; deliver: () => Promise<unknown> } | CodeRefusal> {
    const [last] = await db
      .select({ sentAt: accountCode.sentAt })
      .from(accountCode)
      .where(and(isOwn(asker, purpose), eq(accountCode.address, address)));
    const { resendIn } = countdownsSince(last?.sentAt.getTime() ?? 0, now);
    if (resendIn > 0) {
      return { ok: false, status: 429, code: "RESEND_TOO_SOON", retryAfterSeconds: resendIn };
    }
    const mailbox = await mailboxOf(keys, address);
    const trustedDevice = await findTrustedDevice(keys, asker.deviceCookie, mailbox);
    const permit = await takeCode(
      db,
      { mailbox, trustedDevice, isCaptchaSolved: false, siteBudget: codeMailsPerHour },
      now,
    );
    if (!permit.allowed) {
      const { retryAfterSeconds } = permit;
      return { ok: false, status: 429, code: "TOO_MANY_CODES", retryAfterSeconds };
    }
    const code = randomCode();
    const expiresAt = new Date(now.getTime() + CODE_TTL_MINUTES * 60_000);
    const codeHash = await keys.mac("account-code", boundTo(asker.userId, purpose, address, code));
    const row = {
      sessionId: asker.sessionId,
      address,
      newEmail: newEmail ?? null,
      provedAddress: proved?.address ?? null,
      provedAt: proved?.at ?? null,
      codeHash,
      tries: 0,
      sentAt: now,
      expiresAt,
    };
    // In the order of the table's columns.
    const values = [asker.userId, purpose, ...Object.values(row)].map(
      (value) => sql`${value instanceof Date ? value.getTime() : value}`,
    );
    const write = db
      .insert(accountCode)
      .select(
        sql`SELECT ${sql.join(values, sql`, `)} WHERE ${spend ? sql`changes() > 0` : sql`true`}`,
      )
      .onConflictDoUpdate({ target: [accountCode.userId, accountCode.purpose], set: row });
    const isWritten = sql`EXISTS (SELECT 1 FROM ${accountCode} WHERE ${accountCode.userId} = ${asker.userId} AND ${accountCode.codeHash} = ${codeHash})`;
    const envelope = { recipient: address, language: asker.language, expiresAt };
    const message = {
      kind: "account-code",
      code,
      purpose,
      validMinutes: CODE_TTL_MINUTES,
    } as const;
    const isForNewEmail = purpose === "email-new";
    const withCode = await mailer.prepare(
      { ...envelope, message },
      now,
      isForNewEmail ? "no-account" : "anyone",
      isWritten,
    );
    // Written always, so that its time tells nothing; sent to who has the address already.
    const warning = await mailer.prepare(
      { ...envelope, message: { kind: "email-taken" } },
      now,
      "account",
      isForNewEmail ? isWritten : sql`false`,
    );
    const statements = [write, withCode.statement, warning.statement] as const;
    try {
      const [written, codes, warnings] = spend
        ? await batchAfter(db, spend, statements)
        : await db.batch(statements);
      if (written.meta.changes === 0) return EXPIRED;
      return {
        ok: true,
        deliver: () =>
          Promise.all([
            withCode.send(codes),
            warning.send(warnings),
            ...(permit.isOverSiteBudget ? [reportSiteBudget(db, codeMailsPerHour, now)] : []),
          ]),
      };
    } catch (error) {
      log("error", "mail.not_queued", describeError(error));
      return { ok: false, status: 503, code: "MAIL_NOT_SENT" };
    }
  }

  /**
   * Looks at a code. Counting a try and looking are one statement, so that guesses at the same moment cannot share a
   * try. The right code is spent by the statement `spend`, for the head of the batch that does what the code is for:
   * the statement after it asks `changes() > 0`, and of two requests with one code only one finds that so. Refused:
   * INVALID_OTP, TOO_MANY_ATTEMPTS, OTP_EXPIRED.
   */
  async function check(asker: Asker, use: CodeUse, code: string, now: Date) {
    const { userId } = asker;
    const { purpose, address, newEmail } = use;
    const isTheirs = and(
      isOwn(asker, purpose),
      eq(accountCode.address, address),
      newEmail === undefined ? undefined : eq(accountCode.newEmail, newEmail),
    );
    const refuse = (refused: string): CodeRefusal => {
      log("warn", "account.code_refused", { user: userId, purpose, code: refused });
      return { ok: false, status: 400, code: refused };
    };
    const [row] = await db
      .update(accountCode)
      .set({ tries: sql`${accountCode.tries} + 1` })
      .where(and(isTheirs, gt(accountCode.expiresAt, now), lt(accountCode.tries, CODE_TRIES)))
      .returning();
    if (!row) {
      const [dead] = await db
        .select({ tries: accountCode.tries })
        .from(accountCode)
        .where(isTheirs);
      return refuse((dead?.tries ?? 0) >= CODE_TRIES ? "TOO_MANY_ATTEMPTS" : "OTP_EXPIRED");
    }
    const mailbox = await mailboxOf(keys, address);
    const { codeHash } = row;
    if (
      !(await keys.verifyMac("account-code", boundTo(userId, purpose, address, code), codeHash))
    ) {
      await recordFailure(db, mailbox, now);
      const triesLeft = CODE_TRIES - row.tries;
      return triesLeft <= 0 ? refuse("TOO_MANY_ATTEMPTS") : { ...refuse("INVALID_OTP"), triesLeft };
    }
    await forgetFailures(db, mailbox);
    const spend = db.delete(accountCode).where(and(isTheirs, eq(accountCode.codeHash, codeHash)));
    return { ok: true as const, spend };
  }

  return { send, check };
}

/** Runs a batch behind the statement that spends a code; answers what the statements behind it answered. */
async function batchAfter<T extends readonly [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]>(
  db: Db,
  spend: SpendCode,
  statements: T,
) {
  const [, ...results] = await db.batch([spend, ...statements]);
  return results;
}

/** The code has died, or another request spent it first. */
export const EXPIRED: CodeRefusal = { ok: false, status: 400, code: "OTP_EXPIRED" };

/** When the code was sent that a session can still enter for this; undefined when there is none. */
export async function findSentAt(
  db: Db,
  asker: Asker,
  purpose: CodePurpose,
  now: Date,
): Promise<Date | undefined> {
  const [sent] = await db
    .select({ sentAt: accountCode.sentAt })
    .from(accountCode)
    .where(and(isOwn(asker, purpose), gt(accountCode.expiresAt, now)));
  return sent?.sentAt;
}

function isOwn({ userId, sessionId }: Asker, purpose: CodePurpose) {
  return and(
    eq(accountCode.userId, userId),
    eq(accountCode.purpose, purpose),
    eq(accountCode.sessionId, sessionId),
  );
}

/** What a code's hash is made of: the same digits for another person, purpose or address hash to something else. */
function boundTo(userId: string, purpose: CodePurpose, address: string, code: string): string {
  return [userId, purpose, address, code].join("\n");
}

/** Six digits, each as likely as the others. */
function randomCode(): string {
  const range = 10 ** CODE_LENGTH;
  const limit = Math.floor(2 ** 32 / range) * range;
  let value: number;
  do {
    value = crypto.getRandomValues(new Uint32Array(1))[0] ?? limit;
  } while (value >= limit);
  return String(value % range).padStart(CODE_LENGTH, "0");
}
