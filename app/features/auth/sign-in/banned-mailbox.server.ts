import { and, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { bannedMailbox, user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { allMailboxesOf } from "../mailbox.ts";
import type { BanNotice } from "./ban-notice.server.ts";

type Options = { db: Db; keys: Keys };

/**
 * Returns the statements that keep a user's ban, for the batch that erases the user: the mailbox as a keyed hash, and
 * the end of the ban. Without a ban they write nothing. `isPerson` finds the user's row while the erasure is due.
 */
export async function keepBan({ db, keys }: Options, email: string, isPerson: SQL, now: Date) {
  const mailboxes = await allMailboxesOf(keys, email);
  return [
    db
      .delete(bannedMailbox)
      .where(
        and(
          inArray(bannedMailbox.mailbox, mailboxes),
          sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isPerson})`,
        ),
      ),
    db
      .insert(bannedMailbox)
      .select(
        sql`SELECT ${mailboxes[0]}, ${user.banExpires} FROM ${user} WHERE ${isPerson} AND ${isBannedAt(now)}`,
      ),
  ] as const;
}

/**
 * Returns the ban that an erased account left for a mailbox, without its reason. Returns undefined without such a ban,
 * and after the ban has ended. A ban that an earlier secret hashed gets the current hash, and so outlives that secret.
 */
export async function findMailboxBan(
  { db, keys }: Options,
  email: string,
  now: Date,
): Promise<BanNotice | undefined> {
  const { mailbox, expiresAt } = bannedMailbox;
  const mailboxes = await allMailboxesOf(keys, email);
  const [ban] = await db
    .select({ mailbox, until: expiresAt })
    .from(bannedMailbox)
    .where(and(inArray(mailbox, mailboxes), or(isNull(expiresAt), gt(expiresAt, now))));
  if (!ban) return undefined;
  if (ban.mailbox !== mailboxes[0]) {
    await db.run(
      sql`UPDATE OR IGNORE ${bannedMailbox} SET mailbox = ${mailboxes[0]} WHERE mailbox = ${ban.mailbox}`,
    );
  }
  return { reason: null, until: ban.until };
}

/** Deletes bans that have ended. */
export async function pruneBannedMailboxes(db: Db, now: Date): Promise<void> {
  await db.delete(bannedMailbox).where(lte(bannedMailbox.expiresAt, now));
}
