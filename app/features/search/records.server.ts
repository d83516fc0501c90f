import { desc, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { type ListQuery, listCriteria, listOrder } from "../../db/list.server.ts";
import { repository, user } from "../../db/schema/schema.ts";

/** Of each kind; whoever wants more goes to the list. */
const MAX_FOUND = 5;

/** What is looked for, and the order in which its list stands when nobody has chosen another. */
const KINDS = {
  user: { table: user, sort: user.createdAt, detail: user.email, avatar: user.avatar },
  repository: {
    table: repository,
    sort: repository.updatedAt,
    detail: repository.link,
    avatar: sql`NULL`,
  },
} as const;

export type RecordKind = keyof typeof KINDS;

/**
 * The first users and repositories that the lists would find with a term, in one round trip; kinds that are not asked
 * for are left empty. Those that begin with the term come first, unless it finds more than a thousand.
 */
export async function findRecords(db: Db, searchTerm: string, kinds: RecordKind[]) {
  const [first, ...others] = kinds.flatMap((kind) => statementsFor(db, kind, searchTerm));
  const rows = first ? (await db.batch([first, ...others])).flat() : [];
  const found = (kind: RecordKind) => rows.filter((row) => row.kind === kind);
  return {
    users: found("user").map(({ id, name, detail, avatar }) => {
      return { id, name, email: detail, avatar };
    }),
    repositories: found("repository").map(({ id, name }) => ({ id, name })),
  };
}

function statementsFor(db: Db, kind: RecordKind, searchTerm: string) {
  const { sort, detail, avatar, ...rest } = KINDS[kind];
  const table: SQLiteTable & Record<"id" | "name" | "searchKey", SQLiteColumn> = rest.table;
  const query: ListQuery = {
    searchTerm,
    sort: { column: sort, direction: "desc" },
    filters: [],
    after: undefined,
    limit: MAX_FOUND,
  };
  const { rows, term } = listCriteria({ table, name: kind }, query);
  const order = listOrder({ table, name: kind }, query);
  const isBeginning = desc(sql`instr(${table.searchKey}, ${term}) = 1`);
  return rows.map((where, index) =>
    db
      .select({
        kind: sql<RecordKind>`${kind}`.as("kind"),
        id: sql<string>`${table.id}`.as("id"),
        name: sql<string>`${table.name}`.as("name"),
        detail: sql<string>`${detail}`.as("detail"),
        avatar: sql<string | null>`${avatar}`.as("avatar"),
      })
      .from(table)
      .where(where)
      // Of the pair, the first has few rows and sorts them anyhow; the others stop where enough are found.
      .orderBy(...(rows.length > 1 && index === 0 ? [isBeginning, ...order] : order))
      .limit(MAX_FOUND),
  );
}
