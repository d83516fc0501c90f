import { and, eq, gt, isNotNull, lt, lte, or } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { LOCAL_INBOX } from "./states.ts";
import { FAREWELL, type Outbox, readyToLeave } from "./stored-mail.server.ts";

const KEEP_DAYS = 30;

/**
 * Marks waiting mails that are past their time as expired and erases their payloads. "deletion-done" mails lose their
 * row too.
 */
export async function dropExpired({ db }: Outbox, now: Date): Promise<void> {
  const isLate = and(isInState("waiting"), lte(mailOutbox.expiresAt, now));
  const { id, kind, tries } = mailOutbox;
  const dropped = await db.batch([
    db
      .delete(mailOutbox)
      .where(and(isLate, eq(kind, FAREWELL)))
      .returning({ id, kind, tries }),
    db
      .update(mailOutbox)
      .set({ state: "expired", payload: null })
      .where(isLate)
      .returning({ id, kind, tries }),
  ]);
  for (const row of dropped.flat()) {
    log("warn", "mail.expired", { mail: row.id, kind: row.kind, tries: row.tries });
  }
}

/**
 * Makes a failed mail, or one that waits for a later try, due now, under its own idempotency key.
 * Returns false when it has expired, or there is no such mail. Of two requests at once only one
 * finds it: afterwards it is due.
 */
export async function retry(outbox: Outbox, actor: Actor, id: string): Promise<boolean> {
  const { db } = outbox;
  const now = actor.source.now();
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(mailOutbox)
      .set(readyToLeave(outbox, now))
      .where(and(eq(mailOutbox.id, id), isRetriable(now))),
    event: eventBy(actor, "mail.retried", { target: { type: "mail", id } }),
  });
  return isChanged;
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

/** SQL condition: the mail failed or waits for a later try, and has not expired. */
export function isRetriable(now: Date) {
  const { state, nextTryAt, payload, expiresAt } = mailOutbox;
  return and(
    or(eq(state, "failed"), and(eq(state, "waiting"), gt(nextTryAt, now))),
    isNotNull(payload),
    gt(expiresAt, now),
  );
}
