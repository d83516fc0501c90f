import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { passkey, siteSetting } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";

/** Returns since when managers need a passkey, null when they do not, and whether a user has one. One round trip. */
export async function findPasskeyRule(db: Db, userId: string) {
  const [[setting], own] = await db.batch([
    db.select({ since: siteSetting.managerPasskeysSince }).from(siteSetting),
    db.select({ id: passkey.id }).from(passkey).where(eq(passkey.userId, userId)).limit(1),
  ]);
  return { since: setting?.since ?? null, hasPasskey: own.length > 0 };
}

/**
 * Requires a passkey of managers, or no longer. Only a manager with a passkey may require one, so that no one shuts
 * themselves out. False when nothing changed.
 */
export async function requirePasskeys(db: Db, actor: Actor, isRequired: boolean): Promise<boolean> {
  const now = actor.source.now();
  const { managerPasskeysSince } = siteSetting;
  const hasOwn = sql`EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${actor.actorId})`;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(siteSetting)
      .set({ managerPasskeysSince: isRequired ? now : null, updatedAt: now })
      .where(
        isRequired ? and(isNull(managerPasskeysSince), hasOwn) : isNotNull(managerPasskeysSince),
      ),
    event: eventBy(actor, "settings.changed", {
      details: {
        before: { managerPasskeys: isRequired ? "optional" : "required" },
        after: { managerPasskeys: isRequired ? "required" : "optional" },
      },
    }),
  });
  return isChanged;
}
