import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { account, passkey, user } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";

type UnlinkResult =
  | { ok: true }
  | { ok: false; code: "ACCOUNT_NOT_FOUND" | "FAILED_TO_UNLINK_LAST_ACCOUNT" };

/**
 * Unlinks a provider account. A verified e-mail always remains as a sign-in method. A user whose e-mail is not verified
 * must keep a passkey or an account at one of `providerIds`, the configured providers. Errors: ACCOUNT_NOT_FOUND,
 * FAILED_TO_UNLINK_LAST_ACCOUNT (spec section 8).
 */
export async function unlinkAccount(
  db: Db,
  actor: Actor,
  accountId: string,
  providerIds: string[],
): Promise<UnlinkResult> {
  const { actorId } = actor;
  const isTheirs = and(eq(account.id, accountId), eq(account.userId, actorId));
  const [found] = await db.select({ provider: account.providerId }).from(account).where(isTheirs);
  if (!found) return { ok: false, code: "ACCOUNT_NOT_FOUND" };

  const other = alias(account, "other");
  const remaining = [
    db
      .select({ one: sql`1` })
      .from(user)
      .where(and(eq(user.id, actorId), eq(user.emailVerified, true))),
    db.select({ one: sql`1` }).from(passkey).where(eq(passkey.userId, actorId)),
    db
      .select({ one: sql`1` })
      .from(other)
      .where(
        and(
          eq(other.userId, actorId),
          ne(other.id, accountId),
          inArray(other.providerId, providerIds),
        ),
      ),
  ];
  // The DELETE itself checks this, so that two simultaneous requests cannot each count on the other's account.
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .delete(account)
      .where(and(isTheirs, or(...remaining.map((method) => sql`EXISTS ${method}`)))),
    event: eventBy(actor, "account.unlinked", {
      target: { type: "user", id: actorId },
      details: { provider: found.provider },
    }),
  });
  return isChanged ? { ok: true } : { ok: false, code: "FAILED_TO_UNLINK_LAST_ACCOUNT" };
}
