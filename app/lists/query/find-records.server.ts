import { desc, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { foldForSearch } from "../../db/fold.ts";
import { organization, user } from "../../db/schema/schema.ts";
import { type FoundThing, type ListTotal, SOURCES, type Source } from "./list-query.server.ts";
import { excerptAround } from "./matched-parts.ts";
import { countRows, readTotal } from "./plan.server.ts";
import { searchFor } from "./search.server.ts";

/** For each kind; its list shows more. */
const MAX_FOUND = 5;
/** Of a term that more rows have, only the rows that were inserted last are looked through. */
const MAX_SORTED = 1_000;

type Wanted = {
  users: boolean;
  organizations: boolean;
  /** Things of features, by their kind. */
  things: Readonly<Record<string, FoundThing>>;
};

type Searched = { kind: string; source: Source; detail: SQLiteColumn } & {
  avatar?: SQLiteColumn;
  text?: SQLiteColumn | undefined;
};

const USERS: Searched = {
  kind: "users",
  source: SOURCES.user,
  detail: user.email,
  avatar: user.avatar,
};

const ORGANIZATIONS: Searched = {
  kind: "organizations",
  source: SOURCES.organization,
  detail: organization.slug,
};

/**
 * Finds the first users, organizations and things of features that match a term as in their lists,
 * in one round trip. Kinds that are not asked for stay empty. `totals` counts what the lists would
 * find. Those that begin with the term come first. `excerpt` is the part of a thing's text that
 * holds the term, when its name and detail do not.
 */
export async function findRecords(db: Db, searchTerm: string, wanted: Wanted) {
  const things = Object.entries(wanted.things);
  const searched = [
    ...(wanted.users ? [USERS] : []),
    ...(wanted.organizations ? [ORGANIZATIONS] : []),
    ...things.map(([kind, thing]) => ({ kind, ...thing })),
  ];
  const [first, ...others] = searched.flatMap((one) => statementFor(db, one, searchTerm) ?? []);
  const rows = first ? (await db.batch([first, ...others])).flat() : [];
  const found = (kind: string) => rows.filter((row) => row.kind === kind);
  const totalOf = (kind: string): ListTotal =>
    readTotal(found(kind).map(({ total }) => ({ count: total })));
  const kinds = ["users", "organizations", ...things.map(([kind]) => kind)];
  const describeThing = ({ id, name, detail, text }: (typeof rows)[number]) => {
    const isFoundByName = [name, detail].some((one) => excerptAround(one, searchTerm));
    const excerpt = isFoundByName ? undefined : excerptAround(text ?? "", searchTerm);
    return { id, name, detail, excerpt };
  };
  return {
    totals: Object.fromEntries(kinds.map((kind) => [kind, totalOf(kind)])),
    users: found("users").map(({ id, name, detail, avatar }) => {
      return { id, name, email: detail, avatar };
    }),
    organizations: found("organizations").map(({ id, name, detail }) => {
      return { id, name, slug: detail };
    }),
    things: Object.fromEntries(things.map(([kind]) => [kind, found(kind).map(describeThing)])),
  };
}

function statementFor(db: Db, searched: Searched, searchTerm: string) {
  const { kind, source, detail, avatar, text } = searched;
  const { table, title, first } = source;
  const search = searchFor(source, searchTerm);
  if (!search) return undefined;
  const begins = sql`instr(${table.searchKey}, ${foldForSearch(searchTerm.trim())}) = 1`;
  return db
    .select({
      kind: sql<string>`${kind}`.as("kind"),
      id: sql<string>`${table.id}`.as("id"),
      name: sql<string>`${title}`.as("name"),
      detail: sql<string>`${detail}`.as("detail"),
      avatar: sql<string | null>`${avatar ?? null}`.as("avatar"),
      text: sql<string | null>`${text ?? null}`.as("text"),
      total: sql<number>`(${countRows(db, search.rows)})`.as("total"),
    })
    .from(table)
    .where(
      sql`${table}.rowid IN (SELECT rowid FROM (${search.rows}) LIMIT ${sql.raw(String(MAX_SORTED))})`,
    )
    .orderBy(desc(begins), desc(first), desc(table.id))
    .limit(MAX_FOUND);
}
