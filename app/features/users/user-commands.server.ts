import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, isRuleViolation, isUniqueViolation } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { session, user } from "../../db/schema/schema.ts";
import { rolesOf } from "../access/permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import type { BAN_PRESETS } from "./ban-presets.ts";
import type { UserInput } from "./input.ts";
import type { User } from "./user-queries.server.ts";

const DAY_MS = 86_400_000;

/** Why a change was refused. The database itself keeps the last admin, also between two requests at one moment. */
type UserRefusal = "email_taken" | "conflict" | "own_role" | "yourself" | "last_admin";

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
    return updated.meta.changes > 0;
  });
}

/** Bans somebody and ends their sessions at once. Refused: `yourself`, `last_admin`. */
export async function banUser(
  db: Db,
  actor: Actor,
  input: { id: string; reason: string | null; duration: (typeof BAN_PRESETS)[number] },
): Promise<Result> {
  const { id, reason, duration } = input;
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  const now = actor.source.now();
  const banExpires =
    duration === "forever" ? null : new Date(now.getTime() + Number(duration) * DAY_MS);
  return attempt(id, async () => {
    const [banned] = await db.batch([
      db
        .update(user)
        .set({ banned: true, banReason: reason, banExpires, ...touched(now) })
        .where(eq(user.id, id)),
      record(db, actor, "user.banned", id, { reason, until: banExpires?.toISOString() ?? null }),
    ]);
    return banned.meta.changes > 0;
  });
}

/** Lets somebody in again. */
export async function unbanUser(db: Db, actor: Actor, id: string): Promise<Result> {
  return attempt(id, async () => {
    const [unbanned] = await db.batch([
      db
        .update(user)
        .set({ banned: false, banReason: null, banExpires: null, ...touched(actor.source.now()) })
        .where(and(eq(user.id, id), eq(user.banned, true))),
      record(db, actor, "user.unbanned", id, {}),
    ]);
    return unbanned.meta.changes > 0;
  });
}

/**
 * Deletes somebody with all that is theirs in the database, and answers the name of their picture, which is kept
 * elsewhere. Refused: `yourself`, `last_admin`.
 */
export async function deleteUser(
  db: Db,
  actor: Actor,
  id: string,
): Promise<Result & { avatar?: string | null }> {
  if (id === actor.actorId) return { ok: false, error: "yourself" };
  let avatar: string | null = null;
  const result = await attempt(id, async () => {
    const [deleted] = await db.batch([
      db.delete(user).where(eq(user.id, id)).returning({ avatar: user.avatar }),
      record(db, actor, "user.deleted", id, {}),
    ]);
    avatar = deleted[0]?.avatar ?? null;
    return deleted.length > 0;
  });
  return { ...result, avatar };
}

/** Ends one session of a user, all but one, or all; answers whether there was one. */
export async function revokeUserSessions(
  db: Db,
  actor: Actor,
  input: { userId: string; sessionId?: string; exceptSessionId?: string },
): Promise<boolean> {
  const { userId, sessionId, exceptSessionId } = input;
  const action = exceptSessionId
    ? "session.revoked_others"
    : sessionId
      ? "session.revoked"
      : "session.revoked_all";
  const [revoked] = await db.batch([
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
  ]);
  return revoked.meta.changes > 0;
}

function touched(now: Date) {
  return { updatedAt: now, version: sql`${user.version} + 1` };
}

function record(
  db: Db,
  { actorId, impersonatorId, source }: Actor,
  action: AuditAction,
  id: string,
  details: Record<string, unknown>,
) {
  return auditChange(db, source, {
    action,
    actorId,
    impersonatorId,
    target: { type: "user", id },
    details,
  });
}

/** Runs a change; answers `conflict` when it changed nothing, and the rules of the database by name. */
async function attempt(id: string, change: () => Promise<boolean>): Promise<Result> {
  try {
    return (await change()) ? { ok: true, id } : { ok: false, error: "conflict" };
  } catch (error) {
    if (isUniqueViolation(error, "user.email")) return { ok: false, error: "email_taken" };
    if (isRuleViolation(error, "LAST_ADMIN")) return { ok: false, error: "last_admin" };
    throw error;
  }
}
