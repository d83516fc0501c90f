import { sql } from "drizzle-orm";
import { href } from "react-router";
import { invitation, member, type organization, user } from "../../../db/schema/schema.ts";
import type { ORGANIZATION } from "../../organizations/api/own-organization.server.ts";

// Rows as the plugin answers them. Dates become ISO strings in JSON.

type OrganizationRow = Pick<typeof organization.$inferSelect, keyof typeof ORGANIZATION>;

/** Returns an organization for a client, with the URL of its logo. */
export function shownOrganization(row: OrganizationRow, baseUrl: string) {
  const { id, name, slug, logo, metadata, createdAt } = row;
  return {
    id,
    name,
    slug,
    createdAt,
    logo: logo && baseUrl + href("/logos/:file", { file: logo }),
    metadata: metadata === null ? null : JSON.parse(metadata),
  };
}

const MEMBER = {
  id: member.id,
  organizationId: member.organizationId,
  userId: member.userId,
  role: member.role,
  createdAt: member.createdAt,
};

/** Columns of a member with the user; the query joins `user`. */
export const MEMBER_WITH_USER = {
  ...MEMBER,
  user: {
    // In a batch, columns with equal names would become one column.
    id: sql<string>`${user.id}`.as("member_user_id"),
    name: user.name,
    email: user.email,
    image: user.image,
  },
};

export const INVITATION = {
  id: invitation.id,
  organizationId: invitation.organizationId,
  email: invitation.email,
  role: invitation.role,
  status: invitation.status,
  teamId: invitation.teamId,
  inviterId: invitation.inviterId,
  expiresAt: invitation.expiresAt,
  createdAt: invitation.createdAt,
};

type InvitationRow = Pick<typeof invitation.$inferSelect, keyof typeof INVITATION>;

export function shownInvitation(row: InvitationRow) {
  const { id, organizationId, email, role, status, teamId, inviterId, expiresAt, createdAt } = row;
  return { id, organizationId, email, role, status, teamId, inviterId, expiresAt, createdAt };
}
