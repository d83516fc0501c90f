import { and, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import { isKept, keepRows, keptValue } from "../../../db/bin.server.ts";
import { changeAndRecord, recordAndChange } from "../../../db/change.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { auditEvent, bin, member, user } from "../../../db/schema/schema.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import type { AuditAction } from "../../audit/actions.ts";
import {
  attempt,
  eventIn,
  findRefusal,
  idOf,
  isAllowed,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../standing.server.ts";
import { prepareRoleMail, type RoleMailServices } from "./role-mail.server.ts";

/** How long the person who removed a member can undo it. */
const UNDO_MS = 600_000;

/** A member by the id of the membership, or by e-mail. */
export type MemberKey = { memberId: string } | { email: string };

type Done = { ok: true } | Refusal;

/** A change of one member, with the row after it; of a removed member, the last one. */
type MemberChanged = { ok: true; member: typeof member.$inferSelect } | Refusal;

/** SQL condition: a row of `member` is this member of the organization. */
export function isMember({ key }: OrganizationCall, who: MemberKey): SQL | undefined {
  const isThis =
    "memberId" in who
      ? eq(member.id, who.memberId)
      : sql`${member.userId} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${who.email})`;
  return and(eq(member.organizationId, idOf(key)), isThis);
}

/** SQL condition: the actor is an owner, or a manager. Only they may change owners and make others owners. */
export function isByOwner(call: OrganizationCall): SQL {
  const isOwner = call.as === "member" ? eq(member.role, "owner") : undefined;
  return isAllowed(call, ["member", "update"], isOwner);
}

/** SQL condition: the user of a row of `member` is neither banned nor leaving the product. */
export function canOwn(now: Date): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${user} WHERE ${user.id} = ${member.userId}
      AND ${user.deletionDueAt} IS NULL AND NOT ${isBannedAt(now)}
  )`;
}

/** Statement that finds a member, to explain a refusal. */
function selectMember(call: OrganizationCall, who: MemberKey) {
  return call.db.select().from(member).where(isMember(call, who));
}

/** SQL: a membership as it was before it ended, for `restoreMember`. */
const MEMBERSHIP = sql`json_object(
  'role', ${member.role}, 'id', ${member.id}, 'createdAt', ${member.createdAt}
)`;

/** SQL: further ids in an event of a membership. */
const IDS = sql`json_object('member', ${member.id})`;

/** A change of one member whose event holds the old role: the members that it concerns, and the event. */
function memberChange(
  call: OrganizationCall,
  action: AuditAction,
  isChange: SQL | undefined,
  newRole?: OrganizationRole,
) {
  const details = newRole
    ? sql`json_object(
        'member', ${member.userId}, 'ids', ${IDS},
        'before', json_object('role', ${member.role}), 'after', json_object('role', ${newRole})
      )`
    : sql`json_object('member', ${member.userId}, 'ids', ${IDS}, 'before', ${MEMBERSHIP})`;
  const ofMember = sql`FROM ${member} WHERE ${isChange}`;
  return {
    when: sql`EXISTS (SELECT 1 ${ofMember})`,
    event: eventIn(call, action, sql<string>`(SELECT ${details} ${ofMember})`),
  };
}

/**
 * Changes the role of a member and tells them by mail. Admins cannot change owners, and only a
 * manager makes an owner: members offer it (`offerOwnership`). Errors: MEMBER_NOT_FOUND,
 * YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER, YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER for
 * the only owner, and those of `findRefusal`.
 */
export async function changeMemberRole(
  call: OrganizationCall,
  services: RoleMailServices,
  who: MemberKey,
  role: OrganizationRole,
): Promise<MemberChanged> {
  const { db, as } = call;
  const permission = ["member", "update"] as const;
  const [organization] = await selectStanding(call);
  if (!organization) return refuse("ORGANIZATION_NOT_FOUND");
  const isChange = and(
    isMember(call, who),
    ne(member.role, role),
    isAllowed(call, permission),
    role === "owner" && as === "member" ? sql`false` : undefined,
    or(ne(member.role, "owner"), isByOwner(call)),
  );
  const mail = await prepareRoleMail(services, call, organization, { role, isChange });
  return attempt(async () => {
    const {
      isChanged,
      mails,
      standings: [standing],
      members: [found],
    } = await recordAndChange(db, {
      before: { mails: mail.statement },
      ...memberChange(call, "member.role_changed", isChange, role),
      changes: (isRecorded) => ({
        changed: db
          .update(member)
          .set({ role })
          .where(and(isMember(call, who), isRecorded)),
      }),
      after: { standings: selectStanding(call), members: selectMember(call, who) },
    });
    // Asked first, because owners who change their own role may not be allowed to any more.
    if (isChanged && found) {
      mail.deliver(mails);
      return { ok: true, member: found };
    }
    const refusal = findRefusal(standing, permission, as);
    if (refusal) return refusal;
    if (!found) return refuse("MEMBER_NOT_FOUND");
    if (found.role === role) return { ok: true, member: found };
    return refuse("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  });
}

/**
 * Removes a member. A trigger takes them out of their sessions' active organization. Errors:
 * MEMBER_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER,
 * YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER and those of `findRefusal`.
 */
export async function removeMember(call: OrganizationCall, who: MemberKey): Promise<MemberChanged> {
  const { db, actor, as } = call;
  const permission = ["member", "delete"] as const;
  const isChange = and(
    isMember(call, who),
    isAllowed(call, permission),
    or(ne(member.role, "owner"), isByOwner(call)),
  );
  const { event, when } = memberChange(call, "member.removed", isChange);
  return attempt(async () => {
    const {
      members: [before],
      removed: [removed],
      standings: [standing],
    } = await recordAndChange(db, {
      before: { members: selectMember(call, who) },
      event,
      when,
      changes: (isRecorded) => ({
        kept: keepRows(db, member, {
          kind: "member",
          where: and(isMember(call, who), isRecorded),
          until: new Date(event.createdAt.getTime() + UNDO_MS),
          beside: { removed_by: actor.actorId },
        }),
        removed: db
          .delete(member)
          .where(and(isMember(call, who), isRecorded))
          .returning(),
      }),
      after: { standings: selectStanding(call) },
    });
    if (removed) return { ok: true, member: removed };
    const refusal = findRefusal(standing, permission, as);
    if (refusal) return refusal;
    return refuse(before ? "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER" : "MEMBER_NOT_FOUND");
  });
}

/**
 * Undoes a removal that the actor made a moment ago: the member has the same id, role and date of joining again. Only
 * an owner brings an owner back, as an admin: the removal has ended the member's consent. `wasOwner` says so. Errors:
 * USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, MEMBER_NOT_FOUND when it is no such removal, it is too old, or the
 * user's account or a later membership has ended since, the limits, and those of `findRefusal`.
 */
export async function restoreMember(
  call: OrganizationCall,
  memberId: string,
): Promise<{ ok: true; wasOwner: boolean } | Refusal> {
  const { db, actor, key, as } = call;
  const permission = ["member", "delete"] as const;
  const now = actor.source.now();
  const userId = keptValue<string>("user_id");
  const isRemoval = and(
    isKept("member", [memberId], now),
    sql`${keptValue("organization_id")} = ${idOf(key)}`,
    sql`${keptValue("removed_by")} = ${actor.actorId}`,
  );
  // A membership that began and ended after the removal has an event after it.
  const hasEndedSince = sql`EXISTS (
    SELECT 1 FROM ${auditEvent} AS later
    WHERE later.target_id = ${idOf(key)} AND later.created_at > ${bin.until} - ${UNDO_MS}
      AND later.action IN ('member.removed', 'member.left') AND later.details ->> '$.member' = ${userId}
  )`;
  const role = keptValue<OrganizationRole>("role");
  const isOwnersTurn = or(sql`${role} <> 'owner'`, isByOwner(call));
  const restored = rowValues(member, {
    id: sql`${bin.id}`,
    organizationId: keptValue("organization_id"),
    userId,
    role: as === "member" ? sql`replace(${role}, 'owner', 'admin')` : role,
    createdAt: keptValue("created_at"),
  });
  const there = db
    .select()
    .from(member)
    .where(
      and(
        eq(member.organizationId, idOf(key)),
        sql`${member.userId} = (SELECT ${userId} FROM ${bin} WHERE ${isRemoval})`,
      ),
    );
  return attempt(async () => {
    const {
      isChanged,
      standings: [standing],
      existing: [existing],
      removals: [former],
    } = await changeAndRecord(db, {
      before: {
        existing: there,
        removals: db
          .select({ role: role.as("role") })
          .from(bin)
          .where(isRemoval),
      },
      change: db.insert(member).select(
        sql`SELECT ${restored} FROM ${bin} JOIN ${user} ON ${user.id} = ${userId}
          WHERE ${isRemoval} AND NOT EXISTS ${there} AND NOT ${hasEndedSince}
            AND ${and(isAllowed(call, permission), isOwnersTurn)}`,
      ),
      event: eventIn(
        call,
        "member.added",
        sql<string>`(SELECT json_object('member', ${member.userId}, 'role', ${member.role}, 'ids', ${IDS}) FROM ${member} WHERE ${isMember(call, { memberId })})`,
      ),
      next: (isRestored) => ({ taken: db.delete(bin).where(and(isRemoval, isRestored)) }),
      after: { standings: selectStanding(call) },
    });
    if (isChanged) return { ok: true, wasOwner: former?.role === "owner" };
    const code = existing ? "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION" : "MEMBER_NOT_FOUND";
    return findRefusal(standing, permission, as) ?? refuse(code);
  });
}

/** Returns the form that undoes a removal, for a toast. */
export function restoreForm(action: string, memberId: string) {
  const fields: [string, string][] = [["member", memberId]];
  return { action, intent: "restore-member", fields };
}

/** Messages for two errors of `restoreMember`: their usual texts are about other acts. */
export const RESTORE_REFUSALS = {
  MEMBER_NOT_FOUND: "organizations:toast.memberNotRestored",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "manager-organizations:refusal.tooManyOrganizations",
} as const;

/**
 * The actor leaves the organization, also one that is disabled. Errors: ORGANIZATION_NOT_FOUND,
 * YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER.
 */
export async function leaveOrganization(call: OrganizationCall): Promise<MemberChanged> {
  const { db, actor, key } = call;
  const isOwn = and(eq(member.organizationId, idOf(key)), eq(member.userId, actor.actorId));
  return attempt(async () => {
    const done = await recordAndChange(db, {
      ...memberChange(call, "member.left", isOwn),
      changes: (isRecorded) => ({
        removed: db.delete(member).where(and(isOwn, isRecorded)).returning(),
      }),
    });
    return done.removed[0]
      ? { ok: true, member: done.removed[0] }
      : refuse("ORGANIZATION_NOT_FOUND");
  });
}

/**
 * Leaves ownership to a member. An owner leaves it to another owner and becomes an admin; a manager
 * makes any member the owner, and all other owners become admins. For the only owner nothing
 * changes. A mail tells each member with a new role. Errors: MEMBER_NOT_FOUND, MEMBER_CANNOT_OWN for
 * a banned member and one whose account is being deleted,
 * YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER and those of `findRefusal`.
 */
export async function transferOwnership(
  call: OrganizationCall,
  services: RoleMailServices,
  who: MemberKey,
): Promise<Done> {
  const { db, actor, key, as } = call;
  const permission = ["member", "update"] as const;
  const [organization] = await selectStanding(call);
  if (!organization) return refuse("ORGANIZATION_NOT_FOUND");
  const mayOwn = canOwn(actor.source.now());
  const isOnlyOwner = sql`(${member.role} = 'owner' AND NOT EXISTS (
    SELECT 1 FROM member AS other
    WHERE other.organization_id = ${member.organizationId} AND other.role = 'owner' AND other.id <> ${member.id}
  ))`;
  const isDone = as === "member" ? eq(member.userId, actor.actorId) : isOnlyOwner;
  const isChange = and(
    isMember(call, who),
    isByOwner(call),
    as === "member" ? eq(member.role, "owner") : undefined,
    mayOwn,
    sql`NOT ${isDone}`,
  );
  const isFormerOwner = and(
    eq(member.organizationId, idOf(key)),
    eq(member.role, "owner"),
    as === "member" ? eq(member.userId, actor.actorId) : undefined,
    sql`NOT (${isMember(call, who)})`,
  );
  const { when, event } = memberChange(call, "member.ownership_transferred", isChange, "owner");
  const [toOwner, toFormer] = await Promise.all([
    prepareRoleMail(services, call, organization, {
      role: "owner",
      isChange: and(isChange, ne(member.role, "owner")),
    }),
    prepareRoleMail(services, call, organization, {
      role: "admin",
      isChange: and(isFormerOwner, when),
    }),
  ]);
  return attempt(async () => {
    const {
      isChanged,
      mails,
      members: [before],
      candidates: [able],
      standings: [standing],
    } = await recordAndChange(db, {
      before: {
        members: selectMember(call, who),
        candidates: db
          .select({ role: member.role })
          .from(member)
          .where(and(isMember(call, who), mayOwn)),
        mails: [toOwner.statement, toFormer.statement],
      },
      event,
      when,
      changes: (isRecorded) => ({
        made: db
          .update(member)
          .set({ role: "owner" })
          .where(and(isMember(call, who), isRecorded)),
        former: db.update(member).set({ role: "admin" }).where(and(isFormerOwner, isRecorded)),
      }),
      after: { standings: selectStanding(call) },
    });
    if (isChanged) {
      toOwner.deliver(mails.flat());
      return { ok: true };
    }
    const refusal = findRefusal(standing, permission, as);
    if (refusal) return refusal;
    if (before && !able) return refuse("MEMBER_CANNOT_OWN");
    if (able?.role === "owner") return { ok: true };
    return refuse(before ? "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER" : "MEMBER_NOT_FOUND");
  });
}

/**
 * Adds a user to the organization without an invitation, for managers. Errors: USER_NOT_FOUND,
 * USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, the limits, and those of `findRefusal`.
 */
export async function addMember(
  call: OrganizationCall,
  { email, role }: { email: string; role: OrganizationRole },
): Promise<Done> {
  const { db, actor, key, as } = call;
  const permission = ["member", "create"] as const;
  const id = crypto.randomUUID();
  const values = rowValues(member, {
    id,
    organizationId: idOf(key),
    userId: sql`${user.id}`,
    role,
    createdAt: actor.source.now(),
  });
  const userId = sql<string>`(SELECT json_object('member', ${user.id}, 'role', ${role}, 'ids', json_object('member', ${id})) FROM ${user} WHERE ${user.email} = ${email})`;
  return attempt(async () => {
    const done = await changeAndRecord(db, {
      change: db
        .insert(member)
        .select(
          sql`SELECT ${values} FROM ${user} WHERE ${user.email} = ${email} AND ${isAllowed(call, permission)}`,
        ),
      event: eventIn(call, "member.added", userId),
      after: { standings: selectStanding(call) },
    });
    if (done.isChanged) return { ok: true };
    return findRefusal(done.standings[0], permission, as) ?? refuse("USER_NOT_FOUND");
  });
}
