import { and, eq, gt, gte, isNotNull, isNull, lt, or, SQL, sql } from "drizzle-orm";
import { hasAdminRole } from "../../db/admin-role.ts";
import type { Db } from "../../db/db.server.ts";
import {
  type ListQuery,
  listOrder,
  listTotal,
  onPage,
  PAGE_SIZE,
  readTotal,
  SOURCES,
} from "../../db/list.server.ts";
import { user } from "../../db/schema/schema.ts";
import { momentsOf } from "../../http/day-range.ts";
import { readListParams } from "../../http/list-params.ts";
import { listState } from "../../http/list-state.ts";
import { DEFAULT_ROLE, type Role, rolesOf } from "../access/permissions.ts";
import { USER_SORTS, type UserFilters } from "./filter-options.ts";
import { readUserFilters } from "./user-filters.server.ts";

export type User = typeof user.$inferSelect;

const SORTS = {
  created: { column: user.createdAt, index: "created" },
  name: {
    column: user.name,
    by: sql`${user.name} COLLATE NOCASE`,
    index: "name",
    isSearched: true,
  },
  email: { column: user.email, index: "email", isSearched: true },
  seen: { column: user.lastSeenAt, index: "last_seen" },
};

/** A user as lists show them. */
export type UserRow = Pick<
  User,
  "id" | "name" | "email" | "avatar" | "createdAt" | "lastSeenAt"
> & {
  role: Role;
  status: UserStatus;
};

export type UserStatus = "active" | "banned" | "not-onboarded" | "unverified";

