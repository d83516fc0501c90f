import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { spendAndRecord } from "../../db/change.server.ts";
import { type Db, isUniqueViolation } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { accountCode, session, user } from "../../db/schema/schema.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { ownEvent } from "../audit/audit.server.ts";
import type {
  AccountCodes,
  CodeRefusal,
  CodeUse,
  OwnRequest,
  SpendCode,
} from "../auth/codes/account-codes.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";

/**
 * Minutes that a step waits for its code, resent codes included, and that the confirmation of the current e-mail is
 * valid.
 */
const STEP_MINUTES = 60;
/** Days after which the mail to the old e-mail is no longer sent. */
const NEWS_DAYS = 7;

/** The step that waits for a code: the current e-mail is confirmed first, then the new one. */
type EmailStep = CodeUse & {
  purpose: "email-current" | "email-new";
  newEmail: string;
  sentAt: Date;
  /** The confirmed current e-mail and the time of its confirmation; set in the second step. */
  proved?: { email: string; at: Date };
};

/**
 * Result of a code: the next step follows, the e-mail was changed, or nothing happened because it is already the
 * account's e-mail.
 */
type Result = { ok: true; outcome: "next_step" | "changed" | "unchanged" } | CodeRefusal;

type EmailChangeOptions = {
  db: Db;
  accountCodes: AccountCodes;
  mailer: Pick<Mailer, "prepare">;
  /** True when the rules of who may come in accept the new e-mail. */
  acceptsEmail: (email: string) => Promise<boolean>;
};

const NOT_ACCEPTED: CodeRefusal = { ok: false, status: 400, code: "EMAIL_DOMAIN_NOT_ALLOWED" };

export type EmailChange = ReturnType<typeof createEmailChange>;

/**
 * Change of a user's e-mail: a code confirms the current one, then another code the new one. A new e-mail that already
 * has an account gets no code, and nothing reveals this; its owner gets a mail instead (`AccountCodes.send`). Each step
 * asks the rules of who may come in.
 */
export function createEmailChange(options: EmailChangeOptions) {
  return {
    start: start.bind(undefined, options),
    resend: resend.bind(undefined, options),
    verify: verify.bind(undefined, options),
  };
}

/**
 * Starts a change, or continues the one that this session has started. Errors: those of sending a code, and
 * EMAIL_DOMAIN_NOT_ALLOWED.
 */
async function start(
  options: EmailChangeOptions,
  own: OwnRequest,
  newEmail: string,
): Promise<{ ok: true } | CodeRefusal> {
  if (!(await options.acceptsEmail(newEmail))) return NOT_ACCEPTED;
  if (await findStep(options, own, newEmail)) return { ok: true };
  const { email } = own.current.user;
  return send(options, own, { purpose: "email-current", email, newEmail });
}

/**
 * Sends the current step's code again. Errors: those of sending a code, EMAIL_DOMAIN_NOT_ALLOWED, and
 * OTP_EXPIRED when no step waits for a code.
 */
async function resend(
  options: EmailChangeOptions,
  own: OwnRequest,
  newEmail: string,
): Promise<{ ok: true } | CodeRefusal> {
  if (!(await options.acceptsEmail(newEmail))) return NOT_ACCEPTED;
  const step = await findStep(options, own, newEmail);
  return step ? send(options, own, step) : options.accountCodes.expired;
}

/**
 * Checks the code of a step. The first step's code leads to the second step, the second one's changes the e-mail. A
 * code for a finished step, as from a form that is sent twice, changes nothing and uses no try. Errors: those of
 * checking a code, and EMAIL_DOMAIN_NOT_ALLOWED. In the first step also those of sending a code, after which its code
 * stays valid. In the second step also CONFLICT when the user was changed meanwhile, and
 * USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL when the e-mail was taken meanwhile.
 */
async function verify(
  options: EmailChangeOptions,
  own: OwnRequest,
  newEmail: string,
  { code, step: posted }: { code: string; step?: string },
): Promise<Result> {
  if (newEmail === own.current.user.email) return { ok: true, outcome: "unchanged" };
  if (!(await options.acceptsEmail(newEmail))) return NOT_ACCEPTED;
  const step = await findStep(options, own, newEmail);
  if (!step) return options.accountCodes.expired;
  if (step.purpose === "email-new") {
    const isDone = posted === ("email-current" satisfies EmailStep["purpose"]);
    return isDone ? { ok: true, outcome: "next_step" } : change(options, own, newEmail, code);
  }
  // The form or the call of a second step that has expired meanwhile.
  if (posted === ("email-new" satisfies EmailStep["purpose"])) return options.accountCodes.expired;
  const now = own.info.now();
  const checked = await options.accountCodes.check(own.asker, step, code, now);
  if (!checked.ok) return checked;
  const proved = { email: step.email, at: now };
  const next = { purpose: "email-new", email: newEmail, newEmail, proved } as const;
  const sent = await send(options, own, next, checked.spend);
  return sent.ok ? { ok: true, outcome: "next_step" } : sent;
}

