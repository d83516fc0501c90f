import { and, eq, ne, sql } from "drizzle-orm";
import { touched } from "../../../db/changed-rows.ts";
import type { Db } from "../../../db/db.server.ts";
import { session, user } from "../../../db/schema/schema.ts";
import { type Actor, auditBefore } from "../../audit/audit.server.ts";
import { type BanDuration, banEnd } from "./ban-duration.ts";
import { attempt, entry, type Result, record, selectId } from "./user-record.server.ts";

/** Bans whose ends differ by less are the same ban: a form that is sent twice counts its days from two moments. */
const SAME_END_MS = 3_600_000;

/**
 * Bans a user and ends the user's sessions at once. A ban with the same reason and end changes nothing and leaves no
 * audit event. Errors: `yourself`, `last_admin`, `not_found`.
 */
export async function banUser(
  db: Db,
  actor: Actor,
  input: { id: string; reason: string | null; duration: BanDuration; until: string | undefined },
): Promise<Result> {
  const { id, reason } = input;
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  const now = actor.source.now();
  const banExpires = banEnd(input, now);
  const hasEnd = banExpires
    ? sql`abs(${user.banExpires} - ${banExpires.getTime()}) < ${SAME_END_MS}`
    : sql`${user.banExpires} IS NULL`;
  const isSame = sql`(${user.banned} = 1 AND ${user.banReason} IS ${reason} AND ${hasEnd})`;
  return attempt(id, async () => {
    const [, , found] = await db.batch([
      db
        .update(user)
        .set({ banned: true, banReason: reason, banExpires, ...touched(now) })
        // `IS NOT TRUE`, because a comparison with NULL gives NULL.
        .where(and(eq(user.id, id), sql`${isSame} IS NOT TRUE`)),
      record(db, actor, "user.banned", id, { reason, until: banExpires?.toISOString() ?? null }),
      selectId(db, id),
    ]);
    return found.length > 0 || "not_found";
  });
}

/** Removes a ban. Errors: `not_banned`, `not_found`. */
export async function unbanUser(db: Db, actor: Actor, id: string): Promise<Result> {
  return attempt(id, async () => {
    const [unbanned, , found] = await db.batch([
      db
        .update(user)
        .set({ banned: false, banReason: null, banExpires: null, ...touched(actor.source.now()) })
        .where(and(eq(user.id, id), eq(user.banned, true))),
      record(db, actor, "user.unbanned", id, {}),
      selectId(db, id),
    ]);
    return unbanned.meta.changes > 0 || (found.length > 0 ? "not_banned" : "not_found");
  });
}

/**
 * Deletes a user with all their data in the database. Returns the file name of their picture, which is stored
 * elsewhere. The audit event identifies the deleted user. Errors: `yourself`, `last_admin`, `sole_owner`, `not_found`.
 */
export async function deleteUser(
  db: Db,
  actor: Actor,
  id: string,
): Promise<Result & { avatar?: string | null }> {
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  let avatar: string | null = null;
  const result = await attempt(id, async () => {
    const ofUser = sql`FROM ${user} WHERE ${user.id} = ${id}`;
    const [, deleted] = await db.batch([
      auditBefore(
        db,
        actor.source,
        {
          ...entry(actor, "user.deleted", id),
          details: sql`(SELECT json_object('name', ${user.name}, 'email', ${user.email}) ${ofUser})`,
        },
        sql`EXISTS (SELECT 1 ${ofUser})`,
      ),
      db.delete(user).where(eq(user.id, id)).returning({ avatar: user.avatar }),
    ]);
    avatar = deleted[0]?.avatar ?? null;
    return deleted.length > 0 || "not_found";
  });
  return { ...result, avatar };
}

/** Ends one session of a user, all but one, or all. Errors: `not_found`. */
export async function revokeUserSessions(
  db: Db,
  actor: Actor,
  input: { userId: string; sessionId?: string; exceptSessionId?: string },
): Promise<Result> {
  const { userId, sessionId, exceptSessionId } = input;
  const action = exceptSessionId
    ? "session.revoked_others"
    : sessionId
      ? "session.revoked"
      : "session.revoked_all";
  return attempt(userId, async () => {
    const [, , found] = await db.batch([
      db
        .delete(session)
        .where(
          and(
            eq(session.userId, userId),
            sessionId ? eq(session.id, sessionId) : undefined,
            exceptSessionId ? ne(session.id, exceptSessionId) : undefined,
          ),
        ),
      record(db, actor, action, userId, {}),
      selectId(db, userId),
    ]);
    return found.length > 0 || "not_found";
  });
}
