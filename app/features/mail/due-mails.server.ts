import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { isInState } from "../../db/mail-criteria.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import { deliver, type Outbox } from "./mail-delivery.server.ts";
import { FAREWELL, LEASE_MS, LOCAL_INBOX } from "./stored-mail.server.ts";

const BATCH_SIZE = 25;
const KEEP_DAYS = 30;

/**
 * Sends up to 25 due mails and returns how many it took; called by the cron. Expired mails are dropped first, so they
 * do not take up the batch. Mails with the shortest validity come first, so one-time codes go before notices. Within
 * the same validity the newest goes first: after an outage the oldest code would expire before its recipient could
 * enter it.
 */
export async function sendDue(outbox: Outbox, now: Date): Promise<number> {
  const { db } = outbox;
  await dropExpired(outbox, now);
  const due = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(isWaiting(now), lte(mailOutbox.nextTryAt, now)))
    .orderBy(sql`${mailOutbox.expiresAt} - ${mailOutbox.createdAt}`, desc(mailOutbox.createdAt))
    .limit(BATCH_SIZE);
  const taken = await db
    .update(mailOutbox)
    .set({ leasedUntil: new Date(now.getTime() + LEASE_MS), tries: sql`${mailOutbox.tries} + 1` })
    .where(inArray(mailOutbox.id, due))
    .returning();
  await Promise.all(taken.map((row) => deliver(outbox, row, now)));
  return taken.length;
}

/**
 * Marks waiting mails that are past their time as expired and erases their payloads. "deletion-done" mails lose their
 * row too.
 */
async function dropExpired({ db }: Outbox, now: Date): Promise<void> {
  const isLate = and(isWaiting(now), lte(mailOutbox.expiresAt, now));
  const { id, kind, tries } = mailOutbox;
  const dropped = await db.batch([
    db
      .delete(mailOutbox)
      .where(and(isLate, eq(kind, FAREWELL)))
      .returning({ id, kind, tries }),
    db
      .update(mailOutbox)
      .set({ state: "expired", payload: null, leasedUntil: null })
      .where(isLate)
      .returning({ id, kind, tries }),
  ]);
  for (const row of dropped.flat()) {
    log("warn", "mail.expired", { mail: row.id, kind: row.kind, tries: row.tries });
  }
}

/**
 * Takes a waiting or failed mail that has not expired for another try under its own idempotency key. Returns the
 * function that makes the try, or undefined when there is nothing to take. It leases the row, so only one of two
 * simultaneous requests gets it.
 */
export async function retry(
  outbox: Outbox,
  actor: Actor,
  id: string,
): Promise<(() => Promise<void>) | undefined> {
  const { db } = outbox;
  const now = actor.source.now();
  const [taken] = await db.batch([
    db
      .update(mailOutbox)
      .set({
        state: "waiting",
        tries: sql`${mailOutbox.tries} + 1`,
        nextTryAt: now,
        leasedUntil: new Date(now.getTime() + LEASE_MS),
      })
      .where(and(eq(mailOutbox.id, id), isRetriable(now)))
      .returning(),
    auditChange(db, actor.source, {
      action: "mail.retried",
      actorId: actor.actorId,
      impersonatorId: actor.impersonatorId,
      target: { type: "mail", id },
    }),
  ]);
  const [row] = taken;
  return row && (() => deliver(outbox, row, now));
}

/**
 * Erases old data: payloads of failed mails once they expire, payloads of the local inbox after a day, rows after 30
 * days.
 */
export async function prune({ db, resend }: Outbox, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.batch([
    db
      .update(mailOutbox)
      .set({ payload: null })
      .where(
        and(isInState("failed"), isNotNull(mailOutbox.payload), lte(mailOutbox.expiresAt, now)),
      ),
    db.delete(mailOutbox).where(lt(mailOutbox.createdAt, daysAgo(KEEP_DAYS))),
  ]);
  // With a provider the local inbox is empty, and this query would read the whole table.
  if (resend) return;
  await db
    .update(mailOutbox)
    .set({ payload: null })
    .where(and(lt(mailOutbox.createdAt, daysAgo(1)), eq(mailOutbox.providerId, LOCAL_INBOX)));
}

/** SQL condition: the mail is neither sent nor expired, and no other try holds it. */
export function isRetriable(now: Date) {
  return and(
    inArray(mailOutbox.state, ["waiting", "failed"]),
    isNotNull(mailOutbox.payload),
    gt(mailOutbox.expiresAt, now),
    or(isNull(mailOutbox.leasedUntil), lte(mailOutbox.leasedUntil, now)),
  );
}

/** SQL condition: the mail is waiting and no other try holds it. */
function isWaiting(now: Date) {
  return and(
    isInState("waiting"),
    or(isNull(mailOutbox.leasedUntil), lt(mailOutbox.leasedUntil, now)),
  );
}
