import { and, asc, eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { member, organization } from "../../db/schema/schema.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { organizationRepository } from "../sharing/tables.server.ts";
import { repository } from "./tables.server.ts";

const SHOWN_EVENTS = 10;
const SHOWN_ORGANIZATIONS = 20;

/** What a manager may see beside the repository itself. */
type Rights = { mayReadEvents: boolean; mayReadOrganizations: boolean };

/**
 * Loads a repository with its newest events and the first organizations it is shared with, in one round trip. A part
 * that the manager may not see is undefined. Undefined when there is no such repository.
 */
export async function findRepositoryOverview(db: Db, id: string, rights: Rights) {
  const { mayReadEvents, mayReadOrganizations } = rights;
  const [[row], events, organizations] = await db.batch([
    db.select().from(repository).where(eq(repository.id, id)),
    selectNewestEvents(db, mayReadEvents ? SHOWN_EVENTS : 0, { target: id }),
    db
      .select({
        ...{ id: organization.id, name: organization.name, logo: organization.logo },
        ...{ disabledAt: organization.disabledAt, deletionDueAt: organization.deletionDueAt },
      })
      .from(organizationRepository)
      .innerJoin(organization, eq(organization.id, organizationRepository.organizationId))
      .where(eq(organizationRepository.repositoryId, id))
      .orderBy(asc(organization.name), asc(organization.id))
      .limit(mayReadOrganizations ? SHOWN_ORGANIZATIONS + 1 : 0),
  ]);
  if (!row) return undefined;
  return {
    repository: row,
    events: mayReadEvents ? events.map(describeEvent) : undefined,
    organizations: mayReadOrganizations
      ? {
          shown: organizations.slice(0, SHOWN_ORGANIZATIONS),
          hasMore: organizations.length > SHOWN_ORGANIZATIONS,
        }
      : undefined,
  };
}

/**
 * Loads a repository with the user's own organizations that it is shared with, in one round trip. Undefined when there
 * is no such repository.
 */
export async function findRepositoryFor(db: Db, userId: string, id: string) {
  const [[row], organizations] = await db.batch([
    db.select().from(repository).where(eq(repository.id, id)),
    db
      .select({ slug: organization.slug, name: organization.name })
      .from(member)
      .innerJoin(
        organizationRepository,
        and(
          eq(organizationRepository.organizationId, member.organizationId),
          eq(organizationRepository.repositoryId, id),
        ),
      )
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(eq(member.userId, userId))
      .orderBy(asc(organization.name), asc(organization.id)),
  ]);
  return row && { repository: row, organizations };
}
