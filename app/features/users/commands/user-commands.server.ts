import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import { touched } from "../../../db/changed-rows.ts";
import type { Db } from "../../../db/db.server.ts";
import { idsIn } from "../../../db/ids-in.ts";
import { invitation, session, user } from "../../../db/schema/schema.ts";
import { rolesOf } from "../../access/permissions.ts";
import type { AuditAction } from "../../audit/actions.ts";
import { type Actor, auditEach, eventBy } from "../../audit/audit.server.ts";
import { prepareUsersMail, rolesMail, type UserServices } from "./user-mail.server.ts";
import {
  attempt,
  type Result,
  selectId,
  type UserRefusal,
  userEvent,
} from "./user-record.server.ts";

type Ids = { ids: readonly string[] };
type Services = Pick<UserServices, "db" | "adminEmails">;
/** Without an end the ban lasts until it is removed. */
type Ban = { reason: string | null; banExpires: Date | null };

/** What became of each user: an error, or undefined for a change and for a state that held already. */
export type Results = Map<string, UserRefusal | undefined>;

/** Bans whose ends differ by less are the same ban: a form that is sent twice counts its days from two moments. */
const SAME_END_MS = 3_600_000;

/**
 * Bans users, and ends their sessions and their open invitations at once. A ban with the same reason and end changes
 * nothing and leaves no audit event. Errors: `yourself`, `listed_admin`, `last_admin`, `not_found`.
 */
