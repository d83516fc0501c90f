import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../../db/db.server.ts";
import { invitation, member, organization, user } from "../../../db/schema/schema.ts";
import { isWaiting } from "../../../db/waiting-invitation.ts";
import {
  ownId,
  pageOf,
  selectFrame,
  selectMoved,
  type Visitor,
} from "../organization-page.server.ts";

import { selectInvitationLinks } from "./invitation-links.server.ts";
import { isShownTo } from "./shown-invitation.server.ts";

const SHOWN_INVITATIONS = 200;

/** Loads the latest invitations, and the rows of the features' panels. */
export async function loadInvitations(
  db: Db,
  visitor: Visitor,
  panels: readonly BatchItem<"sqlite">[],
) {
  const id = ownId(visitor);
  const [frames, moved, invitations, links, ...panelRows] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({
        id: invitation.id,
        email: invitation.email,
        role: invitation.role,
        status: invitation.status,
        expiresAt: invitation.expiresAt,
        sentAt: invitation.sentAt,
        answeredAt: invitation.answeredAt,
        teamId: invitation.teamId,
        inviter: user.name,
      })
      .from(invitation)
      .innerJoin(user, eq(user.id, invitation.inviterId))
      .where(and(eq(invitation.organizationId, id), isShownTo(visitor.userId)))
      .orderBy(desc(invitation.createdAt), desc(invitation.id))
      .limit(SHOWN_INVITATIONS),
    selectInvitationLinks(db, id, visitor.now),
    ...panels,
  ]);
  return pageOf(frames, moved, {
    panelRows,
    links,
    invitations: invitations.map(({ status, ...row }) => ({
      ...row,
      state: stateOf(status, row.expiresAt, visitor.now),
    })),
  });
}

export type InvitationState = "open" | "expired" | "accepted" | "declined" | "cancelled";

/** Returns the state of an invitation as people name it. */
function stateOf(
  status: typeof invitation.$inferSelect.status,
  expiresAt: Date,
  now: Date,
): InvitationState {
  switch (status) {
    case "pending":
      return expiresAt > now ? "open" : "expired";
    case "accepted":
      return "accepted";
    case "rejected":
      return "declined";
    case "canceled":
      return "cancelled";
  }
}

/** Loads a user's organizations by name, and the invitations that wait for an answer. */
export async function loadOwnOrganizations(
  db: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
) {
  const [organizations, invitations] = await db.batch([
    db
      .select({
        id: organization.id,
        slug: organization.slug,
        name: organization.name,
        logo: organization.logo,
        memberCount: organization.memberCount,
        role: member.role,
        disabledAt: organization.disabledAt,
        deletionDueAt: organization.deletionDueAt,
      })
      .from(member)
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(eq(member.userId, userId))
      .orderBy(sql`${organization.name} COLLATE NOCASE`, asc(organization.id)),
    db
      .select({
        id: invitation.id,
        role: invitation.role,
        expiresAt: invitation.expiresAt,
        name: organization.name,
        logo: organization.logo,
        inviter: sql<string>`${user.name}`.as("inviter_name"),
      })
      .from(invitation)
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .innerJoin(user, eq(user.id, invitation.inviterId))
      .where(isWaiting(email, now))
      .orderBy(desc(invitation.createdAt)),
  ]);
  return { organizations, invitations };
}
