import { and, desc, eq, isNull, lte, or, sql } from "drizzle-orm";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import {
  invitationLink,
  invitationLinkUser,
  member,
  organization,
  session,
  user,
} from "../../../db/schema/schema.ts";
import { HAS_PLACE, isLinkOpen } from "../../../db/waiting-invitation.ts";
import { DAY_MS } from "../../../values/time.ts";
import type { Actor } from "../../audit/audit.server.ts";
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

/**
 * Makes a link by which several people can join as members. Ended links of the organization are
 * deleted first. Errors: INVITATION_LINK_LIMIT_REACHED, and as `findRefusal`.
 */
export async function createInvitationLink(
  call: OrganizationCall,
  { uses, days }: { uses: number; days: number },
): Promise<{ ok: true; id: string } | Refusal> {
  const { db, actor, key, as } = call;
  const permission = ["invitation", "create"] as const;
  const id = crypto.randomUUID();
  const now = actor.source.now();
  const values = rowValues(invitationLink, {
    id,
    organizationId: idOf(key),
    inviterId: actor.actorId,
    maxUses: uses,
    uses: 0,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
    createdAt: now,
  });
  const isOver = or(lte(invitationLink.expiresAt, now), sql`NOT ${HAS_PLACE}`);
  return attempt(async () => {
    const {
      isChanged,
      standings: [standing],
    } = await changeAndRecord(db, {
      before: {
        ended: db
          .delete(invitationLink)
          .where(
            and(eq(invitationLink.organizationId, idOf(key)), isOver, isAllowed(call, permission)),
          ),
      },
      change: db
        .insert(invitationLink)
        .select(sql`SELECT ${values} WHERE ${isAllowed(call, permission)}`),
      event: eventIn(call, "invitation.link_created", {
        link: id,
        until: new Date(now.getTime() + days * DAY_MS).toISOString(),
      }),
      after: { standings: selectStanding(call) },
    });
    if (isChanged) return { ok: true, id };
    return findRefusal(standing, permission, as) ?? refuse("ORGANIZATION_NOT_FOUND");
  });
}

/** Ends a link at once. Errors: INVITATION_NOT_FOUND, and as `findRefusal`. */
export async function revokeInvitationLink(
  call: OrganizationCall,
  id: string,
): Promise<{ ok: true } | Refusal> {
  const { db, key, as } = call;
  const permission = ["invitation", "cancel"] as const;
  const {
    isChanged,
    standings: [standing],
  } = await changeAndRecord(db, {
    change: db
      .delete(invitationLink)
      .where(
        and(
          eq(invitationLink.id, id),
          eq(invitationLink.organizationId, idOf(key)),
          isAllowed(call, permission),
        ),
      ),
    event: eventIn(call, "invitation.link_revoked", { link: id }),
    after: { standings: selectStanding(call) },
  });
  if (isChanged) return { ok: true };
  return findRefusal(standing, permission, as) ?? refuse("INVITATION_NOT_FOUND");
}

/** Statement for the links of an organization, at most five. The newest comes first. */
export function selectInvitationLinks(db: Db, organizationId: ReturnType<typeof idOf>, now: Date) {
  return db
    .select({
      id: invitationLink.id,
      maxUses: invitationLink.maxUses,
      uses: invitationLink.uses,
      expiresAt: invitationLink.expiresAt,
      inviter: sql<string>`${user.name}`.as("inviter_name"),
      isOpen: sql<number>`(${HAS_PLACE} AND ${isLinkOpen(now)})`.mapWith(Boolean).as("is_open"),
    })
    .from(invitationLink)
    .innerJoin(user, eq(user.id, invitationLink.inviterId))
    .where(eq(invitationLink.organizationId, organizationId))
    .orderBy(desc(invitationLink.createdAt));
}

/**
 * A link as its page shows it. `isReserved` is true when the user has a place and has not joined
 * yet.
 */
export type FoundLink = NonNullable<Awaited<ReturnType<typeof findInvitationLink>>>;

/** Finds a link with its organization, and what the user is to both. */
export async function findInvitationLink(
  db: Db,
  { id, userId }: { id: string; userId: string | undefined },
  now: Date,
) {
  const [row] = await selectLink(db, id, userId ?? "", now);
  return row;
}

