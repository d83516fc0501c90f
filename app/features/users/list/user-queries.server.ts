import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { momentsOf } from "../../../lists/query/day-range.ts";
import { exportRows } from "../../../lists/query/export-rows.server.ts";
import { readListParams } from "../../../lists/query/list-params.ts";
import {
  type After,
  type Criteria,
  type Order,
  SOURCES,
} from "../../../lists/query/list-query.server.ts";
import { listState } from "../../../lists/query/list-state.ts";
import { onPage, orderBy, readPage } from "../../../lists/query/page.server.ts";
import { choosePlan, type Plan, readTotal, selectTotal } from "../../../lists/query/plan.server.ts";
import { DEFAULT_ROLE, rolesOf } from "../../access/permissions.ts";
import type { Role } from "../../access/role-names.ts";
import { roleIs } from "../commands/user-roles.server.ts";
import { USER_SORTS, type UserFilters } from "./filter-options.ts";
import { readUserFilters } from "./user-filters.server.ts";

export type User = typeof user.$inferSelect;

/** A user who was never seen sorts before all others. */
const LAST_SEEN = sql`coalesce(${user.lastSeenAt}, 0)`;

/** The orders of users, with their indexes (`migrations/0001_core_people.sql`). */
export const USER_ORDERS = {
  created: { by: user.createdAt, index: "user_by_created" },
  name: { by: sql`${user.name} COLLATE NOCASE`, index: "user_by_name" },
  email: { by: user.email, index: "user_by_email" },
  seen: { by: LAST_SEEN, index: "user_by_last_seen" },
} as const;

type Sort = keyof typeof USER_ORDERS;

/** What a list shows of a user, of thirty columns. */
const LISTED = {
  id: user.id,
  name: user.name,
  email: user.email,
  avatar: user.avatar,
  role: user.role,
  banned: user.banned,
  banExpires: user.banExpires,
  emailVerified: user.emailVerified,
  onboardedAt: user.onboardedAt,
  createdBy: user.createdBy,
  createdAt: user.createdAt,
  lastSeenAt: user.lastSeenAt,
};

type ListedUser = Pick<User, keyof typeof LISTED>;
type Standing = Pick<User, "banned" | "banExpires" | "emailVerified" | "onboardedAt">;

export type UserRow = Pick<
  ListedUser,
  "id" | "name" | "email" | "avatar" | "createdAt" | "lastSeenAt"
> & {
  roles: Role[];
  status: ShownStatus;
};

export type UserStatus = "active" | "banned" | "not-onboarded" | "unverified";

/** The status as a badge shows it. The filters know no "invited": they find these users by their status. */
export type ShownStatus = UserStatus | "invited";

