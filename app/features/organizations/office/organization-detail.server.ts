import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../db/db.server.ts";
import {
  auditEvent,
  invitation,
  member,
  organization,
  organizationRepository,
  repository,
  team,
  user,
} from "../../../db/schema/schema.ts";
import { ORGANIZATION_ROLES } from "../../access/organization-permissions.ts";
import { stateOf } from "./list-options.ts";

const SHOWN_EVENTS = 20;

/** Loads an organization with everything its screen shows, in one round trip. */
export async function findOrganizationDetail(db: Db, id: string, now: Date) {
  const [organizations, members, teams, invitations, repositories, activity] = await db.batch([
    db.select().from(organization).where(eq(organization.id, id)),
    selectMembers(db, id),
    db
      .select({ id: team.id, name: team.name, memberCount: team.memberCount })
      .from(team)
      .where(eq(team.organizationId, id))
      .orderBy(asc(team.createdAt), asc(team.name)),
    selectOpenInvitations(db, id, now),
    selectRepositories(db, id),
    selectActivity(db, id),
  ]);
  const [row] = organizations;
  if (!row) return undefined;
  return {
    organization: { ...shownOf(row), state: stateOf(row) },
    members: members.map(({ banned, banExpires, deletionDueAt, ...one }) => ({
      ...one,
      isBanned: banned && (banExpires === null || banExpires > now),
      isBeingDeleted: deletionDueAt !== null,
    })),
    teams,
    invitations,
    repositories,
    activity,
  };
}

function shownOf(row: typeof organization.$inferSelect) {
  const { id, name, slug, logo, version, createdAt, lastActivityAt } = row;
  const { deletionDueAt, disabledAt, disabledReason } = row;
  return {
    ...{ id, name, slug, logo, version, createdAt, lastActivityAt },
    ...{ deletionDueAt, disabledAt, disabledReason },
  };
}

/** Statement that selects the members, owners first, with what a manager needs to know about each. */
function selectMembers(db: Db, id: string) {
  const rank = sql`instr(${ORGANIZATION_ROLES.join(",")}, ${member.role})`;
  return db
    .select({
      id: member.id,
      userId: member.userId,
      role: member.role,
      name: user.name,
      email: user.email,
      avatar: user.avatar,
      banned: user.banned,
      banExpires: user.banExpires,
      deletionDueAt: user.deletionDueAt,
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(eq(member.organizationId, id))
    .orderBy(rank, sql`${user.name} COLLATE NOCASE`, asc(user.email));
}

function selectOpenInvitations(db: Db, id: string, now: Date) {
  return db
    .select({
      id: invitation.id,
      email: invitation.email,
      role: invitation.role,
      expiresAt: invitation.expiresAt,
    })
    .from(invitation)
    .where(
      and(
        eq(invitation.organizationId, id),
        eq(invitation.status, "pending"),
        gt(invitation.expiresAt, now),
      ),
    )
    .orderBy(desc(invitation.createdAt));
}

function selectRepositories(db: Db, id: string) {
  return db
    .select({ id: repository.id, name: repository.name })
    .from(organizationRepository)
    .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
    .where(eq(organizationRepository.organizationId, id))
    .orderBy(asc(repository.nameKey));
}

/** Statement that selects the last audit events about the organization, with the name of each actor. */
function selectActivity(db: Db, id: string) {
  const actor = alias(user, "actor");
  return db
    .select({
      id: auditEvent.id,
      action: auditEvent.action,
      createdAt: auditEvent.createdAt,
      // A user without a name has an e-mail. Without an actor there is neither.
      actor: sql<string | null>`coalesce(nullif(${actor.name}, ''), ${actor.email})`.as(
        "actor_name",
      ),
    })
    .from(auditEvent)
    .leftJoin(actor, eq(actor.id, auditEvent.actorId))
    .where(and(eq(auditEvent.targetType, "organization"), eq(auditEvent.targetId, id)))
    .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
    .limit(SHOWN_EVENTS);
}
