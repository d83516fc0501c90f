import { AsyncLocalStorage } from "node:async_hooks";
import { D1_WAIT_MS } from "../values/platform-limits.ts";

// Every statement of the product goes through here: of requests, of the cron and of the objects
// that send. A wait for D1 has an end, and a lost connection is tried once more where that is safe
// (decision 071).

/** The database did not answer in time. A write may still take effect. */
class DatabaseSilence extends Error {
  override name = "DatabaseSilence";
}

/** What a request knows of its waits for the database. */
type Wait = {
  /** True once a statement was not answered in time. All others then fail at once. */
  isSilent: boolean;
  /** True once a statement has failed because the database was not available. */
  isUnavailable: boolean;
  /** True after the answer, from when only each statement has an end. */
  isAnswered: boolean;
  /** Ends the wait of each statement under way. */
  open: Set<() => void>;
  timer: ReturnType<typeof setTimeout> | undefined;
};

const currentWait = new AsyncLocalStorage<Wait>();
const isRepeatable = new AsyncLocalStorage<true>();

/** Wraps the database, so that no statement waits longer than `D1_WAIT_MS`. */
export function boundedD1(d1: D1Database): D1Database {
  return {
    prepare: (query) => new BoundedStatement(d1.prepare(query), /^\s*select\b/i.test(query)),
    batch<T>(statements: D1PreparedStatement[]) {
      const own = statements.filter((statement) => statement instanceof BoundedStatement);
      const isRead = own.every((statement) => statement.isRead);
      return ask(isRead, () => d1.batch<T>(own.map(({ statement }) => statement)));
    },
    exec: (query) => ask(false, () => d1.exec(query)),
    withSession: unused,
    dump: unused,
  };
}

/** These would wait without an end. */
function unused(): never {
  throw new Error("The product uses neither D1 sessions nor dumps");
}

class BoundedStatement implements D1PreparedStatement {
  readonly statement: D1PreparedStatement;
  readonly isRead: boolean;

  constructor(statement: D1PreparedStatement, isRead: boolean) {
    this.statement = statement;
    this.isRead = isRead;
  }

  bind(...values: unknown[]) {
    return new BoundedStatement(this.statement.bind(...values), this.isRead);
  }

  first<T>(column?: string): Promise<T | null> {
    const { statement } = this;
    return ask(this.isRead, () =>
      column === undefined ? statement.first<T>() : statement.first<T>(column),
    );
  }

  run<T>() {
    return ask(this.isRead, () => this.statement.run<T>());
  }

  all<T>() {
    return ask(this.isRead, () => this.statement.all<T>());
  }

  raw<T>(options: { columnNames: true }): Promise<[string[], ...T[]]>;
  raw<T>(options?: { columnNames?: false }): Promise<T[]>;
  async raw<T>(options?: { columnNames?: boolean }): Promise<T[] | [string[], ...T[]]> {
    const { statement } = this;
    if (!options?.columnNames) return ask(this.isRead, () => statement.raw<T>());
    return ask(this.isRead, () => statement.raw<T>({ columnNames: true }));
  }
}

/**
 * Answers a request whose statements share one wait: together they wait no longer than
 * `D1_WAIT_MS.request`, and after one that was not answered in time the others fail at once.
 * `isUnavailable` tells whether a statement has failed in that way.
 */
export async function withBoundedWait<T>(
  work: () => Promise<T>,
): Promise<{ result: T; isUnavailable: boolean }> {
  const wait: Wait = {
    isSilent: false,
    isUnavailable: false,
    isAnswered: false,
    open: new Set(),
    timer: undefined,
  };
  try {
    const result = await currentWait.run(wait, work);
    return { result, isUnavailable: wait.isUnavailable };
  } finally {
    wait.isAnswered = true;
    clearTimeout(wait.timer);
  }
}

/**
 * Runs writes that may be asked twice: asking a second time changes nothing that the first has not.
 * A lost connection does not tell whether a write took effect, so without this mark a write is
 * asked once.
 */
export function repeatable<T>(work: () => PromiseLike<T>): Promise<T> {
  return isRepeatable.run(true, async () => work());
}

/** True when an error or one of its causes says that the database is silent, or that its connection was lost. */
export function isUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseSilence || isLost(cause) || isOverloaded(cause)) return true;
  }
  return false;
}

/** True when an error or one of its causes is a lost connection: nothing tells whether the statement took effect. */
export function isConnectionLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isLost(cause)) return true;
  }
  return false;
}

/** The errors that Cloudflare's documentation calls transient ("Retry queries", "Debug D1"). */
function isLost({ message }: Error): boolean {
  return /Network connection lost|caused object to be reset|reset because its code was updated|Cannot resolve D1 DB/i.test(
    message,
  );
}

/** The database has too much to do. Another try would only add to it. */
function isOverloaded({ message }: Error): boolean {
  return /D1 DB is overloaded|Too many requests queued/i.test(message);
}

async function ask<T>(isRead: boolean, work: () => Promise<T>): Promise<T> {
  const store = currentWait.getStore();
  const wait = store?.isAnswered ? undefined : store;
  const mayRepeat = isRead || isRepeatable.getStore() === true;
  const waitMs = isRead ? D1_WAIT_MS.read : D1_WAIT_MS.write;
  try {
    return await inTime(wait, waitMs, work).catch((error) => {
      if (!mayRepeat || !isConnectionLost(error)) throw error;
      return inTime(wait, waitMs, work);
    });
  } catch (error) {
    if (wait && isUnavailable(error)) wait.isUnavailable = true;
    throw error;
  }
}

async function inTime<T>(
  wait: Wait | undefined,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  if (wait?.isSilent) throw new DatabaseSilence("The database has not answered this request");
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const end = () => {
    if (wait) wait.isSilent = true;
    reject(new DatabaseSilence("The database did not answer in time"));
  };
  if (wait) {
    wait.open.add(end);
    wait.timer ??= setTimeout(() => {
      wait.isSilent = true;
      for (const endOne of wait.open) endOne();
    }, D1_WAIT_MS.request);
  }
  const timer = setTimeout(end, waitMs);
  try {
    return await Promise.race([work(), silence]);
  } finally {
    clearTimeout(timer);
    wait?.open.delete(end);
  }
}
