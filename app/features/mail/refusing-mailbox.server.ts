import { and, eq, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { mailOutbox, refusingMailbox, user } from "../../db/schema/schema.ts";
import { DAY_MS } from "../../values/time.ts";
import type { MailboxRefusal } from "./delivery.ts";

/** Days that a row stays after mail was allowed again, and that the row of a mailbox without an account stays. */
const KEEP_DAYS = 30;

const { email, reason, since, allowedAt } = refusingMailbox;

/** SQL condition: no code is sent to the mailbox. A complaint alone does not lock a user out. */
export const isRefusing = sql`${allowedAt} IS NULL AND ${reason} <> 'complained'`;

/**
 * Statement that notes that the recipient of a mail refuses mail. Does nothing when mail was allowed again, or another
 * mail was delivered, after the event; so neither an old event nor a repeated one stops a mailbox that works. The
 * e-mail is the mail's, so an event about a mail that is erased stores none.
 */
export function noteRefusal(
  db: Db,
  isMail: SQL | undefined,
  refused: { reason: MailboxRefusal; note: string | null; at: Date },
) {
  const at = refused.at.getTime();
  const isComplaint = refused.reason === "complained";
  const works = sql`EXISTS (
    SELECT 1 FROM mail_outbox later WHERE later.recipient = ${mailOutbox.recipient}
      AND later.delivery = 'delivered' AND later.delivery_at > ${at}
  )`;
  return db
    .insert(refusingMailbox)
    .select(
      sql`SELECT ${rowValues(refusingMailbox, {
        email: sql`${mailOutbox.recipient}`,
        reason: refused.reason,
        note: refused.note,
        since: refused.at,
        allowedAt: null,
      })} FROM ${mailOutbox} WHERE ${isMail} AND ${isComplaint ? sql`true` : sql`NOT ${works}`}`,
    )
    .onConflictDoUpdate({
      target: email,
      set: {
        reason: sql`excluded.reason`,
        note: sql`excluded.note`,
        since: sql`excluded.since`,
        allowedAt: null,
      },
      setWhere: or(
        sql`excluded.since > ${allowedAt}`,
        and(isNull(allowedAt), eq(reason, "complained"), sql`excluded.reason <> 'complained'`),
      ),
    });
}

/** Statement that ends a refusal because a later mail was delivered. A delivery does not undo a complaint. */
export function endRefusal(db: Db, isMail: SQL | undefined, at: Date) {
  const recipient = sql`(SELECT ${mailOutbox.recipient} FROM ${mailOutbox} WHERE ${isMail})`;
  return allow(db, and(eq(email, recipient), ne(reason, "complained"), lt(since, at)), at);
}

/** Statement that ends a refusal because the provider took the mailbox off its suppression list. */
export function endSuppression(db: Db, unsuppressed: string, at: Date) {
  return allow(db, and(eq(email, unsuppressed), lt(since, at)), at);
}

/** Statement that allows mail again to the mailboxes for which `condition` holds. */
function allow(db: Db, condition: SQL | undefined, now: Date) {
  return db
    .update(refusingMailbox)
    .set({ allowedAt: now })
    .where(and(isNull(allowedAt), condition));
}

/** Deletes rows that are no longer needed. */
export async function pruneRefusingMailboxes(db: Db, now: Date): Promise<void> {
  const past = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  const hasAccount = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.email} = ${email})`;
  await db
    .delete(refusingMailbox)
    .where(or(lt(allowedAt, past), and(lt(since, past), sql`NOT ${hasAccount}`)));
}
