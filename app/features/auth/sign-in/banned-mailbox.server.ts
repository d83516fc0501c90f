import { and, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { idsIn } from "../../../db/ids-in.ts";
import { rowValues } from "../../../db/row-values.ts";
import { bannedMailbox, user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { allMailboxesOf } from "../mailbox.ts";
import type { BanNotice } from "./ban-notice.server.ts";

type Options = { db: Db; keys: Keys };

/**
 * Returns the statements that keep the bans of users, for the batch that erases them: the mailbox
 * as a keyed hash, and the end of the ban. `leaving` is an SQL table of the users with the columns
 * `id` and `mailboxes`, a JSON array of hashes.
 */
export function keepBans(db: Db, leaving: SQL, now: Date) {
  const hashes = sql`(SELECT hash.value FROM ${leaving} AS leaving, json_each(leaving.mailboxes) AS hash)`;
  return [
    db.delete(bannedMailbox).where(sql`${bannedMailbox.mailbox} IN ${hashes}`),
    db.insert(bannedMailbox).select(
      sql`SELECT ${rowValues(bannedMailbox, {
        mailbox: sql`leaving.mailboxes ->> 0`,
        expiresAt: sql`${user.banExpires}`,
      })} FROM ${leaving} AS leaving JOIN ${user} ON ${user.id} = leaving.id WHERE ${isBannedAt(now)}`,
    ),
  ] as const;
}

/** Query for the bans that erased accounts have left for a mailbox, by its hashes. */
export function selectMailboxBans(db: Db, mailboxes: string[], now: Date) {
  const { mailbox, expiresAt } = bannedMailbox;
  return db
    .select({ mailbox, until: expiresAt })
    .from(bannedMailbox)
    .where(and(inArray(mailbox, mailboxes), or(isNull(expiresAt), gt(expiresAt, now))));
}

export type MailboxBan = Awaited<ReturnType<typeof selectMailboxBans>>[number];

/**
 * Returns the ban that an erased account left for a mailbox, without its reason, or undefined. If
 * the ban was stored under a hash of an earlier secret, it is stored anew under the current one, so
 * that the earlier secret can be removed.
 */
export async function keepMailboxBan(
  { db, keys }: Options,
  email: string,
  [ban]: MailboxBan[],
): Promise<BanNotice | undefined> {
  if (!ban) return undefined;
  const mailboxes = await allMailboxesOf(keys, email);
  if (ban.mailbox !== mailboxes[0]) {
    await db.run(
      sql`UPDATE OR IGNORE ${bannedMailbox} SET mailbox = ${mailboxes[0]} WHERE mailbox = ${ban.mailbox}`,
    );
  }
  return { reason: null, until: ban.until };
}

/** Returns those of some e-mails whose mailbox is banned by an erased account. */
export async function findBannedEmails(
  { db, keys }: Options,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const hashed = await Promise.all(
    emails.map(async (email) => ({ email, hashes: await allMailboxesOf(keys, email) })),
  );
  const { mailbox, expiresAt } = bannedMailbox;
  const isOne = idsIn(
    mailbox,
    hashed.flatMap(({ hashes }) => hashes),
  );
  const bans = await db
    .select({ mailbox })
    .from(bannedMailbox)
    .where(and(isOne, or(isNull(expiresAt), gt(expiresAt, now))));
  const banned = new Set(bans.map((ban) => ban.mailbox));
  const isBanned = ({ hashes }: { hashes: string[] }) => hashes.some((hash) => banned.has(hash));
  return new Set(hashed.filter(isBanned).map(({ email }) => email));
}

/** Deletes bans that have ended. */
export async function pruneBannedMailboxes(db: Db, now: Date): Promise<void> {
  await db.delete(bannedMailbox).where(lte(bannedMailbox.expiresAt, now));
}
