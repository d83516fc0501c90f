import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { invitation, organization } from "../../../db/schema/schema.ts";
import { list } from "../../../lists/query/list.server.ts";
import { SOURCES } from "../../../lists/query/list-query.server.ts";
import { DAY_MS } from "../../../values/time.ts";
import {
  INACTIVE_DAYS,
  ORGANIZATION_SORTS,
  type OrganizationFilters,
  STATE_FILTERS,
  stateOf,
} from "./list-options.ts";

/** An organization without activity sorts before all others. */
const LAST_ACTIVITY = sql`coalesce(${organization.lastActivityAt}, 0)`;

const Filters = z.object({ state: z.enum(STATE_FILTERS).optional().catch(undefined) });

/** Reads the filters from the URL; unknown values are dropped. */
export function readOrganizationFilters(url: URL): OrganizationFilters {
  return Filters.parse(Object.fromEntries(url.searchParams));
}

/** The organizations of the back-office. */
export const organizations = list({
  source: SOURCES.organization,
  select: (db, where, order) =>
    db
      .select()
      .from(organization)
      .where(where)
      .orderBy(...order),
  sorts: ORGANIZATION_SORTS,
  orders: {
    created: { by: organization.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
    name: { by: sql`${organization.name} COLLATE NOCASE`, valueOf: ({ name }) => name },
    activity: {
      by: LAST_ACTIVITY,
      valueOf: ({ lastActivityAt }) => lastActivityAt?.getTime() ?? 0,
    },
    members: { by: organization.memberCount, valueOf: ({ memberCount }) => memberCount },
  },
  readFilters: (url) => ({ filters: readOrganizationFilters(url) }),
  meets: ({ state }, _sort, { now }) => ({ filters: state ? [isInState(state, now)] : [] }),
  show: (row) => {
    const { id, name, slug, logo, memberCount, createdAt, lastActivityAt } = row;
    return { id, name, slug, logo, memberCount, createdAt, lastActivityAt, state: stateOf(row) };
  },
  file: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    "short name": ({ slug }) => slug,
    state: (row) => stateOf(row),
    members: ({ memberCount }) => memberCount,
    created: ({ createdAt }) => createdAt,
    "last activity": ({ lastActivityAt }) => lastActivityAt,
  },
});

function isInState(state: NonNullable<OrganizationFilters["state"]>, now: Date): SQL {
  const inactiveSince = now.getTime() - INACTIVE_DAYS * DAY_MS;
  const byState = {
    invited: sql`${organization.id} IN (
      SELECT ${invitation.organizationId} FROM ${invitation}
      WHERE ${and(eq(invitation.status, "pending"), gt(invitation.expiresAt, now))}
    )`,
    inactive: sql`(${organization.lastActivityAt} IS NOT NULL AND ${LAST_ACTIVITY} < ${inactiveSince})`,
    disabled: sql`${organization.disabledAt} IS NOT NULL`,
    deletion: sql`${organization.deletionDueAt} IS NOT NULL`,
  };
  return byState[state];
}
