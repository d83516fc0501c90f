import { DatabaseSync } from "node:sqlite";
import { type Answer, type Call, ok, refuse } from "./cloudflare-answers.ts";

type Database = { uuid: string; name: string; location?: string; sqlite: DatabaseSync };

/** The databases of the account, each in the memory of this process, and the answers about them. */
export function makeDatabases() {
  const all: Database[] = [];

  function list() {
    return ok(all.map(describeDatabase));
  }

  function read({ params }: Call) {
    return withDatabase(params, describeDatabase);
  }

  function describeDatabase({ uuid, name, sqlite }: Database) {
    const { count } = sqlite.prepare("SELECT count(*) AS count FROM sqlite_master").get() ?? {};
    return {
      uuid,
      name,
      created_at: "2026-11-22T00:00:00Z",
      version: "production",
      num_tables: count,
    };
  }

  function create({ body }: Call) {
    const { name, primary_location_hint: location } = JSON.parse(String(body));
    if (all.some((database) => database.name === name)) {
      return refuse(400, 7502, `database with name '${name}' already exists`);
    }
    const sqlite = new DatabaseSync(":memory:");
    const database = { uuid: crypto.randomUUID(), name, location, sqlite };
    all.push(database);
    return ok(describeDatabase(database));
  }

  function withDatabase([key]: string[], read: (database: Database) => unknown): Answer {
    const database = all.find(({ uuid, name }) => uuid === key || name === key);
    return database
      ? ok(read(database))
      : refuse(404, 7404, `The database ${key} could not be found`);
  }

  function query({ params, body }: Call) {
    const { sql } = JSON.parse(String(body));
    const meta = { duration: 0, rows_read: 0, rows_written: 0, changes: 0, size_after: 0 };
    try {
      return withDatabase(params, ({ sqlite }) => {
        const isRead = /^\s*SELECT\b/i.test(sql);
        const results = isRead ? sqlite.prepare(sql).all() : [];
        if (!isRead) sqlite.exec(sql);
        return [{ results, success: true, meta }];
      });
    } catch (error) {
      return refuse(400, 7500, String(error));
    }
  }

  return { all, list, create, read, query };
}
