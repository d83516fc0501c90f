import { and, asc, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias } from "drizzle-orm/sqlite-core";
import { isBannedAt } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { type Read, readOf } from "../../db/read.server.ts";
import {
  auditEvent,
  invitation,
  member,
  oldSlug,
  organization,
  user,
} from "../../db/schema/schema.ts";
import type { AuditRow } from "../../feature.ts";
import { roleCan } from "../access/organization-permissions.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../access/role-names.ts";
import { AUDIT_EVENTS } from "../audit/actions.ts";

/** Who asks for which organization. */
export type Visitor = { slug: string; userId: string; now: Date };

/** What every screen of an organization shows. */
export type OrganizationFrame = Awaited<ReturnType<typeof selectFrame>>[number];

/**
 * A page of an organization. Without `frame` there is no such organization, or the visitor is not a member: both answer
 * 404. `movedTo` is the slug of an organization of the visitor that had this slug until recently.
 */
type Page<Content> =
  | ({ frame: OrganizationFrame } & Content)
  | { frame: undefined; movedTo: string | undefined };

/** SQL expression: the organization's id if the visitor is a member, else NULL, so that a query finds nothing. */
export function ownId({ slug, userId }: Visitor) {
  return sql<string>`(
    SELECT ${organization.id} FROM ${organization} JOIN ${member} ON ${member.organizationId} = ${organization.id}
    WHERE ${organization.slug} = ${slug} AND ${member.userId} = ${userId}
  )`;
}

/** SQL expression for an order of members: owners, then admins, then members. */
export function byRole() {
  return sql`instr(${ORGANIZATION_ROLES.join(",")}, ${member.role})`;
}

/**
 * SQL condition: a row of `invitation` waits for a person who is no member, and a row of `member`
 * may see it.
 */
function isPending(now: Date) {
  return and(
    eq(invitation.status, "pending"),
    gt(invitation.expiresAt, now),
    isNull(invitation.memberId),
    sql`(${member.role} = 'owner' OR ${invitation.role} IS NOT 'owner')`,
  );
}

/** Statement for the frame, the first of every page's batch. */
export function selectFrame(db: Db, visitor: Visitor) {
  return db
    .select({
      id: organization.id,
      slug: organization.slug,
      name: organization.name,
      logo: organization.logo,
      role: member.role,
      memberCount: organization.memberCount,
      version: organization.version,
      createdAt: organization.createdAt,
      disabledAt: organization.disabledAt,
      disabledReason: organization.disabledReason,
      deletionDueAt: organization.deletionDueAt,
      // Invitations that the member may see. The navigation shows the count to members who may
      // invite.
      pendingCount: sql<number>`(
        SELECT count(*) FROM ${invitation}
        WHERE ${invitation.organizationId} = ${organization.id} AND ${isPending(visitor.now)}
      )`.as("pending_count"),
    })
    .from(organization)
    .innerJoin(member, eq(member.organizationId, organization.id))
    .where(and(eq(organization.slug, visitor.slug), eq(member.userId, visitor.userId)));
}

/** Statement for the organization that had the slug before, the second of every page's batch. */
export function selectMoved(db: Db, { slug, userId, now }: Visitor) {
  return db
    .select({ slug: organization.slug })
    .from(oldSlug)
    .innerJoin(organization, eq(organization.id, oldSlug.organizationId))
    .innerJoin(member, eq(member.organizationId, organization.id))
    .where(and(eq(oldSlug.slug, slug), gt(oldSlug.expiresAt, now), eq(member.userId, userId)));
}

/** Puts a page together from the rows of its batch. */
export function pageOf<Content>(
  [frame]: OrganizationFrame[],
  [moved]: { slug: string }[],
  content: Content,
): Page<Content> {
  return frame ? { frame, ...content } : { frame: undefined, movedTo: moved?.slug };
}

/**
 * Reads the frame in one batch with other statements. Undefined when the visitor is no member.
 * @public Called by the screens that `npm run new` writes.
 */
export function frameOf(visitor: Visitor): Read<OrganizationFrame | undefined> {
  return readOf(
    (db) => selectFrame(db, visitor),
    ([frame]) => frame,
  );
}

type RowsOf<Statements extends readonly BatchItem<"sqlite">[]> = {
  -readonly [At in keyof Statements]: Statements[At]["_"]["result"];
};

/** Loads the frame with the rows of others' statements. */
export async function loadFrame<const Others extends readonly BatchItem<"sqlite">[] = []>(
  db: Db,
  visitor: Visitor,
  others?: Others,
) {
  const [frames, moved, ...rows] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    ...(others ?? []),
  ]);
  // The batch answers in its order.
  return pageOf(frames, moved, { rows: rows as RowsOf<Others> });
}

/** Loads the frame with the rows of another feature's statement, which gets the organization's id. */
export async function loadFrameWith<S extends BatchItem<"sqlite">>(
  db: Db,
  visitor: Visitor,
  select: (id: SQL<string>) => S,
) {
  const [frames, moved, rows] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    select(ownId(visitor)),
  ]);
  return pageOf(frames, moved, { rows });
}

/** Loads the frame for a change, also by a slug that the organization had until recently. */
export async function loadFrameForChange(db: Db, visitor: Visitor) {
  const page = await loadFrame(db, visitor);
  if (page.frame || page.movedTo === undefined) return page;
  return loadFrame(db, { ...visitor, slug: page.movedTo });
}

const SHOWN_MEMBERS = 8;
/** Invited people on the members' page. The invitations' page has all. */
const SHOWN_PENDING = 5;
const SHOWN_EVENTS = 20;

