import { and, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { bannedMailbox, user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { mailboxOf } from "../codes/mailbox.ts";
import type { BanNotice } from "./ban-notice.server.ts";

type Options = { db: Db; keys: Keys };

/**
 * Returns the statements that keep a user's ban, for the batch that erases the user: the mailbox as a keyed hash, and
 * the end of the ban. Without a ban they write nothing. `isPerson` finds the user's row while the erasure is due.
 */
export async function keepBan({ db, keys }: Options, email: string, isPerson: SQL, now: Date) {
  const mailbox = await mailboxOf(keys, email);
  return [
    db
      .delete(bannedMailbox)
      .where(
        and(
          eq(bannedMailbox.mailbox, mailbox),
          sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isPerson})`,
        ),
      ),
    db
      .insert(bannedMailbox)
      .select(
        sql`SELECT ${mailbox}, ${user.banExpires} FROM ${user} WHERE ${isPerson} AND ${isBannedAt(now)}`,
      ),
  ] as const;
}

/**
 * Returns the ban that an erased account left for a mailbox, without its reason. Returns undefined without such a ban,
 * and after the ban has ended.
 */
export async function findMailboxBan(
  { db, keys }: Options,
  email: string,
  now: Date,
): Promise<BanNotice | undefined> {
  const { mailbox, expiresAt } = bannedMailbox;
  const [ban] = await db
    .select({ until: expiresAt })
    .from(bannedMailbox)
    .where(
      and(eq(mailbox, await mailboxOf(keys, email)), or(isNull(expiresAt), gt(expiresAt, now))),
    );
  return ban && { reason: null, until: ban.until };
}

/** Deletes bans that have ended. */
export async function pruneBannedMailboxes(db: Db, now: Date): Promise<void> {
  await db.delete(bannedMailbox).where(lte(bannedMailbox.expiresAt, now));
}
