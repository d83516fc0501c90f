import { and, desc, eq, isNull, type Placeholder, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import {
  counter,
  member,
  organizationRepository,
  repository,
  session,
} from "../../db/schema/schema.ts";
import { EXCERPT_LENGTH, excerptOf } from "./excerpt.ts";

const RECENT_ROWS = 5;

const columns = {
  id: repository.id,
  name: repository.name,
  excerpt: sql<string | null>`substr(${repository.description}, 1, ${EXCERPT_LENGTH})`.as(
    "excerpt",
  ),
  updatedAt: repository.updatedAt,
};

/** The organization that is active in a session, while its user is a member of it. */
const isActiveMember = and(
  eq(member.organizationId, session.activeOrganizationId),
  eq(member.userId, session.userId),
);

/**
 * Statements that find the repositories that were updated last, and the total of all, by the token of the session: one
 * for a session without an active organization, one for the repositories that are shared into the active one. At
 * least one of them finds nothing.
 */
export function selectRecentRepositories(db: Db, token: Placeholder) {
  const isNewest = [desc(repository.updatedAt), desc(repository.id)];
  const all = db
    .select({ ...columns, total: sql<number>`${counter.value}`.as("total") })
    .from(session)
    .leftJoin(member, isActiveMember)
    .innerJoin(counter, eq(counter.name, "repository"))
    // Keeps the session the outer loop, so that the index gives the first rows.
    .crossJoin(repository)
    .where(and(eq(session.token, token), isNull(member.organizationId)))
    .orderBy(...isNewest)
    .limit(RECENT_ROWS);
  const shared = db
    .select({ ...columns, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(session)
    .innerJoin(member, isActiveMember)
    .innerJoin(
      organizationRepository,
      eq(organizationRepository.organizationId, member.organizationId),
    )
    .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
    .where(eq(session.token, token))
    .orderBy(...isNewest)
    .limit(RECENT_ROWS);
  return [all, shared] as const;
}

type RecentRow = { id: string; name: string; excerpt: string | null; updatedAt: Date };

export type RecentRepositories = { rows: RecentRow[]; total: number };

/** Turns the rows of both statements into the list and its total. */
export function readRecentRepositories(
  ...found: (RecentRow & { total: number })[][]
): RecentRepositories {
  const rows = found.flat();
  return {
    rows: rows.map(({ total, excerpt, ...row }) => ({ ...row, excerpt: excerptOf(excerpt) })),
    total: rows[0]?.total ?? 0,
  };
}
