import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { organization } from "../../../db/schema/schema.ts";
import { exportRows } from "../../../lists/query/export-rows.server.ts";
import { readListParams } from "../../../lists/query/list-params.ts";
import { type ListQuery, SOURCES } from "../../../lists/query/list-query.server.ts";
import { listState } from "../../../lists/query/list-state.ts";
import { listOrder, onPage } from "../../../lists/query/page.server.ts";
import { listTotal, readTotal } from "../../../lists/query/total.server.ts";
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

const SORTS = {
  created: { column: organization.createdAt },
  name: { column: organization.name, by: sql`${organization.name} COLLATE NOCASE` },
  activity: { column: organization.lastActivityAt },
  members: { column: organization.memberCount },
};

const Filters = z.object({ state: z.enum(STATE_FILTERS).optional().catch(undefined) });

/** Reads the filters from the URL; unknown values are dropped. */
export function readOrganizationFilters(url: URL): OrganizationFilters {
  return Filters.parse(Object.fromEntries(url.searchParams));
}

/** Loads the list of organizations for a URL, in one round trip: rows, filters and the list's state. */
export async function loadOrganizationList(db: Db, url: URL, now: Date) {
  const params = readListParams(url, ORGANIZATION_SORTS, "desc");
  const filters = readOrganizationFilters(url);
  const limit = params.size * params.pages;
  const query: ListQuery = {
    ...params,
    ...narrowedBy(filters, params.sort, now),
    sort: { ...SORTS[params.sort], direction: params.direction },
    // One row more than the page shows whether there is a next page.
    limit: limit + 1,
  };
  const [totals, rows] = await db.batch([
    listTotal(db, SOURCES.organization, query),
    selectPage(db, query),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map((row) => {
      const { id, name, slug, logo, memberCount, createdAt, lastActivityAt } = row;
      return { id, name, slug, logo, memberCount, createdAt, lastActivityAt, state: stateOf(row) };
    }),
    filters,
    state: listState(params, {
      shown: shown.length,
      hasMore: rows.length > limit,
      total: readTotal(totals[0]?.count, query),
      cursor: last && { value: sortValue(last, params.sort), id: last.id },
    }),
  };
}

function selectPage(db: Db, query: ListQuery) {
  return db
    .select()
    .from(organization)
    .where(onPage(SOURCES.organization, query))
    .orderBy(...listOrder(SOURCES.organization, query))
    .limit(query.limit);
}

/** Yields all organizations that match a URL's search and filters, newest first, in chunks, for an export. */
export function exportOrganizations(db: Db, url: URL, now: Date) {
  const { searchTerm } = readListParams(url, ORGANIZATION_SORTS, "desc");
  const filters = readOrganizationFilters(url);
  const select = (after: ListQuery["after"], limit: number) =>
    selectPage(db, {
      searchTerm,
      ...narrowedBy(filters, "created", now),
      sort: { ...SORTS.created, direction: "desc" },
      after,
      limit,
    });
  return exportRows(select, (row) => [
    row.id,
    row.name,
    row.slug,
    stateOf(row),
    row.memberCount,
    row.createdAt,
    row.lastActivityAt,
  ]);
}

/** Returns the filters in the forms that a query needs: SQL conditions, and the rows that an index finds. */
function narrowedBy(
  { state }: OrganizationFilters,
  sort: Sort,
  now: Date,
): Pick<ListQuery, "filters" | "range"> {
  if (!state) return { filters: [] };
  const inState = conditionOf(state, now);
  const where = inState("");
  // With a unary plus SQLite uses no index for the condition.
  const hidden = inState("+");
  const isInOrder = state === "inactive" && sort === "activity";
  return {
    filters: [hidden],
    range: {
      where,
      alongOrder: [isInOrder ? where : hidden],
      isInOrder,
      rows: sql`SELECT rowid AS number FROM ${organization} WHERE ${where}`,
    },
  };
}

/** Returns a function that writes the condition of a filter, with a sign before its column. */
function conditionOf(state: (typeof STATE_FILTERS)[number], now: Date): (sign: string) => SQL {
  const inactiveSince = now.getTime() - INACTIVE_DAYS * DAY_MS;
  const written = (sign: string) => ({
    invited: sql`${sql.raw(sign)}${organization.invitedUntil} > ${now.getTime()}`,
    inactive: sql`${sql.raw(sign)}${organization.lastActivityAt} < ${inactiveSince}`,
    disabled: sql`${sql.raw(sign)}${organization.disabledAt} IS NOT NULL`,
    deletion: sql`${sql.raw(sign)}${organization.deletionDueAt} IS NOT NULL`,
  });
  return (sign) => written(sign)[state];
}

function sortValue(row: Organization, sort: Sort): string | number | null {
  const values = {
    created: row.createdAt.getTime(),
    name: row.name,
    activity: row.lastActivityAt?.getTime() ?? null,
    members: row.memberCount,
  };
  return values[sort];
}
