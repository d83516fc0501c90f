// Wraps a D1 database, or a session of one, inside workerd. Not bundled: workerd loads this file as it is. The tests' probe
// and the weather of `npm start` both use it.

/**
 * Returns the database with `around` around each call: `around(work, call)` runs `work()`, or fails, or waits. `call` has
 * the number of `statements`, and `asked`, which is the same object when the same call is made again. Releases before
 * decision 071 open D1 sessions.
 */
export function aroundCalls(d1, around) {
  return {
    prepare: (sql) =>
      new Statement(d1.prepare(sql), /^\s*(insert|update|delete)/i.test(sql), around),
    batch: (statements) =>
      around(() => d1.batch(statements.map(({ statement }) => statement)), {
        statements: statements.length,
        asked: statements[0],
      }),
    exec: (sql) => around(() => d1.exec(sql), { statements: 1, asked: {} }),
    withSession(constraint) {
      return aroundCalls(d1.withSession(constraint), around);
    },
    getBookmark: () => d1.getBookmark(),
  };
}

class Statement {
  constructor(statement, isWrite, around) {
    this.statement = statement;
    this.isWrite = isWrite;
    this.around = around;
  }
  bind(...values) {
    return new Statement(this.statement.bind(...values), this.isWrite, this.around);
  }
  ask(work) {
    return this.around(work, { statements: 1, asked: this });
  }
  all() {
    return this.ask(() => this.statement.all());
  }
  run() {
    return this.ask(() => this.statement.run());
  }
  async raw(options) {
    if (!this.isWrite) return this.ask(() => this.statement.raw(options));
    // Rows of RETURNING, whose columns have different names; `raw` would not count what was written.
    const { results } = await this.ask(() => this.statement.all());
    return results.map((row) => Object.values(row));
  }
  first(column) {
    return this.ask(() => this.statement.first(column));
  }
}

/** What D1 throws when its connection is lost. */
export function lostConnection() {
  return new Error("D1_ERROR: Network connection lost.");
}

/** A call that is never answered. */
export function silence() {
  return new Promise(() => {});
}