/** What a user list's address shows: rows, filters and the list's state, in one round trip. */
export async function loadUserList(db: Db, url: URL, now: Date) {
  const params = readListParams(url, USER_SORTS, "desc");
  const { filters, isMalformed } = readUserFilters(url);
  if (isMalformed) params.notices.push("common:list.dayIgnored");
  const limit = PAGE_SIZE * params.pages;
  const query: ListQuery = {
    ...params,
    ...waysTo(filters, params, now),
    sort: { ...SORTS[params.sort], direction: params.direction },
    // One more than is shown tells whether there is more.
    limit: limit + 1,
  };
  const [totals, rows] = await db.batch([
    listTotal(db, SOURCES.user, query),
    selectPage(db, query),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map((row): UserRow => {
      const { id, name, email, avatar, createdAt, lastSeenAt } = row;
      const role = rolesOf(row)[0] ?? DEFAULT_ROLE;
      return { id, name, email, avatar, role, createdAt, lastSeenAt, status: statusOf(row, now) };
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
    .from(user)
    .where(onPage(SOURCES.user, query))
    .orderBy(...listOrder(SOURCES.user, query))
    .limit(query.limit);
}

const EXPORT_STRETCH = 500;

/** The users that an address's search and filters find, newest first, a stretch at a time, for a file. */
export async function* exportUsers(db: Db, url: URL, now: Date) {
  const { searchTerm } = readListParams(url, USER_SORTS, "desc");
  const { filters } = readUserFilters(url);
  let after: ListQuery["after"];
  do {
    const query: ListQuery = {
      searchTerm,
      ...waysTo(filters, { sort: "created", searchTerm }, now),
      sort: { ...SORTS.created, direction: "desc" },
      after,
      limit: EXPORT_STRETCH,
    };
    const rows = await selectPage(db, query);
    yield rows.map((row) => [
      row.id,
      row.name,
      row.email,
      row.role,
      statusOf(row, now),
      row.createdAt,
      row.lastSeenAt,
    ]);
    const last = rows.at(-1);
    after =
      last && rows.length === EXPORT_STRETCH
        ? { value: last.createdAt.getTime(), id: last.id }
        : undefined;
  } while (after);
}

function sortValue(row: User, sort: (typeof USER_SORTS)[number]) {
  const values = {
    created: row.createdAt.getTime(),
    name: row.name,
    email: row.email,
    seen: row.lastSeenAt?.getTime() ?? null,
  };
  return values[sort];
}

/** The filters, and the indexes that have whom they leave: people of a kind, or of some days. */
function waysTo(
  filters: UserFilters,
  { sort, searchTerm }: { sort: keyof typeof SORTS; searchTerm: string },
  now: Date,
): Pick<ListQuery, "filters" | "index" | "countIndex" | "range"> {
  const { created, seen } = daysOf(filters);
  const ranges = [
    { sort: "created", where: created },
    { sort: "seen", where: seen },
  ] as const;
  const range = ranges.find(({ where }) => where);
  // Days in the list's own order need no other index.
  const across = ranges.find((one) => one.where && one.sort !== sort);
  const kind = kindOf(filters);
  // Everybody else but those without a name, who come first in two of the orders.
  const hasActive = filters.status === "active" && (sort === "name" || sort === "seen");
  const ordered = kind ?? (hasActive ? "active" : undefined);
  return {
    filters: criteriaOf(filters, now),
    index: ordered || across ? indexOf(ordered, sort) : undefined,
    countIndex: countIndexOf(),
    range:
      across &&
      sql`SELECT rowid AS number FROM ${user} INDEXED BY ${sql.raw(indexOf(undefined, across.sort))} WHERE ${across.where}`,
  };

  function countIndexOf(): string | undefined {
    if (!kind) return range && indexOf(undefined, range.sort);
    return searchTerm && !range ? `user_${kind}_by_key` : indexOf(kind, "created");
  }
}

/** Of whom there are few: they have indexes of their own. */
function kindOf({ role, status }: UserFilters): string | undefined {
  if (role === "admin") return "admins";
  return status === "active" ? undefined : status?.replaceAll("-", "_");
}

function indexOf(kind: string | undefined, sort: keyof typeof SORTS): string {
  // The index that keeps e-mails unique has this order already.
  if (!kind && sort === "email") return "sqlite_autoindex_user_2";
  return ["user", kind, "by", SORTS[sort].index].filter(Boolean).join("_");
}

function daysOf({ seenFrom, seenTo, ...days }: UserFilters) {
  const created = momentsOf(days);
  const seen = momentsOf({ from: seenFrom, to: seenTo });
  return {
    created: and(
      created.start && gte(user.createdAt, created.start),
      created.end && lt(user.createdAt, created.end),
    ),
    seen: and(
      seen.start && gte(user.lastSeenAt, seen.start),
      seen.end && lt(user.lastSeenAt, seen.end),
    ),
  };
}

function criteriaOf(filters: UserFilters, now: Date): SQL[] {
  const { role, status } = filters;
  const { created, seen } = daysOf(filters);
  const isAdmin = hasAdminRole(user.role);
  const isBanned = and(
    // Written out, not bound: only then the index of these few can answer.
    sql`${user.banned} = 1`,
    or(isNull(user.banExpires), gt(user.banExpires, now)),
  );
  const isNotBanned = sql`NOT (${isBanned})`;
  const isOnboarded = isNotNull(user.onboardedAt);
  // Each of them without those of the ones before it, as `statusOf` names them.
  const byStatus: Record<NonNullable<UserFilters["status"]>, SQL | undefined> = {
    banned: isBanned,
    "not-onboarded": and(isNotBanned, isNull(user.onboardedAt)),
    unverified: and(isNotBanned, isOnboarded, sql`${user.emailVerified} = 0`),
    active: and(isNotBanned, isOnboarded, sql`${user.emailVerified} = 1`),
    "never-signed-in": isNull(user.lastSeenAt),
  };
  return [
    role === "admin" ? isAdmin : role === "user" ? sql`NOT ${isAdmin}` : undefined,
    status && byStatus[status],
    created,
    seen,
  ].filter((part) => part instanceof SQL);
}

/** The one word for where a user stands: banned, else without a name, else unverified, else active. */
export function statusOf(
  row: Pick<User, "banned" | "banExpires" | "emailVerified" | "onboardedAt">,
  now: Date,
): UserStatus {
  if (row.banned && (row.banExpires === null || row.banExpires > now)) return "banned";
  if (!row.onboardedAt) return "not-onboarded";
  return row.emailVerified ? "active" : "unverified";
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [row] = await db.select().from(user).where(eq(user.id, id));
  return row;
}

/**
 * Whether no other user has an e-mail at this moment, for a hint while it is typed; the unique index decides. With
 * `exceptId` it may be that user's own.
 */
export async function isEmailFree(
  db: Db,
  { email, exceptId }: { email: string; exceptId?: string },
): Promise<boolean> {
  const [taken] = await db.select({ id: user.id }).from(user).where(eq(user.email, email));
  return taken === undefined || taken.id === exceptId;
}
