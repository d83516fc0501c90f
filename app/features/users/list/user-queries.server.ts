import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { momentsOf } from "../../../lists/query/day-range.ts";
import { list, type Reader } from "../../../lists/query/list.server.ts";
import { type Criteria, SOURCES } from "../../../lists/query/list-query.server.ts";
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
  created: {
    by: user.createdAt,
    index: "user_by_created",
    valueOf: ({ createdAt }: ListedUser) => createdAt.getTime(),
  },
  name: {
    by: sql`${user.name} COLLATE NOCASE`,
    index: "user_by_name",
    valueOf: ({ name }: ListedUser) => name,
  },
  email: { by: user.email, index: "user_by_email", valueOf: ({ email }: ListedUser) => email },
  seen: {
    by: LAST_SEEN,
    index: "user_by_last_seen",
    valueOf: ({ lastSeenAt }: ListedUser) => lastSeenAt?.getTime() ?? 0,
  },
};

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
  invitation: user.invitation,
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

/**
 * Status of a user before the first sign-in who was added by a manager: no invitation, an
 * invitation, or one that bounced.
 */
type AwaitedStatus = "added" | "invited" | "bounced";

/** The status as a badge shows it. */
export type ShownStatus = UserStatus | AwaitedStatus;

/** The users of the back-office. */
export const users = list({
  source: SOURCES.user,
  select: (db, where, order) =>
    db
      .select(LISTED)
      .from(user)
      .where(where)
      .orderBy(...order),
  sorts: USER_SORTS,
  orders: USER_ORDERS,
  readFilters: readUserFilters,
  meets: criteriaOf,
  show: (row, { now }): UserRow => {
    const { id, name, email, avatar, createdAt, lastSeenAt } = row;
    const roles = rolesOf(row);
    const status = shownStatusOf(row, now);
    return { id, name, email, avatar, createdAt, lastSeenAt, roles, status };
  },
  file: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    email: ({ email }) => email,
    role: (row) => rolesOf(row).join(","),
    status: (row, { now }) => statusOf(row, now),
    created: ({ createdAt }) => createdAt,
    "last seen": ({ lastSeenAt }) => lastSeenAt,
  },
});

const RARE_INDEXES: { [Status in NonNullable<UserFilters["status"]>]?: string } = {
  banned: "user_banned",
  "not-onboarded": "user_not_onboarded",
  unverified: "user_unverified",
  added: "user_awaited",
  invited: "user_awaited",
  bounced: "user_awaited",
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
  // The expression has an index in its order. The column leaves out users who were never seen, and
  // other indexes have it.
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
  const isAwaited = sql`${isNotBanned} AND ${isNotNull(user.createdBy)} AND ${isNull(user.lastSeenAt)}`;
  // Literals instead of bound values, because only then SQLite can use a partial index.
  const byStatus = {
    banned: isBanned,
    "not-onboarded": sql`${isNotBanned} AND ${isNull(user.onboardedAt)}`,
    unverified: sql`${isNotBanned} AND ${isOnboarded} AND ${user.emailVerified} = 0`,
    active: sql`${isNotBanned} AND ${isOnboarded} AND ${user.emailVerified} = 1`,
    added: sql`${isAwaited} AND ${isNull(user.invitation)}`,
    invited: sql`${isAwaited} AND ${user.invitation} = 'queued'`,
    bounced: sql`${isAwaited} AND ${user.invitation} = 'bounced'`,
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

const AWAITED = { queued: "invited", bounced: "bounced" } as const satisfies Record<
  NonNullable<User["invitation"]>,
  AwaitedStatus
>;

/**
 * Returns the user's status, and for a user added by a manager, until the first sign-in or a ban,
 * what became of the invitation.
 */
export function shownStatusOf(
  row: Pick<ListedUser, keyof Standing | "createdBy" | "lastSeenAt" | "invitation">,
  now: Date,
): ShownStatus {
  const status = statusOf(row, now);
  const isAwaited = row.createdBy !== null && row.lastSeenAt === null;
  if (!isAwaited || status === "banned") return status;
  return row.invitation ? AWAITED[row.invitation] : "added";
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
