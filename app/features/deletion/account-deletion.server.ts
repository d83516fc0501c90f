import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { changeAndRecord, spendAndRecord } from "../../db/change.server.ts";
import { touched } from "../../db/changed-rows.ts";
import { type Db, isRuleViolation } from "../../db/db.server.ts";
import { session, user } from "../../db/schema/schema.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { type AuditSource, ownEvent } from "../audit/audit.server.ts";
import type { AccountCodes, CodeRefusal, OwnRequest } from "../auth/codes/account-codes.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { GRACE_DAYS } from "./grace.ts";

type AccountDeletionOptions = {
  db: Db;
  accountCodes: AccountCodes;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
};

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

/** Account deletion: requested, confirmed with a one-time code, and cancelled by signing in within seven days. */
export function createAccountDeletion(options: AccountDeletionOptions) {
  return {
    request: request.bind(undefined, options),
    start: start.bind(undefined, options),
    restore: restore.bind(undefined, options),
  };
}

/**
 * Sends the one-time code for the deletion. Errors: LAST_ADMIN, SOLE_OWNER and DELETION_STARTED, checked first so
 * that no one enters a code in vain, and those of sending a code.
 */
async function request(
  options: AccountDeletionOptions,
  own: OwnRequest,
): Promise<{ ok: true } | CodeRefusal> {
  const { current, asker, info } = own;
  const refused = await findRefusal(options, own);
  if (refused) return refuse(own, refused);
  const use = { purpose: "delete", email: current.user.email } as const;
  const sent = await options.accountCodes.send(asker, use, info.now());
  if (sent.ok) info.afterAnswer(sent.deliver);
  return sent;
}

/** Starts the grace period and ends every session. Errors: those of checking a code, and those of `request`. */
async function start(
  { db, accountCodes, mailer, baseUrl }: AccountDeletionOptions,
  own: OwnRequest,
  code: string,
): Promise<{ ok: true; dueAt: Date } | CodeRefusal> {
  const { current, asker, info } = own;
  const { id, email } = current.user;
  const now = info.now();
  const use = { purpose: "delete", email } as const;
  const checked = await accountCodes.check(asker, use, code, now);
  if (!checked.ok) return checked;
  const dueAt = new Date(now.getTime() + GRACE_DAYS * DAY_MS);
  const mail = await mailer.prepare(
    {
      recipient: email,
      language: own.mailLanguage,
      expiresAt: dueAt,
      message: {
        kind: "deletion-started",
        dueAt: dueAt.toISOString(),
        link: `${baseUrl}/login`,
      },
    },
    now,
  );
  try {
    const { isChanged, rows } = await spendAndRecord(db, {
      spend: checked.spend,
      change: (isSpent) =>
        db
          .update(user)
          .set({ deletionDueAt: dueAt, ...touched(now) })
          .where(and(eq(user.id, id), isNull(user.deletionDueAt), isSpent)),
      event: ownEvent(info, id, "user.deletion_started", { dueAt: dueAt.toISOString() }),
      next: (isStarted) => ({
        rows: mail.ifChanged(isStarted),
        sessions: db.delete(session).where(and(eq(session.userId, id), isStarted)),
      }),
    });
    if (!isChanged) return refuse(own, "DELETION_STARTED");
    log("info", "account.deletion_started", { request: info.id, user: id });
    info.afterAnswer(() => mail.send(rows));
    return { ok: true, dueAt };
  } catch (error) {
    const rule = RULES.find((candidate) => isRuleViolation(error, candidate));
    if (rule) return refuse(own, rule);
    throw error;
  }
}

/** Cancels the deletion. Does nothing for an account without one. */
async function restore(
  { db }: AccountDeletionOptions,
  source: AuditSource,
  userId: string,
): Promise<void> {
  await changeAndRecord(db, {
    change: db
      .update(user)
      .set({ deletionDueAt: null, ...touched(source.now()) })
      .where(and(eq(user.id, userId), isNotNull(user.deletionDueAt))),
    event: ownEvent(source, userId, "user.deletion_cancelled"),
  });
  log("info", "account.deletion_cancelled", { request: source.id, user: userId });
}

/** Evaluates the rules of the triggers without changing anything. */
async function findRefusal(
  { db }: AccountDeletionOptions,
  { current }: OwnRequest,
): Promise<Refused | undefined> {
  const [row] = await db.all<{ refused: Refused | null }>(sql`
    SELECT CASE WHEN ${user.deletionDueAt} IS NOT NULL THEN 'DELETION_STARTED' ELSE rule END AS refused
    FROM ${user} JOIN account_deletion_rule ON user_id = ${user.id}
    WHERE ${user.id} = ${current.user.id}
  `);
  return row?.refused ?? undefined;
}

const RULES = ["LAST_ADMIN", "SOLE_OWNER"] as const;

type Refused = (typeof RULES)[number] | "DELETION_STARTED";

function refuse({ current, info }: OwnRequest, code: Refused): CodeRefusal {
  log("warn", "account.deletion_refused", { request: info.id, user: current.user.id, code });
  return { ok: false, status: 409, code };
}