export async function banUsers(
  { db, adminEmails }: Services,
  actor: Actor,
  { ids, reason, banExpires }: Ids & Ban,
): Promise<Results> {
  const now = actor.source.now();
  const hasEnd = banExpires
    ? sql`abs(${user.banExpires} - ${banExpires.getTime()}) < ${SAME_END_MS}`
    : sql`${user.banExpires} IS NULL`;
  // `IS NOT TRUE`, because a comparison with NULL gives NULL.
  const isOther = sql`(${user.banned} = 1 AND ${user.banReason} IS ${reason} AND ${hasEnd}) IS NOT TRUE`;
  const isChosen = and(idsIn(user.id, ids), ne(user.id, actor.actorId), isNotListed(adminEmails));
  const details = JSON.stringify({ reason, until: banExpires?.toISOString() ?? null });
  const [found] = await db.batch([
    selectEmails(db, ids),
    recordEach(db, actor, "user.banned", sql`${isChosen} AND ${isOther}`, sql`${details}`),
    db
      .update(user)
      .set({ banned: true, banReason: reason, banExpires, ...touched(now) })
      .where(and(isChosen, isOther)),
    db
      .update(invitation)
      .set({ status: "canceled", answeredAt: now })
      .where(
        and(
          idsIn(invitation.inviterId, ids),
          eq(invitation.status, "pending"),
          sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${invitation.inviterId} AND ${user.banned} = 1)`,
        ),
      ),
  ]);
  return resultsOf(actor, ids, found, { ofActor: "yourself", adminEmails });
}

/** Removes the bans of users. Errors: `not_banned`, `not_found`. */
export async function unbanUsers(db: Db, actor: Actor, ids: readonly string[]): Promise<Results> {
  const isChosen = idsIn(user.id, ids);
  const isBanned = and(isChosen, eq(user.banned, true));
  const [found, unbanned] = await db.batch([
    db.select({ id: user.id }).from(user).where(isChosen),
    recordEach(db, actor, "user.unbanned", sql`${isBanned}`),
    db
      .update(user)
      .set({ banned: false, banReason: null, banExpires: null, ...touched(actor.source.now()) })
      .where(isBanned),
  ]);
  const there = new Set(found.map(({ id }) => id));
  const changed = new Set(unbanned.map(({ id }) => id));
  const errorOf = (id: string) =>
    changed.has(id) ? undefined : there.has(id) ? "not_banned" : "not_found";
  return new Map(ids.map((id) => [id, errorOf(id)]));
}

/**
 * Sets the roles of users, and tells them by mail. Errors: `own_role`, `listed_admin` for a
 * demotion, `last_admin`, `not_found`.
 */
export async function setRoles(
  services: UserServices,
  actor: Actor,
  { ids, role }: Ids & { role: string },
): Promise<Results> {
  const { db, adminEmails } = services;
  const kept = rolesOf({ role }).includes("admin") ? [] : adminEmails;
  const isChosen = and(idsIn(user.id, ids), ne(user.id, actor.actorId), isNotListed(kept));
  const shown = (roles: SQLWrapper) =>
    sql`json_object('name', ${user.name}, 'email', ${user.email}, 'role', ${roles})`;
  const details = sql<string>`json_object('before', ${shown(user.role)}, 'after', ${shown(sql`${role}`)})`;
  const isOther = sql`${isChosen} AND ${ne(user.role, role)}`;
  const message = rolesMail(services, role);
  const mails = await prepareUsersMail(services, actor.source.now(), isOther, message);
  const [found, , mailed] = await db.batch([
    selectEmails(db, ids),
    recordEach(db, actor, "user.updated", isOther, details),
    mails.statement,
    db
      .update(user)
      .set({ role, ...touched(actor.source.now()) })
      .where(isOther),
  ]);
  mails.deliver(mailed);
  return resultsOf(actor, ids, found, { ofActor: "own_role", adminEmails: kept });
}

/**
 * Deletes users with all that the database knows of them, as after their own account deletion, and
 * their pictures after the answer. Errors: `yourself`, `listed_admin`, `last_admin`, `sole_owner`,
 * `not_found`.
 */
export async function deleteUsers(
  services: Pick<
    UserServices,
    "db" | "adminEmails" | "prepareErasure" | "deletePicture" | "afterAnswer"
  >,
  actor: Actor,
  ids: readonly string[],
): Promise<Results> {
  const { db, adminEmails, prepareErasure, deletePicture, afterAnswer } = services;
  const accounts = await selectEmails(db, ids);
  const others = accounts.filter(
    ({ id, email }) => id !== actor.actorId && !adminEmails.includes(email),
  );
  const chosen = others.map(({ id }) => id);
  const isChosen = and(idsIn(user.id, chosen), isNotListed(adminEmails));
  const [deleted] = await db.batch([
    db.select({ id: user.id, email: user.email, avatar: user.avatar }).from(user).where(isChosen),
    ...(await prepareErasure(others, actor.source.now())),
    recordEach(db, actor, "user.deleted", sql`${isChosen}`, deletedManager),
    db.delete(user).where(isChosen),
  ]);
  for (const { avatar } of deleted) if (avatar) afterAnswer(() => deletePicture(avatar));
  const found = [...deleted, ...accounts.filter(({ email }) => adminEmails.includes(email))];
  return resultsOf(actor, ids, found, { ofActor: "yourself", adminEmails });
}

/**
 * SQL condition: a user's e-mail is not in `ADMIN_EMAILS`. The operator names those people, so no
 * other admin takes their access away.
 */
function isNotListed(adminEmails: readonly string[]): SQL {
  return sql`NOT ${idsIn(user.email, adminEmails)}`;
}

/** Statement that finds out which users exist. */
function selectEmails(db: Db, ids: readonly string[]) {
  return db.select({ id: user.id, email: user.email }).from(user).where(idsIn(user.id, ids));
}

/** SQL expression: who a deleted manager was, for as long as the log keeps what they did; null for other users. */
const deletedManager = sql<string>`CASE WHEN ${user.role} <> 'user' THEN
  json_object('before', json_object('name', ${user.name}, 'email', ${user.email}, 'role', ${user.role})) END`;

/** Statement that writes an audit event for each user, before the next statement of the batch changes them. */
function recordEach(
  db: Db,
  actor: Actor,
  action: AuditAction,
  condition: SQL,
  details?: SQL<string>,
) {
  const target = { type: "user", id: sql`${user.id}` } as const;
  const event = eventBy(actor, action, { target, details });
  return auditEach(db, event, sql`FROM ${user} WHERE ${condition}`);
}

/** Returns the result of each id: none for users who were found, `ofActor` for the manager. */
function resultsOf(
  { actorId }: Actor,
  ids: readonly string[],
  found: { id: string; email: string }[],
  { ofActor, adminEmails }: { ofActor: UserRefusal; adminEmails: readonly string[] },
): Results {
  const emails = new Map(found.map(({ id, email }) => [id, email]));
  const errorOf = (id: string) => {
    if (id === actorId) return ofActor;
    const email = emails.get(id);
    if (email === undefined) return "not_found";
    return adminEmails.includes(email) ? "listed_admin" : undefined;
  };
  return new Map(ids.map((id) => [id, errorOf(id)]));
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
    const now = actor.source.now();
    const distrust = db.update(user).set({ devicesSince: now }).where(eq(user.id, userId));
    const { found } = await changeAndRecord(db, {
      before: {
        // The end of more than one session ends the trust in older browsers too, even where no session is left.
        devices: sessionId === undefined ? [distrust] : [],
      },
      change: db
        .delete(session)
        .where(
          and(
            eq(session.userId, userId),
            sessionId ? eq(session.id, sessionId) : undefined,
            exceptSessionId ? ne(session.id, exceptSessionId) : undefined,
          ),
        ),
      event: userEvent(actor, action, userId, {}),
      after: { found: selectId(db, userId) },
    });
    return found.length > 0 || "not_found";
  });
}
