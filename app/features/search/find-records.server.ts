import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { foldForSearch } from "../../db/fold.ts";
import { organization, repository, user } from "../../db/schema/schema.ts";
import { type ListQuery, SOURCES } from "../../lists/query/list-query.server.ts";
import { listOrder, onPage } from "../../lists/query/page.server.ts";
import { listTotal, readTotal } from "../../lists/query/total.server.ts";
import { excerptAround } from "./matched-parts.ts";

/** For each kind; its list shows more. */
const MAX_FOUND = 5;

const NONE = sql`NULL`;

/** Columns that are shown beside a name. */
const SHOWN = {
  user: { detail: user.email, avatar: user.avatar, description: NONE },
  organization: { detail: organization.slug, avatar: NONE, description: NONE },
  repository: { detail: repository.link, avatar: NONE, description: repository.description },
} as const;

export type RecordKind = keyof typeof SHOWN;

/**
 * Finds the first users, organizations and repositories that match a term as in their lists, in one round trip. Kinds
 * that are not asked for stay empty. `totals` counts what the lists would find. Those that begin with the term come
 * first, unless it matches more than a thousand. `excerpt` is the part of a
 * repository's description that holds the term, when its name and link do not.
 */
export async function findRecords(db: Db, searchTerm: string, kinds: RecordKind[]) {
  const [first, ...others] = kinds.map((kind) => statementFor(db, kind, searchTerm));
  const rows = first ? (await db.batch([first, ...others])).flat() : [];
  const found = (kind: RecordKind) => rows.filter((row) => row.kind === kind);
  const totalOf = (kind: RecordKind) =>
    readTotal(rows.find((row) => row.kind === kind)?.total, { searchTerm, filters: [] });
  return {
    totals: {
      users: totalOf("user"),
      organizations: totalOf("organization"),
      repositories: totalOf("repository"),
    },
    users: found("user").map(({ id, name, detail, avatar }) => {
      return { id, name, email: detail, avatar };
    }),
    organizations: found("organization").map(({ id, name, detail }) => {
      return { id, name, slug: detail };
    }),
    repositories: found("repository").map(({ id, name, detail, description }) => {
      const isFoundByName = [name, detail].some((text) => excerptAround(text, searchTerm));
      const excerpt = isFoundByName ? undefined : excerptAround(description ?? "", searchTerm);
      return { id, name, link: detail, excerpt };
    }),
  };
}

function statementFor(db: Db, kind: RecordKind, searchTerm: string) {
  const source = SOURCES[kind];
  const table: SQLiteTable & Record<"id" | "name" | "searchKey", SQLiteColumn> = source.table;
  const { detail, avatar, description } = SHOWN[kind];
  const query: ListQuery = {
    searchTerm,
    // The default order of the list.
    sort: { column: source.first, direction: "desc" },
    rank: sql`instr(${table.searchKey}, ${foldForSearch(searchTerm.trim())}) = 1`,
    filters: [],
    after: undefined,
    limit: MAX_FOUND,
  };
  return db
    .select({
      kind: sql<RecordKind>`${kind}`.as("kind"),
      id: sql<string>`${table.id}`.as("id"),
      name: sql<string>`${table.name}`.as("name"),
      detail: sql<string>`${detail}`.as("detail"),
      avatar: sql<string | null>`${avatar}`.as("avatar"),
      description: sql<string | null>`${description}`.as("description"),
      total: sql<number>`${listTotal(db, source, query)}`.as("total"),
    })
    .from(table)
    .where(onPage(source, query))
    .orderBy(...listOrder(source, query))
    .limit(MAX_FOUND);
}
