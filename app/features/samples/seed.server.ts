import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { demoFill } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DEMO_SIZE, demoAccountRows, type SampleSize, sampleTables } from "./sample-data.server.ts";
import { demoMemberRows } from "./sample-organizations.server.ts";
import type { Row } from "./sample-rows.ts";

// D1 accepts a value of at most 2 MB; this number of rows of any table stays well below.
const ROWS_A_STATEMENT = 2500;

/** A fill that takes longer has failed, and another may begin. */
const CLAIM_MS = 60_000;

/**
 * Adds sample data to a migrated database and reports the progress of each table. A second run adds nothing. The audit
 * rows that triggers write get random ids.
 */
export async function seed(
  db: Db,
  size: SampleSize,
  now: Date,
  onProgress: (table: string, done: number, total: number) => void = () => {},
): Promise<void> {
  for (const { table, count, rowsOf } of sampleTables(size, startOfDay(now))) {
    let rows: Row[] = [];
    for (let index = 0; index < count; index++) {
      rows.push(...rowsOf(index));
      if (rows.length < ROWS_A_STATEMENT && index < count - 1) continue;
      await insert(db, table, rows);
      onProgress(table, index + 1, count);
      rows = [];
    }
  }
}

/** Adds the sample user and the sample manager of a demonstration's login screen. */
export async function addDemoAccounts(db: Db, now: Date): Promise<void> {
  await insert(db, "user", demoAccountRows(startOfDay(now)));
}

/** Makes the sample user a member of three sample organizations. */
export async function addDemoMemberships(db: Db, now: Date): Promise<void> {
  await insert(db, "member", demoMemberRows(startOfDay(now)));
}

/**
 * Fills an empty database with a demonstration's sample data, once. Only one of several simultaneous calls fills it.
 * After a call that failed half-way, the first call a minute later finishes the work. A database with other rows is not
 * changed.
 */
export async function fillDemo(db: Db, now: Date): Promise<void> {
  const claimed = await db.run(sql`
    INSERT INTO demo_fill (id, claimed_at) SELECT 1, ${now.getTime()}
    WHERE NOT EXISTS (SELECT 1 FROM user) OR EXISTS (SELECT 1 FROM demo_fill)
    ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
    WHERE filled_at IS NULL AND claimed_at <= ${now.getTime() - CLAIM_MS}`);
  if (claimed.meta.changes === 0) return;
  await addDemoAccounts(db, now);
  await seed(db, DEMO_SIZE, now);
  await addDemoMemberships(db, now);
  await db.update(demoFill).set({ filledAt: now }).where(eq(demoFill.id, 1));
}

/**
 * Returns a function that fills a demonstration after the first request of an isolate. A failure is logged, and the
 * next request or the cron tries again.
 */
export function createDemoFill(db: Db): (now: Date) => Promise<void> {
  let isAsked = false;
  return async (now) => {
    if (isAsked) return;
    isAsked = true;
    try {
      await fillDemo(db, now);
    } catch (error) {
      isAsked = false;
      log("error", "demo.fill_failed", describeError(error));
    }
  };
}

/** Inserts rows through one bound parameter, because D1 allows 100 parameters in a statement. */
async function insert(db: Db, table: string, rows: Row[]): Promise<void> {
  if (!rows[0]) return;
  const columns = Object.keys(rows[0]);
  const values = columns.map((column) => `value ->> '${column}'`);
  await db.run(sql`
    INSERT OR IGNORE INTO ${sql.raw(table)} (${sql.raw(columns.join(", "))})
    SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)})`);
}

function startOfDay(now: Date): number {
  return new Date(now).setUTCHours(0, 0, 0, 0);
}
