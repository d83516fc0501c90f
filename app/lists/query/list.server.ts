import { and, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import type { Read } from "../../db/read.server.ts";
import type { Cell } from "./csv.ts";
import { type ListNotice, readListParams } from "./list-params.ts";
import type { After, Criteria, Order, Source } from "./list-query.server.ts";
import { listState } from "./list-state.ts";
import { inChunks, onPage, orderBy, readPage } from "./page.server.ts";
import {
  choosePlan,
  type ListPlan,
  type Part,
  planOf,
  readTotal,
  selectTotal,
} from "./plan.server.ts";
import { searchFor } from "./search.server.ts";

/** Who reads a list: `now` is the time of the answer. The days in the filters are those of `timeZone`. */
export type Reader = { now: Date; timeZone?: string | undefined };

/** What a list is sorted by, its index, and the value of a row that a cursor keeps. */
type ListOrder<Row> = {
  by: SQL | SQLiteColumn;
  index?: string;
  valueOf: (row: Row) => string | number;
};

/** A statement that selects rows, for a batch or alone. */
type Rows<Row> = PromiseLike<Row[]> & { _: { dialect: "sqlite"; result: Row[] } };

type ListRules<Row extends { id: string }, Shown, Sort extends string, Filters> = {
  select: (db: Db, where: SQL, order: SQL[], reader: Reader) => Rows<Row>;
  /** Names of the orders. The first is the default, newest first. */
  sorts: readonly [Sort, ...Sort[]];
  orders: { readonly [Name in Sort]: ListOrder<Row> } & { readonly created: ListOrder<Row> };
  /** The order of a list whose order nobody chooses. */
  orderOf?: (searchTerm: string) => { sort: Sort; direction: "asc" | "desc" };
  /** Reads the filters from a URL. What is not valid there is ignored, and may be named. */
  readFilters: (url: URL) => { filters: Filters; notices?: ListNotice[] };
  /** What the screen shows of a row. */
  show: (row: Row, reader: Reader) => Shown;
  /** Columns of an export: its header, and the cell of a row. A list without them has no export. */
  file?: { readonly [header: string]: (row: Row, reader: Reader) => Cell };
} & (SourceRules<Sort, Filters> | PartsRules<Filters>);

/** Rows of a table with a full-text search and a kept total. */
type SourceRules<Sort extends string, Filters> = {
  source: Source;
  /** Which rows have these filters, in a list of this order. */
  meets: (
    filters: Filters,
    sort: NoInfer<Sort> | "created",
    reader: Reader,
  ) => Omit<Criteria, "searchTerm">;
};

/** Rows of a table that says itself what a term finds, and through which index. */
type PartsRules<Filters> = {
  id: SQLiteColumn;
  /** The columns that find one row, where the id alone has no index. */
  key?: readonly SQLiteColumn[];
  parts: (filters: Filters, searchTerm: string, reader: Reader) => readonly Part[];
};

/** Which rows are asked for. `within` is a condition that few rows meet, so that a term needs no index among them. */
type Asked<Sort, Filters> = {
  searchTerm: string;
  filters: Filters;
  sort: Sort;
  direction: "asc" | "desc";
  within?: SQL | undefined;
};

type AskedPage<Sort, Filters> = Asked<Sort, Filters> & { after: After; limit: number };

/**
 * A list with search, filters and orders.
 *
 * - `load`: rows and state of its screen for a URL, in one round trip, or two when it counts first
 * - `loadWith`, `loadWithBoth`: the same with what else the screen shows, in the same round trips
 * - `page`: one page, for programs
 * - `export`: a file of every row that a URL asks for, newest first: a row that changes meanwhile stays in its place
 */
export function list<Row extends { id: string }, Shown, Sort extends string, Filters>(
  rules: ListRules<Row, Shown, Sort, Filters>,
) {
  const { sorts, orders, orderOf, select, readFilters, show, file = {} } = rules;
  const [id, key] = "source" in rules ? [rules.source.table.id, undefined] : [rules.id, rules.key];

  /** Returns how to select rows that are asked for, and the plan that finds them. */
  async function planFor(db: Db, asked: Asked<Sort | "created", Filters>, reader: Reader) {
    const { by, index } = orders[asked.sort];
    const order = { by, index, direction: asked.direction };
    const plan =
      "source" in rules
        ? await planOfSource(db, rules, asked, order, reader)
        : planOf(
            rules
              .parts(asked.filters, asked.searchTerm, reader)
              .map(({ from, where }) => ({ from, where: and(where, asked.within) })),
          );
    const selectPage = (after: After, limit: number) =>
      select(db, onPage(id, plan.parts, order, { after, limit, key }), orderBy(order, id), reader);
    return { plan, selectPage };
  }

  /** Reads one page, and what else is asked in the same batch. */
  async function readWith(
    db: Db,
    asked: AskedPage<Sort, Filters>,
    reader: Reader,
    beside: readonly Read<unknown>[] = [],
  ) {
    const { plan, selectPage } = await planFor(db, asked, reader);
    const [found, totals, ...others] = await db.batch([
      // One row more than the page shows whether there is a next page.
      selectPage(asked.after, asked.limit + 1),
      selectTotal(db, plan),
      ...beside.map((one) => one.select(db)),
    ]);
    const { rows, last, hasMore } = readPage(found, asked.limit);
    const cursor = last && { value: orders[asked.sort].valueOf(last), id: last.id };
    return { page: { rows, hasMore, total: readTotal(totals, plan), cursor }, others };
  }

  async function load(
    db: Db,
    url: URL,
    reader: Reader,
    within?: SQL,
    beside?: readonly Read<unknown>[],
  ) {
    const read = readListParams(url, sorts, "desc");
    const params = { ...read, ...orderOf?.(read.searchTerm) };
    const { filters, notices = [] } = readFilters(url);
    params.notices.push(...notices);
    const asked = { ...params, filters, within, limit: params.size * params.pages };
    const { page, others } = await readWith(db, asked, reader, beside);
    const rows = page.rows.map((row) => show(row, reader));
    const state = listState(params, { ...page, shown: rows.length });
    return { loaded: { rows, filters, state }, others };
  }

  /** Yields every row that a URL asks for, in chunks. */
  async function* all(db: Db, url: URL, reader: Reader, within?: SQL) {
    const { searchTerm } = readListParams(url, sorts, "desc");
    const { filters } = readFilters(url);
    const asked = { searchTerm, filters, within, sort: "created", direction: "desc" } as const;
    const { selectPage } = await planFor(db, asked, reader);
    yield* inChunks(selectPage, orders.created.valueOf);
  }

  return {
    async page(db: Db, asked: AskedPage<Sort, Filters>, reader: Reader) {
      const { page } = await readWith(db, asked, reader);
      return page;
    },

    async load(db: Db, url: URL, reader: Reader, within?: SQL) {
      const { loaded } = await load(db, url, reader, within);
      return loaded;
    },

    async loadWith<Found>(db: Db, url: URL, reader: Reader, beside: Read<Found>, within?: SQL) {
      const { loaded, others } = await load(db, url, reader, within, [beside]);
      return { loaded, beside: beside.means(others[0]) };
    },

    async loadWithBoth<One, Other>(
      db: Db,
      url: URL,
      reader: Reader,
      [one, other]: readonly [Read<One>, Read<Other>],
      within?: SQL,
    ) {
      const { loaded, others } = await load(db, url, reader, within, [one, other]);
      return { loaded, beside: [one.means(others[0]), other.means(others[1])] as const };
    },

    export(db: Db, url: URL, reader: Reader, within?: SQL) {
      const cells = Object.values(file);
      async function* rows() {
        for await (const chunk of all(db, url, reader, within)) {
          yield chunk.map((row) => cells.map((cell) => cell(row, reader)));
        }
      }
      return { header: Object.keys(file), rows: rows() };
    },
  };
}

/** Returns the plan for a source. What few rows meet is no part of the search: the term is looked for in those rows. */
function planOfSource<Sort extends string, Filters>(
  db: Db,
  { source, meets }: SourceRules<Sort, Filters>,
  { searchTerm, filters, sort, within }: Asked<Sort | "created", Filters>,
  order: Order,
  reader: Reader,
): Promise<ListPlan> {
  const criteria = meets(filters, sort, reader);
  if (!within) return choosePlan(db, source, { ...criteria, searchTerm }, order);
  const search = searchFor(source, searchTerm);
  const found = [...criteria.filters, within, ...(search ? [search.matches] : [])];
  return choosePlan(db, source, { ...criteria, searchTerm: "", filters: found }, order);
}
