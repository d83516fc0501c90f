import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { hasBanEnded, isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { momentsOf } from "../../../lists/query/day-range.ts";
import { exportRows } from "../../../lists/query/export-rows.server.ts";
import { readListParams } from "../../../lists/query/list-params.ts";
import { type ListQuery, type Range, SOURCES } from "../../../lists/query/list-query.server.ts";
import { listState } from "../../../lists/query/list-state.ts";
import { listOrder, onPage } from "../../../lists/query/page.server.ts";
import { listTotal, readTotal } from "../../../lists/query/total.server.ts";
import { HOUR_MS } from "../../../values/time.ts";
import { DEFAULT_ROLE, type Role, rolesOf } from "../../access/permissions.ts";
import { rareRole, roleIs } from "../commands/user-roles.server.ts";
import { USER_SORTS, type UserFilters } from "./filter-options.ts";
import { readUserFilters } from "./user-filters.server.ts";
import { kindsOf } from "./user-kinds.ts";

export type User = typeof user.$inferSelect;

const SORTS = {
  created: { column: user.createdAt },
  name: { column: user.name, by: sql`${user.name} COLLATE NOCASE` },
  email: { column: user.email },
  seen: { column: user.lastSeenAt },
};

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

/** The two times of one sign-up, of the row and of the request, are less than this apart. */
const SIGN_UP_MS = HOUR_MS;

/** A user as shown in lists. */
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

/** Loads the user list for a URL, in one round trip: rows, filters and the list's state. */
export async function loadUserList(db: Db, url: URL, now: Date, timeZone?: string) {
  const params = readListParams(url, USER_SORTS, "desc");
  const { filters, isMalformed } = readUserFilters(url);
  if (isMalformed) params.notices.push("common:list.dayIgnored");
  const limit = params.size * params.pages;
  const query: ListQuery = {
    ...params,
    ...narrowedBy(filters, params.sort, { now, timeZone }),
    sort: { ...SORTS[params.sort], direction: params.direction },
    // One row more than the page shows whether there is a next page.
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
      const standing = { roles: rolesOf(row), status: shownStatusOf(row, now) };
      return { id, name, email, avatar, createdAt, lastSeenAt, ...standing };
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
    .select(LISTED)
    .from(user)
    .where(onPage(SOURCES.user, query))
    .orderBy(...listOrder(SOURCES.user, query))
    .limit(query.limit);
}

/** Yields all users that match a URL's search and filters, newest first, in chunks, for an export. */
export function exportUsers(db: Db, url: URL, now: Date, timeZone?: string) {
  const { searchTerm } = readListParams(url, USER_SORTS, "desc");
  const { filters } = readUserFilters(url);
  const select = (after: ListQuery["after"], limit: number) =>
    selectPage(db, {
      searchTerm,
      ...narrowedBy(filters, "created", { now, timeZone }),
      sort: { ...SORTS.created, direction: "desc" },
      after,
      limit,
    });
  return exportRows(select, (row) => [
    row.id,
    row.name,
    row.email,
    rolesOf(row).join(","),
    statusOf(row, now),
    row.createdAt,
    row.lastSeenAt,
  ]);
}

function sortValue(row: ListedUser, sort: (typeof USER_SORTS)[number]) {
  const values = {
    created: row.createdAt.getTime(),
    name: row.name,
    email: row.email,
    seen: row.lastSeenAt?.getTime() ?? null,
  };
  return values[sort];
}

/** The time of the response, and the time zone of the days in the filters. */
type Reader = { now: Date; timeZone: string | undefined };

/** Returns the filters in the forms that a query needs: SQL conditions, user kinds and ranges of days. */
function narrowedBy(
  filters: UserFilters,
  sort: keyof typeof SORTS,
  { now, timeZone }: Reader,
): Pick<ListQuery, "filters" | "kinds" | "range"> {
  const { role, status } = filters;
  const isBanned = isBannedAt(now);
  const { created, seen } = daysOf(filters, timeZone);
  const standing = [roleOf(role), statusIs(status, isBanned)];
  const criteria = [...standing, created.where, seen.where].filter(isSql);
  const kinds = kindsOf(role, status);
  // The default order and the unique e-mail have an index over the whole table.
  const isWholeTable = criteria.length === 0 && (sort === "created" || sort === "email");
  const rare = role && rareRole(role);
  if (rare) return { filters: [rare, ...criteria], range: ofRareRole(rare, { created, seen }) };
  // A user whose ban has expired still has a kind with "banned".
  const hasEnded = hasBanEnded(now);
  return {
    filters: criteria,
    kinds: isWholeTable
      ? undefined
      : {
          ...kinds,
          filters: [
            status === "banned" ? isBanned : undefined,
            // A kind tells admins from others, and no other roles.
            role === DEFAULT_ROLE ? roleIs(role) : undefined,
          ].filter(isSql),
          others: kinds.areBannedLeftOut
            ? // The days are hidden: few bans have ended, and their index shall find them.
              sql`SELECT rowid AS number FROM ${user} WHERE ${and(hasEnded, ...standing, created.hidden, seen.hidden)}`
            : undefined,
        },
    range: inKinds(kinds.names, { created, seen }, sort),
  };
}

/** Returns the ranges of days for a list query; undefined without any. */
function inKinds(
  kinds: string[],
  { created, seen }: ReturnType<typeof daysOf>,
  sort: keyof typeof SORTS,
): Range | undefined {
  const where = and(created.where, seen.where);
  // One range of days chooses the index: preferably the range on the sort column.
  const lead = sort === "seen" ? (seen.where ?? created.where) : (created.where ?? seen.where);
  if (!where || !lead) return undefined;
  return {
    where,
    alongOrder: alongOrder({ created, seen }, sort),
    isInOrder: lead === (sort === "seen" ? seen.where : sort === "created" && created.where),
    rows: sql`SELECT rowid AS number FROM ${user}
      WHERE ${user}.kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)})) AND ${lead}`,
    isInKind: sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user}.kind = kinds.value AND ${lead})`,
  };
}

/**
 * Returns ranges of days as parts of a list's order. A user is never seen before signing up, so a range of one of the days
 * also bounds the other, and the walk begins or ends there.
 */
function alongOrder({ created, seen }: ReturnType<typeof daysOf>, sort: keyof typeof SORTS): SQL[] {
  if (sort === "created") {
    const end = seen.end && sql`${user.createdAt} < ${seen.end.getTime() + SIGN_UP_MS}`;
    return [and(created.where, seen.hidden, end)].filter(isSql);
  }
  if (sort !== "seen" || !created.start) {
    return [and(created.hidden, sort === "seen" ? seen.where : seen.hidden)].filter(isSql);
  }
  const start = created.start.getTime() - SIGN_UP_MS;
  return [
    and(created.hidden, seen.where, sql`${user.lastSeenAt} >= ${start}`),
    and(created.hidden, seen.where, isNull(user.lastSeenAt)),
  ].filter(isSql);
}

/**
 * Returns the few users of a role that no kind has, for a list query. They are found by an index of their own, whatever
 * the number of users, and sorted.
 */
function ofRareRole(rare: SQL, { created, seen }: ReturnType<typeof daysOf>): Range {
  return {
    where: and(rare, created.where, seen.where) ?? rare,
    alongOrder: [and(rare, created.hidden, seen.hidden) ?? rare],
    isInOrder: false,
    rows: sql`SELECT rowid AS number FROM ${user} WHERE ${rare}`,
  };
}

function isSql(part: SQL | undefined): part is SQL {
  return part !== undefined;
}

function daysOf({ seenFrom, seenTo, ...days }: UserFilters, timeZone: string | undefined) {
  return {
    created: within(sql`${user.createdAt}`, momentsOf(days, timeZone)),
    seen: within(sql`${user.lastSeenAt}`, momentsOf({ from: seenFrom, to: seenTo }, timeZone)),
  };
}

/** Condition for a time range. `hidden` is the same with a unary plus, so that SQLite uses no index for it. */
function within(column: SQL, { start, end }: ReturnType<typeof momentsOf>) {
  const range = (value: SQL) =>
    and(start && sql`${value} >= ${start.getTime()}`, end && sql`${value} < ${end.getTime()}`);
  return { start, end, where: range(column), hidden: range(sql`+${column}`) };
}

function roleOf(role: UserFilters["role"]): SQL | undefined {
  return role && roleIs(role);
}

/** Each status excludes the ones before it, as in `statusOf`. */
function statusIs(status: UserFilters["status"], isBanned: SQL): SQL | undefined {
  const isNotBanned = sql`NOT ${isBanned}`;
  const isOnboarded = isNotNull(user.onboardedAt);
  const byStatus: Record<NonNullable<UserFilters["status"]>, SQL | undefined> = {
    banned: isBanned,
    "not-onboarded": and(isNotBanned, isNull(user.onboardedAt)),
    unverified: and(isNotBanned, isOnboarded, eq(user.emailVerified, false)),
    active: and(isNotBanned, isOnboarded, eq(user.emailVerified, true)),
    "never-signed-in": isNull(user.lastSeenAt),
  };
  return status && byStatus[status];
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
