import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { counter } from "../../db/schema/schema.ts";
import type { Criteria, ListTotal, Order, Source } from "./list-query.server.ts";
import { searchFor } from "./search.server.ts";

/**
 * Up to this many rows that a term or a range of days has are fetched and sorted. With more, the
 * order's index is read.
 */
const FEW = 20_000;
/** Above this the total is shown as "1,000+". */
const TOTAL_CAP = 1_000;

/** A set of rows: the table, with the index to read, and the condition. */
export type Part = { from: SQL; where: SQL | undefined };

export type ListPlan = {
  /** Sets that share no row. More than one where no single index has the rows in their order. */
  parts: readonly Part[];
  /** The rows to count, which need no order, their number, or the counter of all rows that triggers keep. */
  total: { rows: SQL } | { counted: number } | { counter: string };
};

/** Returns the plan for sets of rows that are counted as they are read. */
export function planOf(parts: readonly Part[]): ListPlan {
  const rows = parts.map(({ from, where }) => sql`SELECT 1 FROM ${from} WHERE ${where ?? sql`1`}`);
  return { parts, total: { rows: sql.join(rows, sql` UNION ALL `) } };
}

/**
 * Chooses one of two ways to read a list (decision 017). A term or a range of days that few rows have: those rows,
 * filtered and sorted. Everything else: the index of the list's order or of a rare state, with the criteria as plain
 * conditions. With a term or such a range it counts first, in one round trip; else it asks nothing.
 */
export async function choosePlan(
  db: Db,
  source: Source,
  { searchTerm, filters, days = [], rareIndex }: Criteria,
  { index }: Order,
): Promise<ListPlan> {
  const { table, name } = source;
  const search = searchFor(source, searchTerm);
  const found = [
    ...(search ? [search] : []),
    ...days.map((matches) => ({
      matches,
      rows: sql`SELECT ${table}.rowid FROM ${table} WHERE ${matches}`,
    })),
  ];
  const criteria = [...filters, ...found.map(({ matches }) => matches)];
  const where = and(...criteria);
  const inOrder: ListPlan = {
    parts: [{ from: indexed(table, rareIndex ?? index), where }],
    total: where
      ? { rows: sql`SELECT 1 FROM ${indexed(table, rareIndex)} WHERE ${where}` }
      : { counter: name },
  };
  // The index of a rare state has few rows too, so a range of days needs no count.
  const [first, ...others] = rareIndex ? found.slice(0, search ? 1 : 0) : found;
  if (!first) return inOrder;
  const counts = await db.batch([
    countRows(db, first.rows, FEW),
    ...others.map(({ rows }) => countRows(db, rows, FEW)),
  ]);
  const [fewest] = [first, ...others]
    .map((one, position) => ({ ...one, count: counts[position]?.[0]?.count ?? 0 }))
    .toSorted((one, other) => one.count - other.count);
  if (!fewest) return inOrder;
  const counted = criteria.length === 1 ? { total: { counted: fewest.count } } : undefined;
  if (fewest.count > FEW) return { ...inOrder, ...counted };
  const rest = criteria.filter((one) => one !== fewest.matches);
  const isFound = and(sql`${table}.rowid IN (${fewest.rows})`, ...rest);
  return { ...planOf([{ from: indexed(table), where: isFound }]), ...counted };
}

/** SQL for a table that is read through an index; without a name SQLite chooses one. */
export function indexed(table: SQLiteTable, index?: string): SQL {
  return index ? sql`${table} INDEXED BY ${sql.raw(index)}` : sql`${table}`;
}

/** Returns the statement for the total of a list: counted up to 1,001 with criteria, else kept by triggers. */
export function selectTotal(db: Db, { total }: ListPlan, cap = TOTAL_CAP) {
  if ("rows" in total) return countRows(db, total.rows, cap);
  if ("counted" in total)
    return db.select({ count: sql<number>`${total.counted}` }).from(sql`(SELECT 1)`);
  return db
    .select({ count: sql<number>`${counter.value}` })
    .from(counter)
    .where(eq(counter.name, total.counter));
}

/** Statement that counts the rows of a SELECT, up to one more than `most`. */
export function countRows(db: Db, rows: SQL, most = TOTAL_CAP) {
  // A literal, because D1 binds every number as a REAL.
  const limited = sql`(SELECT 1 FROM (${rows}) LIMIT ${sql.raw(String(most + 1))})`;
  return db.select({ count: sql<number>`count(*)` }).from(limited);
}

/** Turns the number of a list's rows into a total. Only what is counted has a cap. */
export function readTotal(rows: { count: number }[], plan?: ListPlan): ListTotal {
  const count = rows[0]?.count ?? 0;
  const isKept = plan && "counter" in plan.total;
  const isCapped = !isKept && count > TOTAL_CAP;
  return { count: isCapped ? TOTAL_CAP : count, isCapped };
}
