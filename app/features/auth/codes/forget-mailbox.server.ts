import { and, eq, gte, inArray, lt, or, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, codeFailure, verification } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { allMailboxesOf } from "../mailbox.ts";

/**
 * Returns the statements that delete a mailbox's code limits, for the batch that erases its owner. `isDue` is the
 * condition that the erasure is still due.
 */
export async function forgetMailbox(
  { db, keys }: { db: Db; keys: Keys },
  email: string,
  isDue: SQL,
) {
  const mailboxes = await allMailboxesOf(keys, email);
  // The budget names of a mailbox's devices begin with its own name and a space; "!" is the next character after the
  // space.
  const isOfMailbox = or(
    ...mailboxes.map((mailbox) =>
      and(gte(codeEvent.budget, mailbox), lt(codeEvent.budget, `${mailbox}!`)),
    ),
  );
  return [
    db.delete(codeFailure).where(and(inArray(codeFailure.mailbox, mailboxes), isDue)),
    db.delete(codeEvent).where(and(isOfMailbox, isDue)),
    // better-auth's identifier of a sign-in code.
    db.delete(verification).where(and(eq(verification.identifier, `sign-in-otp-${email}`), isDue)),
  ] as const;
}
