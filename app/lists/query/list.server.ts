import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import type { Cell } from "./csv.ts";
import { type ListNotice, readListParams } from "./list-params.ts";
import type { After, Criteria, Source } from "./list-query.server.ts";
import { listState } from "./list-state.ts";
import { onPage, orderBy, readPage } from "./page.server.ts";
import { choosePlan, readTotal, selectTotal } from "./plan.server.ts";
import { searchFor } from "./search.server.ts";

/** Rows that an export reads at a time. */
const CHUNK = 500;

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
  source: Source;
  select: (db: Db, where: SQL, order: SQL[]) => Rows<Row>;
  /** Names of the orders. The first is the default, newest first. */
  sorts: readonly [Sort, ...Sort[]];
  orders: { readonly [Name in Sort]: ListOrder<Row> } & { readonly created: ListOrder<Row> };
  /** Reads the filters from a URL. What is not valid there is ignored, and may be named. */
  readFilters: (url: URL) => { filters: Filters; notices?: ListNotice[] };
  /** Which rows have these filters, in a list of this order. */
  meets: (
    filters: Filters,
    sort: NoInfer<Sort> | "created",
    reader: Reader,
  ) => Omit<Criteria, "searchTerm">;
  /** What the screen shows of a row. */
  show: (row: Row, reader: Reader) => Shown;
  /** Columns of an export: its header, and the cell of a row. */
  file: { readonly [header: string]: (row: Row, reader: Reader) => Cell };
};

/** Which rows are asked for. `within` is a condition that few rows meet, so that a term needs no index among them. */
type Asked<Sort> = {
  searchTerm: string;
  sort: Sort;
  direction: "asc" | "desc";
  within?: SQL | undefined;
};

type PageOf<Sort> = Asked<Sort> & { after: After; limit: number };

/**
 * A list of one source, with search, filters and orders.
 *
 * - `load`: rows and state of its screen for a URL, in one round trip, or two when it counts first
 * - `page`: one page, for programs
 * - `export`: a file of every row that a URL asks for, newest first: a row that changes meanwhile stays in its place
 */
export function list<Row extends { id: string }, Shown, Sort extends string, Filters>(
  rules: ListRules<Row, Shown, Sort, Filters>,
) {
  const { source, sorts, orders, select, readFilters, meets, show, file } = rules;
  const { id } = source.table;

  async function planOf(
    db: Db,
    asked: Asked<Sort | "created">,
    criteria: Omit<Criteria, "searchTerm">,
  ) {
    const { sort, direction, searchTerm, within } = asked;
    const { by, index } = orders[sort];
    const order = { by, direction, index };
    const search = within && searchFor(source, searchTerm);
    const plan = await choosePlan(
      db,
      source,
      {
        ...criteria,
        searchTerm: within ? "" : searchTerm,
        filters: [...criteria.filters, within, search?.matches].filter((one) => one !== undefined),
      },
      order,
    );
    return { plan, order };
  }

  async function page(db: Db, asked: PageOf<Sort>, criteria: Omit<Criteria, "searchTerm">) {
    const { after, limit, sort } = asked;
    const { plan, order } = await planOf(db, asked, criteria);
    const [found, totals] = await db.batch([
      // One row more than the page shows whether there is a next page.
      select(db, onPage(id, plan, order, { after, limit: limit + 1 }), orderBy(order, id)),
      selectTotal(db, source, plan),
    ]);
    const { rows, last, hasMore } = readPage(found, limit);
    const total = readTotal(totals, plan.where !== undefined);
    const cursor = last && { value: orders[sort].valueOf(last), id: last.id };
    return { rows, hasMore, total, cursor };
  }

  /** Yields every row that a URL asks for, in chunks. */
  async function* all(db: Db, url: URL, reader: Reader) {
    const { searchTerm } = readListParams(url, sorts, "desc");
    const criteria = meets(readFilters(url).filters, "created", reader);
    const asked = { searchTerm, sort: "created", direction: "desc" } as const;
    const { plan, order } = await planOf(db, asked, criteria);
    let after: After;
    do {
      const where = onPage(id, plan, order, { after, limit: CHUNK });
      const rows = await select(db, where, orderBy(order, id));
      yield rows;
      const last = rows.length === CHUNK ? rows.at(-1) : undefined;
      after = last && { value: orders.created.valueOf(last), id: last.id };
    } while (after);
  }

  return {
    page: (db: Db, asked: PageOf<Sort>) => page(db, asked, { filters: [] }),

    async load(db: Db, url: URL, reader: Reader, within?: SQL) {
      const params = readListParams(url, sorts, "desc");
      const { filters, notices = [] } = readFilters(url);
      params.notices.push(...notices);
      const limit = params.size * params.pages;
      const found = await page(
        db,
        { ...params, limit, within },
        meets(filters, params.sort, reader),
      );
      const rows = found.rows.map((row) => show(row, reader));
      return { rows, filters, state: listState(params, { ...found, shown: rows.length }) };
    },

    export(db: Db, url: URL, reader: Reader) {
      const cells = Object.values(file);
      async function* rows() {
        for await (const chunk of all(db, url, reader)) {
          yield chunk.map((row) => cells.map((cell) => cell(row, reader)));
        }
      }
      return { header: Object.keys(file), rows: rows() };
    },
  };
}
