import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { passkey, session, user } from "../../db/schema/schema.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";

/** Statement that selects whether a user has a passkey: one row, or none. */
export function selectAnyPasskey(db: Db, userId: string) {
  return db.select({ id: passkey.id }).from(passkey).where(eq(passkey.userId, userId)).limit(1);
}

/**
 * Renames a passkey of the actor. False when it has this name already, undefined when the actor
 * does not have it.
 */
export async function renamePasskey(
  db: Db,
  { actorId, source }: Actor,
  id: string,
  name: string,
): Promise<boolean | undefined> {
  const { isChanged, found } = await changeAndRecord(db, {
    change: db
      .update(passkey)
      .set({ name })
      .where(and(isOwn(actorId, id), sql`${passkey.name} IS NOT ${name}`)),
    event: ownEvent(source, actorId, "passkey.renamed", { name }),
    after: { found: db.select({ id: passkey.id }).from(passkey).where(isOwn(actorId, id)) },
  });
  return found.length > 0 ? isChanged : undefined;
}

/**
 * Removes a passkey of the actor, what it proved in every session, and the trust in older browsers.
 * False when the actor does not have it.
 */
export async function removePasskey(
  db: Db,
  { actorId, source }: Actor,
  id: string,
): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db.delete(passkey).where(isOwn(actorId, id)),
    event: ownEvent(source, actorId, "passkey.removed"),
    next: (isRemoved) => ({
      devices: db
        .update(user)
        .set({ devicesSince: source.now() })
        .where(and(eq(user.id, actorId), isRemoved)),
    }),
    after: {
      proofs: db
        .update(session)
        .set({
          passkeyProvedAt: null,
          passkeyProvedBy: null,
          provedBy: sql`nullif(${session.provedBy}, 'passkey')`,
        })
        .where(and(eq(session.userId, actorId), eq(session.passkeyProvedBy, id))),
    },
  });
  return isChanged;
}

function isOwn(userId: string, id: string) {
  return and(eq(passkey.id, id), eq(passkey.userId, userId));
}
