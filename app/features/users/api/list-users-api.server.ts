import { and, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { foldForSearch } from "../../../db/fold.ts";
import { counter, user } from "../../../db/schema/schema.ts";
import { type ListQuery, SOURCES } from "../../../lists/query/list-query.server.ts";
import { listOrder, onPage } from "../../../lists/query/page.server.ts";
import { isShortTerm, searchOf } from "../../../lists/query/search.server.ts";
import { kindsOf } from "../list/user-kinds.ts";
import { filterOf, matchField, UserFilterQuery } from "./list-users-filter.server.ts";

/** Also the default limit, as in better-auth. */
const MAX_LIMIT = 100;
const MAX_OFFSET = 10_000;
/** The total is counted no further than the last reachable page. */
const MAX_TOTAL = MAX_OFFSET + MAX_LIMIT;

const whole = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

/** Query parameters of better-auth's `/admin/list-users`. */
const ListUsersQuery = UserFilterQuery.extend({
  searchValue: z.string().optional(),
  searchField: z.enum(["email", "name"]).default("email"),
  searchOperator: z.enum(["contains", "starts_with", "ends_with"]).default("contains"),
  limit: whole.pipe(z.number().min(1)).default(MAX_LIMIT),
  offset: whole.pipe(z.number().max(MAX_OFFSET)).default(0),
  sortBy: z.enum(["createdAt", "name", "email", "lastSeenAt"]).optional(),
  sortDirection: z.enum(["asc", "desc"]).default("asc"),
});

const SORTS = {
  createdAt: { column: user.createdAt },
  name: { column: user.name, by: sql`${user.name} COLLATE NOCASE` },
  email: { column: user.email },
  lastSeenAt: { column: user.lastSeenAt },
};

/** User columns that a manager may see. */
const SHOWN = {
  ...{ id: user.id, name: user.name, email: user.email, emailVerified: user.emailVerified },
  ...{ image: user.image, role: user.role, banned: user.banned, banReason: user.banReason },
  ...{ banExpires: user.banExpires, onboardedAt: user.onboardedAt, language: user.language },
  ...{ deletionDueAt: user.deletionDueAt, lastSeenAt: user.lastSeenAt },
  ...{ createdAt: user.createdAt, updatedAt: user.updatedAt },
};

type ListUsersResult =
  | { ok: true; body: { users: unknown[]; total: number; limit: number; offset: number } }
  | { ok: false };

/**
 * Answers better-auth's `/admin/list-users` in its own format, in one round trip. Without `sortBy` the newest users
 * come first; at most 100 users, from an offset of at most 10,000. With a search or filter `total` counts up to 10,100.
 * Not ok when a query value is not valid.
 */
export async function listUsersForApi(db: Db, url: URL): Promise<ListUsersResult> {
  const parsed = ListUsersQuery.safeParse(readQuery(url));
  if (!parsed.success) return { ok: false };
  const { offset, sortBy, sortDirection, ...asked } = parsed.data;
  const filter = filterOf(asked);
  if (!filter.ok) return { ok: false };
  const limit = Math.min(asked.limit, MAX_LIMIT);
  const term = foldForSearch(asked.searchValue ?? "");
  const search = term ? matchField(asked.searchField, asked.searchOperator, term) : undefined;
  const filters = [search, filter.where].filter((part) => part !== undefined);
  const query: ListQuery = {
    // As in every list, a term of one or two characters matches only the beginnings of words. No index covers the ends
    // of words.
    searchTerm: asked.searchOperator === "ends_with" && isShortTerm(term) ? "" : term,
    filters,
    // Without kinds, the default order and the order by e-mail have an index of their own.
    kinds:
      sortBy === "name" || sortBy === "lastSeenAt"
        ? { names: kindsOf(undefined, undefined).names, filters }
        : undefined,
    sort: {
      ...SORTS[sortBy ?? "createdAt"],
      direction: sortBy ? sortDirection : "desc",
    },
    after: undefined,
    limit: offset + limit,
  };
  const [users, [total]] = await db.batch([
    db
      .select(SHOWN)
      .from(user)
      .where(onPage(SOURCES.user, query))
      .orderBy(...listOrder(SOURCES.user, query))
      .limit(limit)
      .offset(offset),
    selectTotal(db, query),
  ]);
  return { ok: true, body: { users, total: total?.count ?? 0, limit, offset } };
}

/** As in better-auth, an empty value counts as absent. A list of values repeats the parameter. */
function readQuery({ searchParams }: URL): Record<string, unknown> {
  const given = [...searchParams].reverse().filter(([, value]) => value !== "");
  const filterValue = searchParams.getAll("filterValue");
  return {
    ...Object.fromEntries(given),
    ...(filterValue.length > 0 && { filterValue }),
  };
}

function selectTotal(db: Db, query: ListQuery) {
  const { filters } = query;
  if (filters.length === 0) {
    return db.select({ count: counter.value }).from(counter).where(sql`${counter.name} = 'user'`);
  }
  const search = searchOf(SOURCES.user, query);
  const rows = search
    ? sql`(${search.candidates}) AS found CROSS JOIN ${user} ON ${user}.rowid = found.number
        WHERE ${and(search.criterion, ...filters)}`
    : sql`${user} WHERE ${and(...filters)}`;
  const count = sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${sql.raw(String(MAX_TOTAL))}))`;
  return db.select({ count }).from(counter).limit(1);
}
