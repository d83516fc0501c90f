import type { BetterAuthOptions, DBAdapter, Where } from "better-auth";
import { getAuthTables } from "better-auth/db";

type Row = Record<string, unknown>;

/** All rows of a model that have these values in these fields, or none if there are none. */
type Known = { model: string; values: Row; rows: Row[]; isTaken: boolean };

/** The rows that one call has read before better-auth asks for them. */
export type RowsAhead = { known: Known[] };

/** Adds all rows of a model that have these values in these fields. */
export function know(ahead: RowsAhead, model: string, values: Row, rows: Row[]): void {
  add(ahead, { model, values, rows, isTaken: false });
}

/**
 * Adds rows that this call has taken out of the database, so that no other call can use them. What
 * better-auth deletes of them is deleted already.
 */
export function take(ahead: RowsAhead, model: string, values: Row, rows: Row[]): void {
  add(ahead, { model, values, rows, isTaken: true });
}

function add(ahead: RowsAhead, known: Known): void {
  const byId = known.rows.map((row) => ({ ...known, values: { id: row.id }, rows: [row] }));
  ahead.known.push(known, ...byId);
}

type Query = { model: string; where?: Where[]; join?: object };

/**
 * Returns better-auth's adapter with the rows that a call has read ahead: reads find them, and a
 * write forgets those of its model. Every other query goes to the database, so what is read ahead
 * only saves round trips.
 */
export function withRowsAhead(
  adapter: DBAdapter,
  options: BetterAuthOptions,
  current: () => RowsAhead | undefined,
): DBAdapter {
  const tables = getAuthTables(options);

  /** Returns the known rows that a query asks for, without columns that better-auth does not know. */
  function find({ model, where = [], join = {} }: Query): Row[] | undefined {
    if (!where.every(isEquality)) return undefined;
    const joined = Object.keys(join);
    const rows = current()
      ?.known.find(
        (one) =>
          one.model === model &&
          Object.entries(one.values).every(([name, wanted]) =>
            where.some(({ field, value }) => field === name && value === wanted),
          ) &&
          one.rows.every((row) => joined.every((name) => name in row)),
      )
      ?.rows.filter((row) => where.every(({ field, value }) => row[field] === value));
    const fields = ["id", ...Object.keys(tables[model]?.fields ?? {}), ...joined];
    return rows?.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]])));
  }

  /** Returns the taken row that a query deletes, and forgets it. */
  function spend(query: Query): Row | undefined {
    const ahead = current();
    const [row] = find(query) ?? [];
    const isOfRow = (one: Known) =>
      one.isTaken && one.model === query.model && one.rows.some(({ id }) => id === row?.id);
    if (!ahead?.known.some(isOfRow)) return undefined;
    ahead.known = ahead.known.filter((one) => !isOfRow(one));
    return row;
  }

  /** Returns a write that forgets the rows of its model. */
  function forgetting<Write extends { model: string }, Result>(
    write: (query: Write) => Promise<Result>,
  ) {
    return (query: Write) => {
      const ahead = current();
      if (ahead) {
        ahead.known = ahead.known.filter((one) => one.isTaken || one.model !== query.model);
      }
      return write(query);
    };
  }

  const consume = forgetting(adapter.consumeOne);
  const remove = forgetting(adapter.delete);
  // The rows are of the type that better-auth asks for: its columns are columns of the tables.
  const withRows: DBAdapter = {
    ...adapter,
    async findOne(query) {
      const rows = find(query);
      return rows ? ((rows[0] ?? null) as never) : adapter.findOne(query);
    },
    async findMany(query) {
      const rows = find(query);
      // Of several rows the database decides the order.
      return rows && rows.length < 2 ? (rows as never) : adapter.findMany(query);
    },
    async consumeOne(query) {
      return (spend(query) ?? (await consume(query))) as never;
    },
    async delete(query) {
      if (!spend(query)) await remove(query);
    },
    create: forgetting(adapter.create) as DBAdapter["create"],
    update: forgetting(adapter.update) as DBAdapter["update"],
    updateMany: forgetting(adapter.updateMany),
    deleteMany: forgetting(adapter.deleteMany),
    incrementOne: forgetting(adapter.incrementOne) as DBAdapter["incrementOne"],
    // D1 has no transactions, so a transaction is this adapter itself.
    transaction: (work) => work(withRows),
  };
  return withRows;
}

function isEquality({ operator = "eq", connector = "AND" }: Where): boolean {
  return operator === "eq" && connector === "AND";
}
