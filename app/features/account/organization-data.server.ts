import { desc, eq, sql } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import {
  invitation,
  invitationLink,
  invitationLinkUser,
  member,
  organization,
} from "../../db/schema/schema.ts";

/** What a user's data says about organizations: memberships, and invitations by the user and to the user's e-mail. */
export function ownOrganizations({ id, email }: { id: string; email: string }) {
  return {
    organizations: readOf(
      (db) =>
        db
          .select({
            id: organization.id,
            name: organization.name,
            slug: organization.slug,
            role: member.role,
            joinedAt: member.createdAt,
          })
          .from(member)
          .innerJoin(organization, eq(organization.id, member.organizationId))
          .where(eq(member.userId, id)),
      (rows) => rows,
    ),
    // Without the e-mail of the invited, which is not the user's own.
    sentInvitations: readOf(
      (db) =>
        db
          .select(invitationColumns())
          .from(invitation)
          .innerJoin(organization, eq(organization.id, invitation.organizationId))
          .where(eq(invitation.inviterId, id))
          .orderBy(desc(invitation.createdAt)),
      (rows) => rows,
    ),
    invitationLinks: readOf(
      (db) =>
        db
          .select({
            id: invitationLink.id,
            organization: sql<string>`${organization.name}`.as("organization_name"),
            maxUses: invitationLink.maxUses,
            uses: invitationLink.uses,
            expiresAt: invitationLink.expiresAt,
            createdAt: invitationLink.createdAt,
          })
          .from(invitationLink)
          .innerJoin(organization, eq(organization.id, invitationLink.organizationId))
          .where(eq(invitationLink.inviterId, id)),
      (rows) => rows,
    ),
    usedInvitationLinks: readOf(
      (db) =>
        db
          .select({ id: invitationLinkUser.linkId, joinedAt: invitationLinkUser.joinedAt })
          .from(invitationLinkUser)
          .where(eq(invitationLinkUser.userId, id)),
      (rows) => rows,
    ),
    invitations: readOf(
      (db) =>
        db
          .select({
            ...invitationColumns(),
            email: invitation.email,
            isFromYou: sql<number>`${invitation.inviterId} = ${id}`.as("is_from_you"),
          })
          .from(invitation)
          .innerJoin(organization, eq(organization.id, invitation.organizationId))
          .where(eq(invitation.email, email)),
      (rows) => rows.map(({ isFromYou, ...one }) => ({ ...one, isFromYou: isFromYou === 1 })),
    ),
  };
}

/** In a batch, columns with equal names would become one, so the organization's name has an alias. */
function invitationColumns() {
  return {
    id: invitation.id,
    organization: sql<string>`${organization.name}`.as("organization_name"),
    role: invitation.role,
    status: invitation.status,
    sends: invitation.sends,
    sentAt: invitation.sentAt,
    answeredAt: invitation.answeredAt,
    expiresAt: invitation.expiresAt,
    createdAt: invitation.createdAt,
  };
}
