import { z } from "zod";
import { CLIENT_USER } from "../../../db/client-rows.ts";
import type { Db } from "../../../db/db.server.ts";
import { foldForSearch } from "../../../db/fold.ts";
import { user } from "../../../db/schema/schema.ts";
import { type Order, SOURCES } from "../../../lists/query/list-query.server.ts";
import { onPage, orderBy } from "../../../lists/query/page.server.ts";
import { choosePlan, selectTotal } from "../../../lists/query/plan.server.ts";
import { isShortTerm } from "../../../lists/query/search.server.ts";
import { USER_ORDERS } from "../../users/list/user-queries.server.ts";
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

const Query = UserFilterQuery.extend({
  searchValue: z.string().optional(),
  searchField: z.enum(["email", "name"]).default("email"),
  searchOperator: z.enum(["contains", "starts_with", "ends_with"]).default("contains"),
  limit: whole.pipe(z.number().min(1)).default(MAX_LIMIT),
  offset: whole.pipe(z.number().max(MAX_OFFSET)).default(0),
  sortBy: z.enum(["createdAt", "name", "email", "lastSeenAt"]).optional(),
  sortDirection: z.enum(["asc", "desc"]).default("asc"),
});

type Query = z.infer<typeof Query>;

/** Query parameters of better-auth's `/admin/list-users`. */
export const ListUsersQuery = z.preprocess(readQuery, Query);

const ORDERS = {
  createdAt: USER_ORDERS.created,
  name: USER_ORDERS.name,
  email: USER_ORDERS.email,
  lastSeenAt: USER_ORDERS.seen,
};

type ListUsersResult =
  | { ok: true; body: { users: unknown[]; total: number; limit: number; offset: number } }
  | { ok: false };

/**
 * Answers better-auth's `/admin/list-users` in its own format. Without `sortBy` the newest users
 * come first; at most 100 users, from an offset of at most 10,000. With a search or filter `total` counts up to 10,100.
 * Not ok when a filter's field, operator and value do not fit together.
 */
export async function listUsersForApi(db: Db, query: Query): Promise<ListUsersResult> {
  const { offset, sortBy, sortDirection, ...asked } = query;
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
      .select(CLIENT_USER)
      .from(user)
      .where(onPage(user.id, plan.parts, order, { limit, offset }))
      .orderBy(...orderBy(order, user.id)),
    selectTotal(db, plan, MAX_TOTAL),
  ]);
  return { ok: true, body: { users, total: total?.count ?? 0, limit, offset } };
}

/** As in better-auth, an empty value counts as absent. Only `filterValue` is a list, by repeating the parameter. */
function readQuery(sent: unknown): Record<string, unknown> {
  const given = Object.entries(Object(sent)).flatMap(([name, value]): [string, unknown][] => {
    if (name === "filterValue") return [[name, [value].flat()]];
    const found = [value].flat().find((one) => one !== "");
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(given);
}
