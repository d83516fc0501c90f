import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, signInCode } from "../../../db/schema/schema.ts";

/**
 * Returns the statements that delete the codes and limits of mailboxes, for the batch that erases
 * their owners. `leaving` is an SQL table with the column `mailboxes`, a JSON array of hashes.
 */
export function forgetMailboxes(db: Db, leaving: SQL) {
  const hashes = sql`${leaving} AS leaving, json_each(leaving.mailboxes) AS hash`;
  // The names of a mailbox's other budgets begin with its own name and a space; "!" is the next character after the
  // space.
  const budgets = sql`SELECT event.budget FROM ${hashes}
    CROSS JOIN code_event AS event ON event.budget >= hash.value AND event.budget < hash.value || '!'`;
  return [
    db.delete(signInCode).where(sql`${signInCode.mailbox} IN (SELECT hash.value FROM ${hashes})`),
    db.delete(codeEvent).where(sql`${codeEvent.budget} IN (${budgets})`),
  ] as const;
}
