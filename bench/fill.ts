import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type SampleSize, sampleTables } from "../app/features/samples/sample-data.server.ts";
import { SERVER_FEATURES } from "../app/features.server.ts";

const ROWS_A_STATEMENT = 2_500;
const DAY_MS = 86_400_000;

/** Request data of every event. */
const DEVICE = {
  ip_address: "198.51.100.7",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  place: "Nairobi, Kenya",
};

/** Returns the file of the local D1 database in the folder where a worker keeps its data. */
export function databaseFile(persist: string): string {
  const folder = join(persist, "d1/miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (!file) throw new Error(`There is no database in ${folder}`);
  return join(folder, file);
}

/**
 * Fills a migrated, empty database while no worker has it open. Every user signs in once in 30 days; the mails, code
 * events and sessions of these sign-ins are included, as many as the cron keeps. `today` is the start of a day in
 * milliseconds; no row is later.
 *
 * Indexes and full-text tables are made after all rows are inserted, which takes a fraction of the time. Other triggers
 * run for each row as usual.
 */
export function fillDatabase(file: string, size: SampleSize, today: number): void {
  // Works on a copy: the worker that migrated the file may still hold it, and then it keeps its journal.
  const copy = `${file}.filling`;
  const migrated = new DatabaseSync(file);
  migrated.prepare("VACUUM INTO ?").run(copy);
  migrated.close();
  const database = new DatabaseSync(copy);
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY;
    BEGIN;`);
  const restore = setAside(database);
  const ofFeatures = SERVER_FEATURES.samples.map((samples) => samples(size, today));
  const tables = [sampleTables(size, today), ...ofFeatures];
  for (const { table, count, rowsOf } of tables.flat()) {
    const rows = table === "audit_event" ? eventsOf(rowsOf, today) : rowsOf;
    insertSample(database, table, count, rows);
  }
  insertSignIns(database, today);
  restore();
  for (const table of ["user", "repository", "organization"]) {
    database.exec(`INSERT INTO ${table}_search (${table}_search) VALUES ('rebuild')`);
  }
  database.exec("COMMIT; PRAGMA journal_mode = WAL;");
  database.close();
  for (const rest of ["-wal", "-shm"]) rmSync(file + rest, { force: true });
  renameSync(copy, file);
}

/**
 * Drops indexes, and the triggers of full-text tables and sessions. Returns a function that makes them again. The
 * triggers of what organizations hold look rows up by their indexes, so these stay.
 */
function setAside(database: DatabaseSync): () => void {
  // The sample has its own sign-in events, so sessions must not record theirs.
  const objects = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema
       WHERE type = 'index' AND sql IS NOT NULL
         AND tbl_name NOT IN ('member', 'team', 'team_member', 'invitation', 'organization_repository')
         OR type = 'trigger' AND (name GLOB '*_search_*' OR tbl_name = 'session')`,
    )
    .all();
  for (const { type, name } of objects) database.exec(`DROP ${type} "${name}"`);
  return () => {
    for (const { sql } of objects) database.exec(String(sql));
  };
}

type Row = Record<string, string | number | null>;

/**
 * Returns the sample's events with request data, and one sign-in of each user: of every second user
 * in the last 30 days, of the others when they signed up.
 */
function eventsOf(rowsOf: (index: number) => Row[], today: number): (index: number) => Row[] {
  return (index) =>
    rowsOf(index).map((row, _, [onboarding]) => {
      const signIn = index % 2 ? onboarding?.created_at : signInOf(index + 1, today);
      return { ...row, ...DEVICE, ...(row.action === "user.signed_in" && { created_at: signIn }) };
    });
}

/** Returns the time of a user's last sign-in, on one of the last 30 days, by the user's rowid. */
function signInOf(rowid: number, today: number): number {
  return today - (rowid % 30) * DAY_MS - ((rowid * 7919) % DAY_MS);
}

function insertSample(
  database: DatabaseSync,
  table: string,
  count: number,
  rowsOf: (index: number) => Row[],
): void {
  for (let start = 0; start < count; start += ROWS_A_STATEMENT) {
    const length = Math.min(ROWS_A_STATEMENT, count - start);
    const rows = Array.from({ length }, (_, index) => rowsOf(start + index)).flat();
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`);
    database
      .prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`,
      )
      .run(JSON.stringify(rows));
  }
}

/**
 * Adds one sign-in of each user in 30 days, with a mail and a session, and the code events of 60 days: two sign-ins of
 * each user.
 */
function insertSignIns(database: DatabaseSync, today: number): void {
  // Same as `signInOf`, and one period earlier.
  const moment = (days: number) =>
    `${today} - (rowid % 30 + ${days}) * ${DAY_MS} - rowid * 7919 % ${DAY_MS}`;
  const random = (length: number) => `lower(hex(randomblob(${length / 2})))`;
  database.exec(`
    INSERT INTO mail_outbox
      (id, kind, recipient, language, state, tries, next_try_at, expires_at, provider_id, sent_at, created_at)
    SELECT ${random(36)}, 'login-code', email, coalesce(language, 'en'), iif(rowid % 1000, 'sent', 'failed'), 1,
      at, at + 300000, ${random(36)}, at + 400, at
    FROM (SELECT *, rowid, ${moment(0)} AS at FROM user);
    INSERT INTO session (id, token, user_id, expires_at, ip_address, user_agent, last_seen_at, created_at, updated_at)
    SELECT ${random(32)}, ${random(32)}, id, at + 30 * ${DAY_MS}, '${DEVICE.ip_address}', '${DEVICE.user_agent}', at, at, at
    FROM (SELECT *, rowid, ${moment(0)} AS at FROM user WHERE banned = 0 AND email_verified = 1);`);
  for (const days of [0, 30]) {
    for (const [kind, part] of [
      ["sent", 1],
      ["failed", 20],
    ] as const) {
      database.exec(`
        INSERT INTO code_event (id, budget, kind, created_at)
        SELECT ${random(36)}, substr(hex(id) || hex(id), 1, 43), '${kind}', ${moment(days)} FROM user
        WHERE rowid / 30 % ${part} = 0`);
    }
  }
}
