import { and, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import { repeatable } from "../../db/bounded-d1.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { mailOutbox, mailPause } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { D1_QUERIES } from "../../values/platform-limits.ts";
import { MAIL_KINDS } from "./mail-message.ts";
import { nextRequestAt, type Pace, paceAfter } from "./pace.ts";
import { nextTryDelayMs, pauseOf, type Quota, type SendOutcome } from "./retry.ts";
import { FAREWELL, type Outbox, type StoredMail } from "./stored-mail.server.ts";
import { post } from "./transport.server.ts";
import { byTurn } from "./turn.server.ts";

/**
 * Each takes two statements of D1. Up to four more read the brand, end a pause and find the next
 * try. The next run goes on at once.
 */
const MAILS_PER_RUN = Math.floor((D1_QUERIES.free - 4) / 2);
/** Wait after a fault of the database. */
const AFTER_FAULT_MS = 5_000;

/** When the sender runs again. While it is held, a new mail does not make it run sooner. */
export type NextRun = { at: Date; isHeld: boolean };

/**
 * Returns the function that sends due mails one after another, as fast as the provider's answers
 * allow, and that returns when it must run again; undefined when no mail waits. There must be one
 * sender for the whole site, because the provider's limit is for all requests together.
 */
export function createSender(outbox: Outbox, now: () => Date) {
  let pace: Pace | undefined;

  /** Sends the next due mail. Returns when to go on, unless that is now. */
  async function sendNext(): Promise<NextRun | "at once" | undefined> {
    const mayLeaveAt = new Date(nextRequestAt(pace));
    if (mayLeaveAt > now()) return { at: mayLeaveAt, isHeld: true };
    const due = await findNext(outbox, now());
    if (!due) return findNextTry(outbox, now());
    if (due.pausedUntil !== null && due.pausedUntil > now().getTime()) {
      return { at: new Date(due.pausedUntil), isHeld: false };
    }
    const { outcome, headers } = await post(outbox, due, now());
    const answeredAt = now();
    pace = paceAfter(pace, headers, answeredAt.getTime());
    switch (outcome.kind) {
      case "limited":
        log("info", "mail.limited", { waitMs: outcome.waitMs });
        return { at: new Date(answeredAt.getTime() + outcome.waitMs), isHeld: true };
      case "quota":
        return { at: await pause(outbox, outcome.quota, answeredAt), isHeld: false };
      default:
        await store(outbox, due, outcome, answeredAt);
        return "at once";
    }
  }

  return async (): Promise<NextRun | undefined> => {
    try {
      for (let sent = 0; sent < MAILS_PER_RUN; sent++) {
        const next = await sendNext();
        if (next !== "at once") return next;
      }
      return { at: now(), isHeld: false };
    } catch (error) {
      // A mail that was accepted but not stored is sent again; its idempotency key prevents a second copy.
      log("error", "mail.sending_failed", describeError(error));
      return { at: new Date(now().getTime() + AFTER_FAULT_MS), isHeld: false };
    }
  };
}

/** Returns the due mail whose turn it is (`byTurn`), and when the pause of a quota lets it leave. */
async function findNext({ db }: Outbox, now: Date) {
  const [due] = await db
    .select({
      ...getTableColumns(mailOutbox),
      pausedUntil: sql<
        number | null
      >`(SELECT ${mailPause.retryAt} FROM ${mailPause} WHERE ${mailPause.id} = 1)`,
    })
    .from(mailOutbox)
    .where(and(isWaiting(now), lte(mailOutbox.nextTryAt, now)))
    .orderBy(...byTurn)
    .limit(1);
  return due;
}

/** Returns when the next mail is due; undefined when none waits. */
async function findNextTry({ db }: Outbox, now: Date): Promise<NextRun | undefined> {
  const [next] = await db
    .select({ at: sql<number | null>`min(${mailOutbox.nextTryAt})` })
    .from(mailOutbox)
    .where(isWaiting(now));
  return next?.at ? { at: new Date(next.at), isHeld: false } : undefined;
}

/**
 * SQL condition: the mail waits, is still of use, and is of a kind that this release can write. The
 * state is written out, for the partial index.
 */
function isWaiting(now: Date): SQL | undefined {
  return and(
    sql`${mailOutbox.state} = 'waiting'`,
    gt(mailOutbox.expiresAt, now),
    idsIn(mailOutbox.kind, MAIL_KINDS),
  );
}

/** Stores that a quota is used up. Returns when one mail is tried again. */
async function pause({ db }: Outbox, quota: Quota, now: Date): Promise<Date> {
  const { until, retryAt } = pauseOf(quota, now);
  log("error", "mail.quota_used_up", { quota, until: until.toISOString() });
  await repeatable(() =>
    db
      .insert(mailPause)
      .values({ id: 1, quota, retryAt, until })
      .onConflictDoUpdate({ target: mailPause.id, set: { quota, retryAt, until } }),
  );
  return retryAt;
}

type Tried = Exclude<SendOutcome, { kind: "limited" | "quota" }>;

/** Stores the outcome of a try. A mail that was accepted ends the pause of a quota. */
async function store(
  { db }: Outbox,
  row: StoredMail & { pausedUntil: number | null },
  outcome: Tried,
  now: Date,
): Promise<void> {
  const tries = row.tries + 1;
  if (outcome.kind !== "sent") {
    log(outcome.kind === "failed" ? "error" : "warn", `mail.${outcome.kind}`, {
      mail: row.id,
      kind: row.kind,
      tries,
      reason: outcome.reason,
    });
  }
  const isStill = and(eq(mailOutbox.id, row.id), eq(mailOutbox.state, "waiting"));
  // The account is already erased, and this mail is the last data about it.
  const isLast = row.kind === FAREWELL && outcome.kind !== "retry";
  const change = isLast
    ? db.delete(mailOutbox).where(isStill)
    : db
        .update(mailOutbox)
        .set({ tries, ...changesFor(tries, outcome, now) })
        .where(isStill);
  const isAfterPause = outcome.kind === "sent" && row.pausedUntil !== null;
  await repeatable<unknown>(() =>
    isAfterPause ? db.batch([change, db.delete(mailPause)]) : change,
  );
}

function changesFor(tries: number, outcome: Tried, now: Date): Partial<StoredMail> {
  switch (outcome.kind) {
    case "sent": {
      const { providerId } = outcome;
      return { state: "sent", providerId, sentAt: now, lastError: null, payload: null };
    }
    case "retry": {
      const delay = nextTryDelayMs(tries, outcome.retryAfterMs, Math.random());
      return { nextTryAt: new Date(now.getTime() + delay), lastError: outcome.reason };
    }
    case "failed":
      // The payload stays until the mail expires, so that an operator can fix the cause and send it again.
      return { state: "failed", lastError: outcome.reason };
  }
}
