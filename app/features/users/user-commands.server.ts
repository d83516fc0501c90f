import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, isRuleViolation, isUniqueViolation } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { session, user } from "../../db/schema/schema.ts";
import { rolesOf } from "../access/permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, auditBefore, auditChange } from "../audit/audit.server.ts";
import { type BanDuration, banEnd } from "./ban-duration.ts";
import type { UserInput } from "./input.ts";
import type { User } from "./user-queries.server.ts";

/** Why a change was refused. The database itself keeps the last admin, also between two requests at one moment. */
type UserRefusal =
  | "not_found"
  | "not_banned"
  | "email_taken"
  | "conflict"
  | "own_role"
  | "yourself"
  | "last_admin"
  | "sole_owner";

type Result = { ok: true; id: string } | { ok: false; error: UserRefusal };

/**
 * Adds somebody who has not been here yet: their address counts as verified, and they give their own name at
 * onboarding. `email_taken` when the address has an account.
 */
export async function createUser(db: Db, actor: Actor, input: UserInput): Promise<Result> {
  const id = crypto.randomUUID();
  const now = actor.source.now();
  return attempt(id, async () => {
    await db.insert(user).values({
      id,
      ...input,
      emailVerified: true,
      searchKey: searchKey(input.name, input.email),
      // Recorded by a trigger, with this as its actor.
      createdBy: actor.actorId,
      createdAt: now,
      updatedAt: now,
    });
    return true;
  });
}

/**
 * Changes name, address and role of a user who still is at `version`. A new address counts as verified. Refused:
 * `own_role`, `last_admin`, `email_taken`, and `conflict` when somebody else changed them meanwhile.
 */
export async function updateUser(
  db: Db,
  actor: Actor,
  before: User,
  input: UserInput & { version: number },
): Promise<Result> {
  const { version, name, email, role } = input;
  const keepsRole = rolesOf(before)[0] === role;
  if (before.id === actor.actorId && !keepsRole) return { ok: false, error: "own_role" };
  return attempt(before.id, async () => {
    const [updated] = await db.batch([
      db
        .update(user)
        .set({
          name,
          email,
          searchKey: searchKey(name, email),
          ...(email !== before.email && { emailVerified: true }),
          ...(!keepsRole && { role }),
          updatedAt: actor.source.now(),
          version: version + 1,
        })
        .where(and(eq(user.id, before.id), eq(user.version, version))),
      record(db, actor, "user.updated", before.id, {
        before: { name: before.name, email: before.email, role: before.role },
        after: { name, email, role },
      }),
    ]);
    return updated.meta.changes > 0 || "conflict";
  });
}

/** Bans somebody and ends their sessions at once. Refused: `yourself`, `last_admin`, `not_found`. */
export async function banUser(
  db: Db,
  actor: Actor,
  input: { id: string; reason: string | null; duration: BanDuration; until: string | undefined },
): Promise<Result> {
  const { id, reason } = input;
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  const now = actor.source.now();
  const banExpires = banEnd(input, now);
  return attempt(id, async () => {
    const [banned] = await db.batch([
      db
        .update(user)
        .set({ banned: true, banReason: reason, banExpires, ...touched(now) })
        .where(eq(user.id, id)),
      record(db, actor, "user.banned", id, { reason, until: banExpires?.toISOString() ?? null }),
    ]);
    return banned.meta.changes > 0 || "not_found";
  });
}

/** Lets somebody in again. Refused: `not_banned`, `not_found`. */
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
 * Deletes somebody with all that is theirs in the database, and answers the name of their picture, which is kept
 * elsewhere; the record keeps who that was. Refused: `yourself`, `last_admin`, `sole_owner`, `not_found`.
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

/** Ends one session of a user, all but one, or all, where there are any left. Refused: `not_found`. */
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

function selectId(db: Db, id: string) {
  return db.select({ id: user.id }).from(user).where(eq(user.id, id));
}

function touched(now: Date) {
  return { updatedAt: now, version: sql`${user.version} + 1` };
}

function record(
  db: Db,
  actor: Actor,
  action: AuditAction,
  id: string,
  details: Record<string, unknown>,
) {
  return auditChange(db, actor.source, { ...entry(actor, action, id), details });
}

function entry({ actorId, impersonatorId }: Actor, action: AuditAction, id: string) {
  return { action, actorId, impersonatorId, target: { type: "user", id } } as const;
}

/** Runs a change, which answers why it changed nothing; the rules of the database are answered by name. */
async function attempt(id: string, change: () => Promise<true | UserRefusal>): Promise<Result> {
  try {
    const result = await change();
    return result === true ? { ok: true, id } : { ok: false, error: result };
  } catch (error) {
    if (isUniqueViolation(error, "user.email")) return { ok: false, error: "email_taken" };
    if (isRuleViolation(error, "LAST_ADMIN")) return { ok: false, error: "last_admin" };
    if (isRuleViolation(error, "SOLE_OWNER")) return { ok: false, error: "sole_owner" };
    throw error;
  }
}
