import { sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { scheduledRun } from "../../db/schema/schema.ts";
import type { Schedule } from "./cron.ts";

/** Statement for the last run of each schedule. */
export function selectRuns(db: Db) {
  return db.select().from(scheduledRun);
}

/**
 * Stores a run of the cron: one row written. A run without a failure keeps the failure before it. Returns the size of the
 * database, which D1 reports with every write.
 */
export async function recordRun(
  db: Db,
  run: { schedule: Schedule; startedAt: Date; durationMs: number; failedJobs: string[] },
): Promise<{ databaseBytes: number }> {
  const { schedule, startedAt, durationMs } = run;
  const isFailed = run.failedJobs.length > 0;
  const [failedAt, failedJobs] = isFailed ? [startedAt, run.failedJobs.join(", ")] : [null, null];
  const { meta } = await db
    .insert(scheduledRun)
    .values({ schedule, startedAt, durationMs, failedAt, failedJobs })
    .onConflictDoUpdate({
      target: scheduledRun.schedule,
      set: {
        startedAt,
        durationMs,
        failedAt: sql`coalesce(excluded.failed_at, ${scheduledRun.failedAt})`,
        failedJobs: sql`coalesce(excluded.failed_jobs, ${scheduledRun.failedJobs})`,
      },
    });
  return { databaseBytes: meta.size_after };
}
