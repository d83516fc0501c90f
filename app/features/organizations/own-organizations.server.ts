import { asc, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { invitation, member, organization } from "../../db/schema/schema.ts";
import { isWaiting } from "../../db/waiting-invitation.ts";
import { MAX_ORGANIZATIONS } from "./organization-limits.ts";

type OwnOrganizations = Awaited<ReturnType<typeof readOwnOrganizations>>;

/** An organization of the current user, as the navigation shows it. */
export type OwnOrganization = OwnOrganizations["organizations"][number];

/** An invitation that waits for the current user's answer. */
export type OwnInvitation = OwnOrganizations["invitations"][number];

const MOST_INVITATIONS = 20;

/** Reads the organizations of a user, by name, and the invitations that wait for the user's answer, newest first. */
export async function readOwnOrganizations(db: Db, user: { id: string; email: string }, now: Date) {
  const [organizations, invitations] = await db.batch([
    db
      .select({
        id: organization.id,
        name: organization.name,
        slug: organization.slug,
        logo: organization.logo,
        role: member.role,
        disabledAt: organization.disabledAt,
        deletionDueAt: organization.deletionDueAt,
      })
      .from(member)
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(eq(member.userId, user.id))
      .orderBy(asc(organization.name), asc(organization.id))
      .limit(MAX_ORGANIZATIONS),
    db
      .select({
        id: invitation.id,
        organization: organization.name,
        organizationId: invitation.organizationId,
        isOffer: sql<number>`${invitation.memberId} IS NOT NULL`.mapWith(Boolean).as("is_offer"),
      })
      .from(invitation)
      .innerJoin(organization, eq(organization.id, invitation.organizationId))
      .where(isWaiting(user.email, now))
      .orderBy(desc(invitation.createdAt))
      .limit(MOST_INVITATIONS),
  ]);
  return { organizations, invitations };
}
