import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import type { SampleSize, Samples } from "../samples/sample-data.server.ts";
import { type Row, sampleId } from "../samples/sample-rows.ts";
import { insertSample, seed, startOfDay } from "../samples/seed.server.ts";
import { DEMO_ACCOUNTS } from "./accounts.ts";
import { demoFill } from "./tables.server.ts";

/** Size of a demonstration's sample data: some 30,000 written rows and index entries in one request. */
export const DEMO_SIZE: SampleSize = { users: 600, organizations: 30, things: 120 };

/** A fill that takes longer has failed, and another may begin. */
const CLAIM_MS = 60_000;

/** Databases of this isolate that were filled, or are being filled. */
const asked = new WeakSet<Db>();

/** Adds what is missing of a demonstration's sample data and accounts. Returns the size of the sample data. */
export async function addDemoSample(
  db: Db,
  now: Date,
  samples: readonly Samples[],
): Promise<SampleSize> {
  const today = startOfDay(now);
  await insertSample(db, "user", accountRows(today));
  await seed(db, DEMO_SIZE, now, samples);
  await insertSample(db, "member", memberRows(today));
  return DEMO_SIZE;
}

/**
 * Fills an empty database with a demonstration's sample data, once. Only one of several simultaneous calls fills it.
 * After a call that failed half-way, the first call a minute later finishes the work. A database with other rows is not
 * changed.
 */
export async function fillDemo(db: Db, now: Date, samples: readonly Samples[]): Promise<void> {
  const claimed = await db.run(sql`
    INSERT INTO demo_fill (id, claimed_at) SELECT 1, ${now.getTime()}
    WHERE NOT EXISTS (SELECT 1 FROM user) OR EXISTS (SELECT 1 FROM demo_fill)
    ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
    WHERE filled_at IS NULL AND claimed_at <= ${now.getTime() - CLAIM_MS}`);
  if (claimed.meta.changes === 0) return;
  await addDemoSample(db, now, samples);
  await db.update(demoFill).set({ filledAt: now }).where(eq(demoFill.id, 1));
}

/**
 * Fills a demonstration after the first request of an isolate. A failure is logged, and the next request or the cron
 * tries again.
 */
export async function fillDemoOnce(db: Db, now: Date, samples: readonly Samples[]): Promise<void> {
  if (asked.has(db)) return;
  asked.add(db);
  try {
    await fillDemo(db, now, samples);
  } catch (error) {
    asked.delete(db);
    log("error", "demo.fill_failed", describeError(error));
  }
}

function accountId(index: number) {
  return sampleId("demo-account", index);
}

/** Rows of the two accounts that the login screen offers. */
function accountRows(today: number): Row[] {
  return Object.values(DEMO_ACCOUNTS).map(({ name, email, role }, index) => {
    const createdAt = today - 90 * DAY_MS;
    return {
      id: accountId(index),
      name,
      email,
      search_key: searchKey(name, email),
      email_verified: 1,
      role,
      onboarded_at: createdAt,
      created_at: createdAt,
      updated_at: createdAt,
    };
  });
}

/** Memberships of the first account in the first three organizations, one in each role. */
function memberRows(today: number): Row[] {
  return (["owner", "admin", "member"] as const).map((role, organization) => ({
    id: sampleId("demo-member", organization),
    organization_id: sampleId("organization", organization),
    user_id: accountId(0),
    role,
    created_at: today - 30 * DAY_MS,
  }));
}
