import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../../db/db.server.ts";
import { auditEvent, invitation, member, organization, user } from "../../../db/schema/schema.ts";
import { describeEvent, selectNewestEvents } from "../../audit/audit-log.server.ts";
import { describeAct, selectNewestAct } from "../../audit/manager-act.server.ts";
import { byRole } from "../organization-page.server.ts";
import { stateOf } from "./list-options.ts";

const SHOWN_EVENTS = 20;

type Asked = {
  now: Date;
  mayReadEvents: boolean;
  /** Statements of the features' panels. */
  panels: readonly BatchItem<"sqlite">[];
};

/**
 * Loads an organization with everything its screen shows, in one round trip. `disabling` is there when the event of a
 * present disabling is, and the reader may see it.
 */
export async function findOrganizationDetail(
  db: Db,
  id: string,
  { now, mayReadEvents, panels }: Asked,
) {
  const [organizations, members, invitations, events, [disabling], ...panelRows] = await db.batch([
    db.select().from(organization).where(eq(organization.id, id)),
    selectMembers(db, id),
    selectOpenInvitations(db, id, now),
    selectNewestEvents(db, mayReadEvents ? SHOWN_EVENTS : 0, { target: id }),
    selectDisabling(db, id),
    ...panels,
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
    invitations,
    panelRows,
    events: mayReadEvents ? events.map(describeEvent) : undefined,
    disabling: mayReadEvents && disabling ? describeAct(disabling) : undefined,
  };
}

function shownOf(row: typeof organization.$inferSelect) {
  const { id, name, slug, logo, version, createdAt, lastActivityAt } = row;
  const { deletionDueAt, disabledAt, disabledReason } = row;
  return {
    id,
    name,
    slug,
    logo,
    version,
    createdAt,
    lastActivityAt,
    deletionDueAt,
    disabledAt,
    disabledReason,
  };
}

/** Statement that selects the newest disabling of an organization that is disabled. Reads no events of another one. */
function selectDisabling(db: Db, id: string) {
  const disabled = sql`(SELECT ${organization.id} FROM ${organization}
    WHERE ${organization.id} = ${id} AND ${organization.disabledAt} IS NOT NULL)`;
  return selectNewestAct(
    db,
    and(eq(auditEvent.targetId, disabled), eq(auditEvent.action, "organization.disabled")),
  );
}

/** Statement that selects the members, owners first, with what a manager needs to know about each. */
function selectMembers(db: Db, id: string) {
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
    .orderBy(byRole(), sql`${user.name} COLLATE NOCASE`, asc(user.email));
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
