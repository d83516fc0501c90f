import { sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { scheduledRun } from "../../db/schema/schema.ts";
import type { Schedule } from "./cron.ts";

/** Stores a run of the cron: one row written. A run without a failure keeps the failure before it. */
export async function recordRun(
  db: Db,
  run: { schedule: Schedule; startedAt: Date; durationMs: number; failedJobs: string[] },
): Promise<void> {
  const { schedule, startedAt, durationMs } = run;
  const isFailed = run.failedJobs.length > 0;
  const [failedAt, failedJobs] = isFailed ? [startedAt, run.failedJobs.join(", ")] : [null, null];
  await db
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
}
