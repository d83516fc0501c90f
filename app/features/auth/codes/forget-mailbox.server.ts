import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, signInCode, signInStep } from "../../../db/schema/schema.ts";
import { isStepOf } from "./sign-in-steps.server.ts";

/**
 * Returns the statements that delete the codes, the limits and the steps of mailboxes, for the
 * batch that erases their owners. `leaving` is an SQL table with the column `mailboxes`, a JSON
 * array of hashes.
 */
export function forgetMailboxes(db: Db, leaving: SQL, now: Date) {
  const hashes = sql`${leaving} AS leaving, json_each(leaving.mailboxes) AS hash`;
  // The names of a mailbox's other budgets begin with its own name and a space; "!" is the next character after the
  // space.
  const budgets = sql`SELECT event.budget FROM ${hashes}
    CROSS JOIN code_event AS event ON event.budget >= hash.value AND event.budget < hash.value || '!'`;
  return [
    db.delete(signInCode).where(sql`${signInCode.mailbox} IN (SELECT hash.value FROM ${hashes})`),
    db.delete(signInStep).where(isStepOf(sql`SELECT hash.value FROM ${hashes}`, now)),
    db.delete(codeEvent).where(sql`${codeEvent.budget} IN (${budgets})`),
  ] as const;
}
