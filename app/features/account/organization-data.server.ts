import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { invitation, member, organization } from "../../db/schema/schema.ts";

/**
 * Returns the statements for what a user's data says about organizations: memberships, and invitations to the user's
 * e-mail and by the user.
 */
export function selectOwnOrganizations(db: Db, { id, email }: { id: string; email: string }) {
  return [
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
    db
      .select({
        ...invitationColumns(),
        email: invitation.email,
        isFromYou: sql<number>`${invitation.inviterId} = ${id}`.as("is_from_you"),
      })
      .from(invitation)
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .where(eq(invitation.email, email)),
    // Without the e-mail of the invited, which is not the user's own.
    db
      .select(invitationColumns())
      .from(invitation)
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .where(eq(invitation.inviterId, id))
      .orderBy(desc(invitation.createdAt)),
  ] as const;
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
