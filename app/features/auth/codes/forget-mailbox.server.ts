import { and, eq, gte, lt, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, codeFailure, verification } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { mailboxOf } from "./mailbox.ts";

/**
 * The statements that forget what is kept of a mailbox to guard its codes, for the batch that erases its owner;
 * `isDue` is that they still are to be erased.
 */
export async function forgetMailbox(
  { db, keys }: { db: Db; keys: Keys },
  email: string,
  isDue: SQL,
) {
  const mailbox = await mailboxOf(keys, email);
  // The budgets of a mailbox's devices begin with its own name and a space; "!" is the character after that.
  const isOfMailbox = and(gte(codeEvent.budget, mailbox), lt(codeEvent.budget, `${mailbox}!`));
  return [
    db.delete(codeFailure).where(and(eq(codeFailure.mailbox, mailbox), isDue)),
    db.delete(codeEvent).where(and(isOfMailbox, isDue)),
    // better-auth's name for a code to sign in with.
    db.delete(verification).where(and(eq(verification.identifier, `sign-in-otp-${email}`), isDue)),
  ] as const;
}
