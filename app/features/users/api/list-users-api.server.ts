import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { foldForSearch } from "../../../db/fold.ts";
import { user } from "../../../db/schema/schema.ts";
import { type Order, SOURCES } from "../../../lists/query/list-query.server.ts";
import { onPage, orderBy } from "../../../lists/query/page.server.ts";
import { choosePlan, selectTotal } from "../../../lists/query/plan.server.ts";
import { isShortTerm } from "../../../lists/query/search.server.ts";
import { USER_ORDERS } from "../list/user-queries.server.ts";
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

const ORDERS = {
  createdAt: USER_ORDERS.created,
  name: USER_ORDERS.name,
  email: USER_ORDERS.email,
  lastSeenAt: USER_ORDERS.seen,
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
 * Answers better-auth's `/admin/list-users` in its own format. Without `sortBy` the newest users
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
  const criteria = {
    // As in every list, a term of one or two characters matches only the beginnings of name and e-mail. No index covers
    // the ends of words.
    searchTerm: asked.searchOperator === "ends_with" && isShortTerm(term) ? "" : term,
    filters,
  };
  const order: Order = {
    ...ORDERS[sortBy ?? "createdAt"],
    direction: sortBy ? sortDirection : "desc",
  };
  const plan = await choosePlan(db, SOURCES.user, criteria, order);
  const [users, [total]] = await db.batch([
    db
      .select(SHOWN)
      .from(user)
      .where(onPage(user.id, plan, order, { limit, offset }))
      .orderBy(...orderBy(order, user.id)),
    selectTotal(db, SOURCES.user, plan, MAX_TOTAL),
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
