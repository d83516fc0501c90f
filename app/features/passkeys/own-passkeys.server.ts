import { and, eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { passkey, session } from "../../db/schema/schema.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";

/** Statement that selects whether a user has a passkey: one row, or none. */
export function selectAnyPasskey(db: Db, userId: string) {
  return db.select({ id: passkey.id }).from(passkey).where(eq(passkey.userId, userId)).limit(1);
}

/** Renames a passkey of the actor. False when the actor does not have it. */
export async function renamePasskey(
  db: Db,
  { actorId, source }: Actor,
  id: string,
  name: string,
): Promise<boolean> {
  const [renamed] = await db.batch([
    db.update(passkey).set({ name }).where(isOwn(actorId, id)).returning({ id: passkey.id }),
    auditChange(db, source, {
      action: "passkey.renamed",
      actorId,
      target: { type: "user", id: actorId },
      details: { name },
    }),
  ]);
  return renamed.length > 0;
}

/** Removes a passkey of the actor, and what it proved in every session. False when the actor does not have it. */
export async function removePasskey(
  db: Db,
  { actorId, source }: Actor,
  id: string,
): Promise<boolean> {
  const [removed] = await db.batch([
    db.delete(passkey).where(isOwn(actorId, id)).returning({ id: passkey.id }),
    auditChange(db, source, {
      action: "passkey.removed",
      actorId,
      target: { type: "user", id: actorId },
    }),
    db
      .update(session)
      .set({ passkeyProvedAt: null, passkeyProvedBy: null })
      .where(and(eq(session.userId, actorId), eq(session.passkeyProvedBy, id))),
  ]);
  return removed.length > 0;
}

function isOwn(userId: string, id: string) {
  return and(eq(passkey.id, id), eq(passkey.userId, userId));
}
