import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, codeFailure, verification } from "../../../db/schema/schema.ts";

/**
 * Returns the statements that delete the code limits of mailboxes, for the batch that erases their owners. `leaving` is an
 * SQL table with the columns `email` and `mailboxes`, a JSON array of hashes.
 */
export function forgetMailboxes(db: Db, leaving: SQL) {
  const hashes = sql`${leaving} AS leaving, json_each(leaving.mailboxes) AS hash`;
  // The budget names of a mailbox's devices begin with its own name and a space; "!" is the next character after the
  // space.
  const budgets = sql`SELECT event.budget FROM ${hashes}
    CROSS JOIN code_event AS event ON event.budget >= hash.value AND event.budget < hash.value || '!'`;
  return [
    db.delete(codeFailure).where(sql`${codeFailure.mailbox} IN (SELECT hash.value FROM ${hashes})`),
    db.delete(codeEvent).where(sql`${codeEvent.budget} IN (${budgets})`),
    // better-auth's identifier of a sign-in code.
    db
      .delete(verification)
      .where(
        sql`${verification.identifier} IN (SELECT 'sign-in-otp-' || leaving.email FROM ${leaving} AS leaving)`,
      ),
  ] as const;
}