/** Changes the e-mail, and ends the other sessions of the user. */
async function change(
  options: EmailChangeOptions,
  own: OwnRequest,
  newEmail: string,
  code: string,
): Promise<Result> {
  const { db, accountCodes, mailer } = options;
  const { current, asker, info } = own;
  const { id, name, email } = current.user;
  const now = info.now();
  const use = { purpose: "email-new", email: newEmail, newEmail } as const;
  const checked = await accountCodes.check(asker, use, code, now);
  if (!checked.ok) return checked;
  const news = await mailer.prepare(
    {
      recipient: email,
      language: own.mailLanguage,
      expiresAt: new Date(now.getTime() + NEWS_DAYS * DAY_MS),
      message: { kind: "email-changed", newEmail },
    },
    now,
  );
  try {
    const { isChanged, rows } = await spendAndRecord(db, {
      spend: checked.spend,
      change: (isSpent) =>
        db
          .update(user)
          .set({
            email: newEmail,
            emailVerified: true,
            searchKey: searchKey(name, newEmail),
            updatedAt: now,
            version: sql`${user.version} + 1`,
          })
          // Only if the confirmed e-mail, and the name that the search key holds, are unchanged.
          .where(and(eq(user.id, id), eq(user.email, email), eq(user.name, name), isSpent)),
      event: ownEvent(info, id, "user.email_changed", {
        before: { email },
        after: { email: newEmail },
      }),
      next: (isReplaced) => ({
        rows: news.ifChanged(isReplaced),
        others: db
          .delete(session)
          .where(and(eq(session.userId, id), ne(session.id, current.session.id), isReplaced)),
        own: db
          .update(session)
          .set({ authenticatedAt: now, provedBy: "code" })
          .where(and(eq(session.id, current.session.id), isReplaced)),
      }),
    });
    if (!isChanged) return { ok: false, status: 409, code: "CONFLICT" };
    log("info", "account.email_changed", { request: info.id, user: id });
    info.afterAnswer(() => news.send(rows));
    return { ok: true, outcome: "changed" };
  } catch (error) {
    if (!isUniqueViolation(error, "user.email")) throw error;
    await checked.spend;
    return { ok: false, status: 409, code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" };
  }
}

async function send(
  { accountCodes }: EmailChangeOptions,
  { asker, info }: OwnRequest,
  step: Omit<EmailStep, "sentAt">,
  spend?: SpendCode,
) {
  const sent = await accountCodes.send(asker, step, info.now(), spend);
  if (sent.ok) info.afterAnswer(sent.deliver);
  return sent;
}

async function findStep(
  { db }: EmailChangeOptions,
  { current, info }: OwnRequest,
  newEmail: string,
) {
  const codes = await selectEmailCodes(db, current.user.id, current.session.id);
  return emailStepOf(codes, { email: current.user.email, newEmail }, info.now());
}

export function selectEmailCodes(db: Db, userId: string, sessionId: string) {
  const { purpose, email, newEmail, sentAt, provedEmail, provedAt } = accountCode;
  return db
    .select({ purpose, email, newEmail, sentAt, provedEmail, provedAt })
    .from(accountCode)
    .where(
      and(
        eq(accountCode.userId, userId),
        eq(accountCode.sessionId, sessionId),
        inArray(purpose, ["email-current", "email-new"]),
      ),
    );
}

/**
 * Returns the current step of the change from `email` to `newEmail`; undefined when it has not started or has expired.
 */
export function emailStepOf(
  codes: Awaited<ReturnType<typeof selectEmailCodes>>,
  { email, newEmail }: { email: string; newEmail: string },
  now: Date,
): EmailStep | undefined {
  const live = codes.filter((code) => {
    const begunAt = code.provedAt ?? code.sentAt;
    const isRecent = now.getTime() - begunAt.getTime() < STEP_MINUTES * 60_000;
    return code.newEmail === newEmail && isRecent;
  });
  const second = live.find(
    ({ purpose, provedEmail }) => purpose === "email-new" && provedEmail === email,
  );
  if (second?.provedAt) {
    const proved = { email, at: second.provedAt };
    return { purpose: "email-new", email: newEmail, newEmail, sentAt: second.sentAt, proved };
  }
  const first = live.find((code) => code.purpose === "email-current" && code.email === email);
  return first && { purpose: "email-current", email, newEmail, sentAt: first.sentAt };
}
