/** Schedules of the cron triggers in wrangler.toml. */
export type Schedule = "minute" | "hour";

/** The last run of a schedule. */
export type ScheduledRun = {
  schedule: Schedule;
  startedAt: Date;
  durationMs: number;
  /** When a job last failed; null when none ever has. */
  failedAt: Date | null;
  failedJobs: string | null;
};

const MINUTE_MS = 60_000;

/** A run that is older than this is late. Cloudflare starts a trigger some minutes late when it is busy. */
const LATE_AFTER_MS: Record<Schedule, number> = {
  minute: 10 * MINUTE_MS,
  hour: 90 * MINUTE_MS,
};

/** True when a schedule should have run again. */
export function isLate({ schedule, startedAt }: ScheduledRun, now: Date): boolean {
  return now.getTime() - startedAt.getTime() > LATE_AFTER_MS[schedule];
}

/** Returns the names of the jobs that failed in the last run of a schedule; empty when that run went well. */
export function failedJobsOf({ startedAt, failedAt, failedJobs }: ScheduledRun): string {
  return failedAt?.getTime() === startedAt.getTime() ? (failedJobs ?? "") : "";
}
