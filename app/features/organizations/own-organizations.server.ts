import { asc, desc, eq, type Placeholder, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { invitation, member, organization, session, user } from "../../db/schema/schema.ts";
import { isWaiting } from "../../db/waiting-invitation.ts";
import { MAX_ORGANIZATIONS } from "./organization-limits.ts";

/** An organization of the current user, as the navigation shows it. */
export type OwnOrganization = Awaited<ReturnType<typeof selectOwnOrganizations>>[number];

/** Statement that finds the organizations of the user with this session, by name. */
export function selectOwnOrganizations(db: Db, token: Placeholder) {
  return db
    .select({
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      logo: organization.logo,
      role: member.role,
      disabledAt: organization.disabledAt,
      deletionDueAt: organization.deletionDueAt,
    })
    .from(session)
    .innerJoin(member, eq(member.userId, session.userId))
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(session.token, token))
    .orderBy(asc(organization.name), asc(organization.id))
    .limit(MAX_ORGANIZATIONS);
}

/** An invitation that waits for the current user's answer. */
export type OwnInvitation = Awaited<ReturnType<typeof selectOwnInvitations>>[number];

const MOST_INVITATIONS = 20;

/** Statement that finds the invitations that wait for the user with this session, newest first. */
export function selectOwnInvitations(db: Db, token: Placeholder, now: Placeholder) {
  return db
    .select({
      id: invitation.id,
      organization: sql<string>`${organization.name}`.as("organization"),
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .innerJoin(invitation, isWaiting(user.email, now))
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .where(eq(session.token, token))
    .orderBy(desc(invitation.createdAt))
    .limit(MOST_INVITATIONS);
}