// D1 answers the rows of a batch as objects, so of two columns with one name only the last would arrive. Such a column
// gets another name with `as`.

/** Loads the overview: the members with the widest roles, the last events, and the rows of the features' panels. */
export async function loadOverview(
  db: Db,
  visitor: Visitor,
  panels: readonly BatchItem<"sqlite">[] = [],
) {
  const id = ownId(visitor);
  const subject = alias(user, "subject");
  const [frames, moved, members, events, ...panelRows] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({
        id: member.id,
        role: member.role,
        name: user.name,
        email: user.email,
        avatar: user.avatar,
        ...standingColumns(visitor.now),
      })
      .from(member)
      .innerJoin(user, eq(user.id, member.userId))
      .where(eq(member.organizationId, id))
      .orderBy(byRole(), sql`${user.name} COLLATE NOCASE`, asc(member.id))
      .limit(SHOWN_MEMBERS),
    db
      .select({
        id: auditEvent.id,
        action: auditEvent.action,
        createdAt: auditEvent.createdAt,
        details: auditEvent.details,
        actorId: auditEvent.actorId,
        actor: user.name,
        subject: sql<string | null>`${subject.name}`.as("subject_name"),
        invitee: sql<
          string | null
        >`(SELECT email FROM invitation WHERE id = ${auditEvent.details} ->> 'invitation')`.as(
          "invitee",
        ),
      })
      .from(auditEvent)
      .leftJoin(user, eq(user.id, auditEvent.actorId))
      .leftJoin(subject, sql`${subject.id} = json_extract(${auditEvent.details}, '$.member')`)
      .where(and(eq(auditEvent.targetType, "organization"), eq(auditEvent.targetId, id)))
      .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
      .limit(SHOWN_EVENTS),
    ...panels,
  ]);
  return pageOf(frames, moved, {
    panelRows,
    members: hideStanding(members, frames[0]?.role),
    events: events.map(({ details, actorId, subject, invitee, ...event }) => {
      const newRole = newRoleOf(details);
      // A role is always somebody's; elsewhere people who act on themselves are named once.
      const isTold = newRole !== undefined || details?.member !== actorId;
      return {
        ...event,
        subject: isTold ? subject : null,
        // Only members who see the invitations may see an invited e-mail.
        thing:
          thingOf(event.action, details) ??
          (mayInvite(frames[0]?.role) ? (invitee ?? undefined) : undefined),
        newRole,
      };
    }),
  });
}

const ROWS: Readonly<Partial<Record<string, AuditRow>>> = AUDIT_EVENTS;

/** Returns the name of what an event is about from its details, as its feature says. */
function thingOf(action: string, details: Record<string, unknown> | null): string | undefined {
  const field = ROWS[action]?.about;
  const thing = field === undefined ? undefined : details?.[field];
  return typeof thing === "string" ? thing : undefined;
}

function mayInvite(role: OrganizationRole | undefined): boolean {
  return role !== undefined && roleCan(role, "invitation", "create");
}

function newRoleOf(details: Record<string, unknown> | null): OrganizationRole | undefined {
  const { role } = (details?.after ?? {}) as { role?: unknown };
  return ORGANIZATION_ROLES.find((one) => one === role);
}

/** Columns that say whether a member cannot act now. */
function standingColumns(now: Date) {
  return {
    isBanned: isBannedAt(now).mapWith(Boolean).as("is_banned"),
    isBeingDeleted: sql<number>`${user.deletionDueAt} IS NOT NULL`
      .mapWith(Boolean)
      .as("is_being_deleted"),
  };
}

/** Hides who is banned or being deleted from a visitor who does not manage members. */
function hideStanding<Row extends { isBanned: boolean; isBeingDeleted: boolean }>(
  rows: Row[],
  role: OrganizationRole | undefined,
): Row[] {
  if (role && roleCan(role, "member", "update")) return rows;
  return rows.map((row) => ({ ...row, isBanned: false, isBeingDeleted: false }));
}

/**
 * Loads all members, at most 100, by name, and for those who may invite the people who are invited.
 */
export async function loadMembers(db: Db, visitor: Visitor) {
  const [frames, moved, members, pending] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    selectMembers(db, visitor),
    db
      .select({
        id: invitation.id,
        email: invitation.email,
        role: sql<OrganizationRole | null>`${invitation.role}`.as("invited_role"),
        sentAt: invitation.sentAt,
        expiresAt: invitation.expiresAt,
      })
      .from(invitation)
      .innerJoin(member, eq(member.organizationId, invitation.organizationId))
      .where(
        and(
          eq(invitation.organizationId, ownId(visitor)),
          eq(member.userId, visitor.userId),
          isPending(visitor.now),
        ),
      )
      // An index has this order. Any other column would read all rows.
      .orderBy(desc(invitation.createdAt))
      .limit(SHOWN_PENDING),
  ]);
  const role = frames[0]?.role;
  return pageOf(frames, moved, {
    members: hideStanding(members, role),
    pending: role && roleCan(role, "invitation", "create") ? pending : [],
  });
}

/** Statement for all members of the organization, at most 100, by name. */
export function selectMembers(db: Db, visitor: Visitor) {
  return db
    .select({
      id: member.id,
      userId: member.userId,
      role: member.role,
      createdAt: member.createdAt,
      name: user.name,
      email: user.email,
      avatar: user.avatar,
      ...standingColumns(visitor.now),
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(eq(member.organizationId, ownId(visitor)))
    .orderBy(sql`${user.name} COLLATE NOCASE`, asc(member.id));
}