/** Loads the user list for a URL: rows, filters and the list's state. One round trip, or two when it counts first. */
export async function loadUserList(db: Db, url: URL, now: Date, timeZone?: string) {
  const params = readListParams(url, USER_SORTS, "desc");
  const { filters, isMalformed } = readUserFilters(url);
  if (isMalformed) params.notices.push("common:list.dayIgnored");
  const { searchTerm, sort, direction, after } = params;
  const limit = params.size * params.pages;
  const order: Order = { ...USER_ORDERS[sort], direction };
  const criteria = { searchTerm, ...criteriaOf(filters, sort, { now, timeZone }) };
  const plan = await choosePlan(db, SOURCES.user, criteria, order);
  const [found, totals] = await db.batch([
    // One row more than the page shows whether there is a next page.
    selectUsers(db, plan, order, { after, limit: limit + 1 }),
    selectTotal(db, SOURCES.user, plan),
  ]);
  const { rows, last, hasMore } = readPage(found, limit);
  return {
    rows: rows.map((row): UserRow => {
      const { id, name, email, avatar, createdAt, lastSeenAt } = row;
      const standing = { roles: rolesOf(row), status: shownStatusOf(row, now) };
      return { id, name, email, avatar, createdAt, lastSeenAt, ...standing };
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

function selectUsers(db: Db, plan: Plan, order: Order, page: { after: After; limit: number }) {
  return db
    .select(LISTED)
    .from(user)
    .where(onPage(user.id, plan, order, page))
    .orderBy(...orderBy(order, user.id));
}

/** Yields all users that match a URL's search and filters, newest first, in chunks, for an export. */
export async function* exportUsers(db: Db, url: URL, now: Date, timeZone?: string) {
  const { searchTerm } = readListParams(url, USER_SORTS, "desc");
  const { filters } = readUserFilters(url);
  const order: Order = { ...USER_ORDERS.created, direction: "desc" };
  const criteria = { searchTerm, ...criteriaOf(filters, "created", { now, timeZone }) };
  const plan = await choosePlan(db, SOURCES.user, criteria, order);
  yield* exportRows(
    (after, limit) => selectUsers(db, plan, order, { after, limit }),
    (row) => [
      row.id,
      row.name,
      row.email,
      rolesOf(row).join(","),
      statusOf(row, now),
      row.createdAt,
      row.lastSeenAt,
    ],
  );
}

function sortValue(row: ListedUser, sort: Sort) {
  const values = {
    created: row.createdAt.getTime(),
    name: row.name,
    email: row.email,
    seen: row.lastSeenAt?.getTime() ?? 0,
  };
  return values[sort];
}

/** The time of the response, and the time zone of the days in the filters. */
type Reader = { now: Date; timeZone: string | undefined };

const RARE_INDEXES: { [Status in NonNullable<UserFilters["status"]>]?: string } = {
  banned: "user_banned",
  "not-onboarded": "user_not_onboarded",
  unverified: "user_unverified",
  "never-signed-in": "user_never_seen",
};

/** Returns the filters as SQL conditions. A range of days on the column of the order needs no index of its own. */
function criteriaOf(
  filters: UserFilters,
  sort: Sort,
  { now, timeZone }: Reader,
): Omit<Criteria, "searchTerm"> {
  const { role, status, seenFrom, seenTo, ...days } = filters;
  const created = within(sql`${user.createdAt}`, momentsOf(days, timeZone));
  const seenDays = momentsOf({ from: seenFrom, to: seenTo }, timeZone);
  // The expression has an index in its order. The column leaves out users who were never seen, and other indexes have it.
  const seen = and(within(LAST_SEEN, seenDays), within(sql`${user.lastSeenAt}`, seenDays));
  const isManager = role !== undefined && role !== DEFAULT_ROLE;
  return {
    filters: [
      role && roleIs(role),
      status && statusIs(status, isBannedAt(now)),
      sort === "created" ? created : undefined,
      sort === "seen" ? seen : undefined,
    ].filter(isSql),
    days: [sort === "created" ? undefined : created, sort === "seen" ? undefined : seen].filter(
      isSql,
    ),
    rareIndex: isManager ? "user_with_roles" : status && RARE_INDEXES[status],
  };
}

function within(column: SQL, { start, end }: ReturnType<typeof momentsOf>): SQL | undefined {
  return and(
    start && sql`${column} >= ${start.getTime()}`,
    end && sql`${column} < ${end.getTime()}`,
  );
}

function isSql(part: SQL | undefined): part is SQL {
  return part !== undefined;
}

/** Each status excludes the ones before it, as in `statusOf`. */
function statusIs(status: NonNullable<UserFilters["status"]>, isBanned: SQL): SQL {
  const isNotBanned = sql`NOT ${isBanned}`;
  const isOnboarded = isNotNull(user.onboardedAt);
  // Literals instead of bound values, because only then SQLite can use a partial index.
  const byStatus = {
    banned: isBanned,
    "not-onboarded": sql`${isNotBanned} AND ${isNull(user.onboardedAt)}`,
    unverified: sql`${isNotBanned} AND ${isOnboarded} AND ${user.emailVerified} = 0`,
    active: sql`${isNotBanned} AND ${isOnboarded} AND ${user.emailVerified} = 1`,
    "never-signed-in": isNull(user.lastSeenAt),
  };
  return byStatus[status];
}

/** Returns a user's status: banned, else not onboarded, else unverified, else active. */
export function statusOf(row: Standing, now: Date): UserStatus {
  if (row.banned && (row.banExpires === null || row.banExpires > now)) return "banned";
  if (!row.onboardedAt) return "not-onboarded";
  return row.emailVerified ? "active" : "unverified";
}

/** Returns "invited" for a user added by a manager, until the first sign-in or a ban; else the user's status. */
export function shownStatusOf(
  row: Pick<ListedUser, keyof Standing | "createdBy" | "lastSeenAt">,
  now: Date,
): ShownStatus {
  const status = statusOf(row, now);
  const isAwaited = row.createdBy !== null && row.lastSeenAt === null;
  return isAwaited && status !== "banned" ? "invited" : status;
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [row] = await db.select().from(user).where(eq(user.id, id));
  return row;
}

/**
 * Returns true when an e-mail is free now, as a hint while it is typed. The unique index decides. With `exceptId` the
 * e-mail may belong to that user.
 */
export async function isEmailFree(
  db: Db,
  { email, exceptId }: { email: string; exceptId?: string },
): Promise<boolean> {
  const [taken] = await db.select({ id: user.id }).from(user).where(eq(user.email, email));
  return taken === undefined || taken.id === exceptId;
}
