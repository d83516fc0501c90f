import { desc, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { foldForSearch } from "../../db/fold.ts";
import { organization, repository, user } from "../../db/schema/schema.ts";
import { type ListTotal, SOURCES, type Source } from "../../lists/query/list-query.server.ts";
import { countRows, readTotal } from "../../lists/query/plan.server.ts";
import { searchFor } from "../../lists/query/search.server.ts";
import { excerptAround } from "./matched-parts.ts";

/** For each kind; its list shows more. */
const MAX_FOUND = 5;
/** Of a term that more rows have, only the rows that were inserted last are looked through. */
const MAX_SORTED = 1_000;

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
 * first. `excerpt` is the part of a repository's description that holds the term, when its name and link do not.
 */
export async function findRecords(db: Db, searchTerm: string, kinds: RecordKind[]) {
  const [first, ...others] = kinds.flatMap((kind) => statementFor(db, kind, searchTerm) ?? []);
  const rows = first ? (await db.batch([first, ...others])).flat() : [];
  const found = (kind: RecordKind) => rows.filter((row) => row.kind === kind);
  const totalOf = (kind: RecordKind): ListTotal =>
    readTotal(found(kind).map(({ total }) => ({ count: total })));
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
  const source: Source = SOURCES[kind];
  const { table, first } = source;
  const search = searchFor(source, searchTerm);
  if (!search) return undefined;
  const { detail, avatar, description } = SHOWN[kind];
  const begins = sql`instr(${table.searchKey}, ${foldForSearch(searchTerm.trim())}) = 1`;
  return db
    .select({
      kind: sql<RecordKind>`${kind}`.as("kind"),
      id: sql<string>`${table.id}`.as("id"),
      name: sql<string>`${table.name}`.as("name"),
      detail: sql<string>`${detail}`.as("detail"),
      avatar: sql<string | null>`${avatar}`.as("avatar"),
      description: sql<string | null>`${description}`.as("description"),
      total: sql<number>`(${countRows(db, search.rows)})`.as("total"),
    })
    .from(table)
    .where(
      sql`${table}.rowid IN (SELECT rowid FROM (${search.rows}) LIMIT ${sql.raw(String(MAX_SORTED))})`,
    )
    .orderBy(desc(begins), desc(first), desc(table.id))
    .limit(MAX_FOUND);
}
