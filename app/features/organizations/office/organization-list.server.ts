import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { invitation, organization } from "../../../db/schema/schema.ts";
import { exportRows } from "../../../lists/query/export-rows.server.ts";
import { readListParams } from "../../../lists/query/list-params.ts";
import { type After, type Order, SOURCES } from "../../../lists/query/list-query.server.ts";
import { listState } from "../../../lists/query/list-state.ts";
import { onPage, orderBy, readPage } from "../../../lists/query/page.server.ts";
import { choosePlan, type Plan, readTotal, selectTotal } from "../../../lists/query/plan.server.ts";
import { DAY_MS } from "../../../values/time.ts";
import {
  INACTIVE_DAYS,
  ORGANIZATION_SORTS,
  type OrganizationFilters,
  STATE_FILTERS,
  stateOf,
} from "./list-options.ts";

type Sort = (typeof ORGANIZATION_SORTS)[number];
type Organization = typeof organization.$inferSelect;

/** An organization without activity sorts before all others. */
const LAST_ACTIVITY = sql`coalesce(${organization.lastActivityAt}, 0)`;

const ORDERS = {
  created: { by: organization.createdAt },
  name: { by: sql`${organization.name} COLLATE NOCASE` },
  activity: { by: LAST_ACTIVITY },
  members: { by: organization.memberCount },
};

const Filters = z.object({ state: z.enum(STATE_FILTERS).optional().catch(undefined) });

/** Reads the filters from the URL; unknown values are dropped. */
export function readOrganizationFilters(url: URL): OrganizationFilters {
  return Filters.parse(Object.fromEntries(url.searchParams));
}

/**
 * Loads the list of organizations for a URL: rows, filters and the list's state. One round trip, or two with a search
 * term.
 */
export async function loadOrganizationList(db: Db, url: URL, now: Date) {
  const params = readListParams(url, ORGANIZATION_SORTS, "desc");
  const filters = readOrganizationFilters(url);
  const { searchTerm, sort, direction, after } = params;
  const limit = params.size * params.pages;
  const order: Order = { ...ORDERS[sort], direction };
  const criteria = { searchTerm, filters: conditionsOf(filters, now) };
  const plan = await choosePlan(db, SOURCES.organization, criteria, order);
  const [found, totals] = await db.batch([
    // One row more than the page shows whether there is a next page.
    selectOrganizations(db, plan, order, { after, limit: limit + 1 }),
    selectTotal(db, SOURCES.organization, plan),
  ]);
  const { rows, last, hasMore } = readPage(found, limit);
  return {
    rows: rows.map((row) => {
      const { id, name, slug, logo, memberCount, createdAt, lastActivityAt } = row;
      return { id, name, slug, logo, memberCount, createdAt, lastActivityAt, state: stateOf(row) };
    }),
    filters,
    state: listState(params, {
      shown: rows.length,
      hasMore,
      total: readTotal(totals, plan.where !== undefined),
      cursor: last && { value: sortValue(last, sort), id: last.id },
    }),
  };
}

function selectOrganizations(
  db: Db,
  plan: Plan,
  order: Order,
  page: { after: After; limit: number },
) {
  return db
    .select()
    .from(organization)
    .where(onPage(organization.id, plan, order, page))
    .orderBy(...orderBy(order, organization.id));
}

/** Yields all organizations that match a URL's search and filters, newest first, in chunks, for an export. */
export async function* exportOrganizations(db: Db, url: URL, now: Date) {
  const { searchTerm } = readListParams(url, ORGANIZATION_SORTS, "desc");
  const order: Order = { ...ORDERS.created, direction: "desc" };
  const criteria = { searchTerm, filters: conditionsOf(readOrganizationFilters(url), now) };
  const plan = await choosePlan(db, SOURCES.organization, criteria, order);
  yield* exportRows(
    (after, limit) => selectOrganizations(db, plan, order, { after, limit }),
    (row) => [
      row.id,
      row.name,
      row.slug,
      stateOf(row),
      row.memberCount,
      row.createdAt,
      row.lastActivityAt,
    ],
  );
}

function conditionsOf({ state }: OrganizationFilters, now: Date): SQL[] {
  if (!state) return [];
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
  return [byState[state]];
}

function sortValue(row: Organization, sort: Sort): string | number {
  const values = {
    created: row.createdAt.getTime(),
    name: row.name,
    activity: row.lastActivityAt?.getTime() ?? 0,
    members: row.memberCount,
  };
  return values[sort];
}
