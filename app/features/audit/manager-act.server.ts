import { desc, eq, type SQL } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, user } from "../../db/schema/schema.ts";
import type { ManagerAct } from "./manager-act.tsx";

/**
 * Selects the newest audit event that meets a condition, for a batch. The actor's name and e-mail are null when the
 * actor is gone.
 */
export function selectNewestAct(db: Db, condition: SQL | undefined) {
  return db
    .select({
      id: auditEvent.id,
      action: auditEvent.action,
      at: auditEvent.createdAt,
      actorId: auditEvent.actorId,
      name: user.name,
      email: user.email,
    })
    .from(auditEvent)
    .leftJoin(user, eq(user.id, auditEvent.actorId))
    .where(condition)
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(1);
}

type ActRow = Awaited<ReturnType<typeof selectNewestAct>>[number];

/** Returns the actor and the time of an audit event. */
export function describeAct({ at, actorId, name, email }: ActRow): ManagerAct {
  const isThere = actorId !== null && email !== null;
  const actor = isThere
    ? { id: actorId, type: "user", name: name || email, email, avatar: null, isThere }
    : undefined;
  return { at, actor };
}