function selectLink(db: Db, id: string, userId: string, now: Date) {
  return db
    .select({
      id: invitationLink.id,
      organizationId: invitationLink.organizationId,
      organizationName: organization.name,
      organizationSlug: organization.slug,
      expiresAt: invitationLink.expiresAt,
      inviterName: sql<string>`${user.name}`.as("inviter_name"),
      isOpen: sql<number>`${isLinkOpen(now)}`.mapWith(Boolean).as("is_open"),
      hasPlace: sql<number>`${HAS_PLACE}`.mapWith(Boolean).as("has_place"),
      isReserved: sql<number>`EXISTS (
        SELECT 1 FROM ${invitationLinkUser} WHERE ${and(isPlaceOf(id, userId), isNull(invitationLinkUser.joinedAt))}
      )`
        .mapWith(Boolean)
        .as("is_reserved"),
      isUsed: sql<number>`EXISTS (
        SELECT 1 FROM ${invitationLinkUser} WHERE ${and(isPlaceOf(id, userId), sql`${invitationLinkUser.joinedAt} IS NOT NULL`)}
      )`
        .mapWith(Boolean)
        .as("is_used"),
      isMember: sql<number>`EXISTS (
        SELECT 1 FROM ${member} WHERE ${and(eq(member.organizationId, organization.id), eq(member.userId, userId))}
      )`
        .mapWith(Boolean)
        .as("is_member"),
    })
    .from(invitationLink)
    .innerJoin(organization, eq(organization.id, invitationLink.organizationId))
    .innerJoin(user, eq(user.id, invitationLink.inviterId))
    .where(eq(invitationLink.id, id));
}

function isPlaceOf(linkId: string, userId: string) {
  return and(eq(invitationLinkUser.linkId, linkId), eq(invitationLinkUser.userId, userId));
}

export type LinkState = "open" | "member" | "used" | "full" | "ended";

/** Returns what a link can do for the user, or for an anonymous visitor. */
export function linkStateOf(found: FoundLink | undefined): LinkState {
  if (!found) return "ended";
  if (found.isMember) return "member";
  if (!found.isOpen) return "ended";
  if (found.isUsed) return "used";
  return found.hasPlace || found.isReserved ? "open" : "full";
}

/**
 * Makes the actor a member by a link. One batch takes a place, unless the sign-up has taken it, and
 * writes the membership and its event. Of several people at once, only as many join as the link has
 * places. Errors: INVITATION_NOT_FOUND, and the limits.
 */
export async function joinByLink(
  db: Db,
  actor: Actor,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<{ ok: true; slug: string } | Refusal> {
  const now = actor.source.now();
  const userId = actor.actorId;
  const ofLink = sql`FROM ${invitationLink} WHERE ${invitationLink.id} = ${id}`;
  const organizationId = sql<string>`(SELECT ${invitationLink.organizationId} ${ofLink})`;
  const isMember = sql`EXISTS (
    SELECT 1 FROM ${member} WHERE ${member.organizationId} = ${organizationId} AND ${member.userId} = ${userId}
  )`;
  const isProven = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${userId} AND ${user.emailVerified} = 1)`;
  const mayJoin = sql`${isLinkOpen(now)} AND ${isProven} AND NOT ${isMember}`;
  const memberId = crypto.randomUUID();
  const membership = rowValues(member, {
    id: memberId,
    userId,
    createdAt: now,
    organizationId: sql`${invitationLink.organizationId}`,
    role: "member",
  });
  const isJoined = sql`EXISTS (SELECT 1 FROM ${member} WHERE ${member.id} = ${memberId})`;
  return attempt(async () => {
    const {
      isChanged,
      links: [found],
    } = await changeAndRecord(db, {
      before: {
        place: db
          .insert(invitationLinkUser)
          .select(
            sql`SELECT ${rowValues(invitationLinkUser, {
              linkId: sql`${invitationLink.id}`,
              userId,
              joinedAt: null,
            })} ${ofLink} AND ${HAS_PLACE} AND ${mayJoin}`,
          )
          .onConflictDoNothing(),
      },
      change: db.insert(member).select(
        sql`SELECT ${membership} ${ofLink} AND ${mayJoin} AND EXISTS (
            SELECT 1 FROM ${invitationLinkUser} WHERE ${and(isPlaceOf(id, userId), isNull(invitationLinkUser.joinedAt))}
          )`,
      ),
      event: eventIn({ actor, key: organizationId }, "member.joined", {
        member: userId,
        link: id,
      }),
      next: (isRecorded) => ({
        used: db
          .update(invitationLinkUser)
          .set({ joinedAt: now })
          .where(and(isPlaceOf(id, userId), sql`${isRecorded}`)),
        active: db
          .update(session)
          .set({ activeOrganizationId: organizationId, activeTeamId: null })
          .where(and(eq(session.id, sessionId), eq(session.userId, userId), isJoined)),
        last: db
          .update(user)
          .set({ lastOrganizationId: organizationId })
          .where(and(eq(user.id, userId), isJoined)),
      }),
      after: { links: selectLink(db, id, userId, now) },
    });
    if (isChanged && found) return { ok: true, slug: found.organizationSlug };
    return refuse("INVITATION_NOT_FOUND");
  });
}
