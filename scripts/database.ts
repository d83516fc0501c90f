import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import { readSite } from "./setup/toml.ts";
import { fail } from "./terminal.ts";
import { LOCAL_STATE } from "./worker.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../migrations");

/**
 * Runs work on the local D1 of `npm start`, `npm run dev` and `wrangler`. All share one file, and only one may write at
 * a time.
 */
export async function withLocalDatabase<T>(work: (d1: D1Database) => Promise<T>): Promise<T> {
  // wrangler's own proxy would warn here that it cannot run the sender of mails.
  const miniflare = new Miniflare({
    resourcePersistencePath: LOCAL_STATE,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: "database",
          compatibilityDate: "2026-09-01",
          manifest: {
            mainModule: "index.js",
            modulesRoot: MIGRATIONS,
            modules: { "index.js": { type: "esm", contents: "export default {};" } },
          },
          env: { DB: { type: "d1", id: readSite("")?.databaseId ?? "DB" } },
        },
      },
    ],
  });
  try {
    return await work(await miniflare.getD1Database("DB"));
  } catch (error) {
    if (String(error).includes("SQLITE_BUSY")) {
      fail("The local database is in use. Stop npm start or npm run dev, then try again.");
    }
    throw error;
  } finally {
    await miniflare.dispose();
  }
}

/**
 * Applies `migrations/` to a D1 and returns the names of the applied files. Each file is one transaction and is
 * recorded in the table of `wrangler d1 migrations`, so that both agree.
 */
export async function applyMigrations(d1: D1Database) {
  // First, because it takes seconds on a busy machine, and a connection to the database would be closed meanwhile.
  const { unstable_splitSqlQuery: splitStatements } = await import("wrangler");
  await d1
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         name TEXT UNIQUE,
         applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
       )`,
    )
    .run();
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const pending = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql") && !applied.has(name))
    .sort();
  if (pending.length === 0) return pending;

  for (const name of pending) {
    const statements = splitStatements(readFileSync(join(MIGRATIONS, name), "utf8"));
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return pending;
}
