import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./db.server.ts";
import { type RowOf, rowValues } from "./row-values.ts";
import { auditEvent } from "./schema/schema.ts";

// A change, its audit event and what follows are one batch. SQLite's `changes()` is about the
// previous statement only, so only this file asks it, right after the change. What follows asks for
// the written event, so its order is free.

type Statement = BatchItem<"sqlite">;
/** Statements by name, in the order in which they run. */
type Statements = Record<string, Statement | readonly Statement[]>;
type None = Record<never, never>;

type ResultOf<S> = S extends Statement
  ? S["_"]["result"]
  : S extends readonly (infer One extends Statement)[]
    ? One["_"]["result"][]
    : never;
type ResultsOf<S> = { [Name in keyof S]: ResultOf<S[Name]> };

/** An audit event; its id and its time identify the change in the rest of the batch. */
export type EventRow = RowOf<typeof auditEvent> & { id: string; createdAt: Date };

class Condition implements SQLWrapper {
  readonly #sql: SQL;

  constructor(condition: SQL) {
    this.#sql = condition;
  }

  getSQL(): SQL {
    return this.#sql;
  }
}

/** SQL condition: the change of this batch was made. Only the functions of this file make one. */
export type Changed = Condition;

type Batch<B, A> = {
  event: EventRow;
  /** Statements before the change that run in any case. */
  before?: B;
  /** Statements that run in any case, such as reads that explain a refusal. */
  after?: A;
};

/** Whether the change was made, and the result of each statement by its name. */
type Outcome<B, N, A> = { isChanged: boolean } & ResultsOf<B> & ResultsOf<N> & ResultsOf<A>;

/**
 * Makes a change and, only if it changed a row, writes its audit event and the statements of `next`, which may stand in
 * any order. The change's own result is `changed`.
 */
export async function changeAndRecord<
  C extends Statement,
  B extends Statements = None,
  N extends Statements = None,
  A extends Statements = None,
>(
  db: Db,
  {
    change,
    event,
    next,
    before,
    after,
  }: Batch<B, A> & { change: C; next?: (isChanged: Changed) => N },
): Promise<Outcome<B, N & { changed: C }, A>> {
  const [changed, recorded] = recordedChange(db, change, event);
  return run(db, named(before, { changed, recorded }, next?.(isRecorded(event)), after));
}

/**
 * The same for a change that is made only if the statement before it changed a row: one that spends
 * a one-time code.
 */
export async function spendAndRecord<
  S extends Statement,
  C extends Statement,
  N extends Statements = None,
  A extends Statements = None,
>(
  db: Db,
  {
    spend,
    change,
    ...batch
  }: Batch<None, A> & {
    spend: S;
    change: (isSpent: Changed) => C;
    next?: (isChanged: Changed) => N;
  },
): Promise<Outcome<{ spent: S }, N & { changed: C }, A>> {
  const [spent, changed] = spending(spend, change);
  return changeAndRecord(db, { ...batch, before: { spent }, change: changed });
}

/** Statement that spends a one-time code, and the one that may run only if it did, in this order. */
export function spending<S extends Statement, N extends Statement>(
  spend: S,
  next: (isSpent: Changed) => N,
): readonly [S, N] {
  return [spend, next(previousChanged())];
}

/** A change and the statement that records it if it changed a row, in this order: for a larger batch. */
export function recordedChange<C extends Statement>(db: Db, change: C, event: EventRow) {
  return [change, insertEvent(db, event, previousChanged())] as const;
}

/**
 * Writes an audit event if `when` holds, then runs `changes`, which ask nothing but whether the event was written. For
 * events that hold what was there before.
 */
export async function recordAndChange<
  N extends Statements,
  B extends Statements = None,
  A extends Statements = None,
>(
  db: Db,
  {
    when,
    event,
    changes,
    before,
    after,
  }: Batch<B, A> & { when: SQLWrapper; changes: (isRecorded: Changed) => N },
): Promise<Outcome<B, N, A>> {
  const recorded = insertEvent(db, event, when);
  return run(db, named(before, { recorded }, changes(isRecorded(event)), after));
}

/** Statement that writes an audit event, if the condition holds. */
export function insertEvent(db: Db, event: EventRow, condition: SQLWrapper = sql`true`) {
  const values = rowValues(auditEvent, event);
  return db.insert(auditEvent).select(sql`SELECT ${values} WHERE ${condition}`);
}

function previousChanged(): Changed {
  return new Condition(sql`changes() > 0`);
}

function isRecorded({ id, createdAt }: EventRow): Changed {
  const isEvent = and(eq(auditEvent.createdAt, createdAt), eq(auditEvent.id, id));
  return new Condition(sql`EXISTS (SELECT 1 FROM ${auditEvent} WHERE ${isEvent})`);
}

/** Joins statements in their order. Throws for a name that is there twice: one of the two would never run. */
function named<Own extends Statements>(
  before: Statements | undefined,
  own: Own,
  next: Statements | undefined,
  after: Statements | undefined,
): Statements & Own {
  const parts = [before, own, next, after].flatMap((part) => Object.entries(part ?? {}));
  const names = parts.map(([name]) => name);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated) throw new Error(`A batch has two statements with the name ${repeated}`);
  return Object.fromEntries(parts) as Statements & Own;
}

/** Runs the statements as one batch and returns their results by name. */
async function run<Results>(
  db: Db,
  statements: Statements & { recorded: Statement },
): Promise<Results & { isChanged: boolean }> {
  const [first = statements.recorded, ...rest] = Object.values(statements).flat();
  const results: unknown[] = await db.batch([first, ...rest]);
  const named = Object.entries(statements).map(([name, one]) => [
    name,
    Array.isArray(one) ? results.splice(0, one.length) : results.shift(),
  ]);
  // Drizzle types the results by position, not by name.
  const byName = Object.fromEntries(named) as Results & { recorded: D1Result };
  return Object.assign(byName, { isChanged: byName.recorded.meta.changes > 0 });
}
