import { HOUR_MS } from "../../values/time.ts";

/** Schedules of the cron triggers in wrangler.toml. */
export type Schedule = "minute" | "hour";

/** The jobs by their names, as runs and log lines store them, with their texts in `system.json`. */
const JOB_TEXTS = {
  mail: "cron.job.mail",
  "count figures": "cron.job.countFigures",
  "fill demo": "cron.job.fillDemo",
  alarm: "cron.job.alarm",
  "erase organizations": "cron.job.eraseOrganizations",
  "erase accounts": "cron.job.eraseAccounts",
  "prune mail": "cron.job.pruneMail",
  "prune code events": "cron.job.pruneCodeEvents",
  "prune rate limits": "cron.job.pruneRateLimits",
  "prune banned mailboxes": "cron.job.pruneBannedMailboxes",
  "prune waiting list": "cron.job.pruneWaitingList",
  "prune refusing mailboxes": "cron.job.pruneRefusingMailboxes",
  "prune organizations": "cron.job.pruneOrganizations",
  "prune sessions": "cron.job.pruneSessions",
  "sweep pictures": "cron.job.sweepPictures",
  "prune audit": "cron.job.pruneAudit",
  "check alarms": "cron.job.checkAlarms",
} as const;

export type Job = keyof typeof JOB_TEXTS;

/** Returns the key of a job's text; undefined for a job that only another version has. */
export function jobText(name: string): (typeof JOB_TEXTS)[Job] | undefined {
  return Object.entries(JOB_TEXTS).find(([job]) => job === name)?.[1];
}

/** The last run of a schedule. */
export type ScheduledRun = {
  schedule: Schedule;
  startedAt: Date;
  durationMs: number;
  /** When a job last failed; null when none ever has. */
  failedAt: Date | null;
  /** Names of the jobs that failed then. */
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

/** True in the hour after the build, in which Cloudflare may not have started every schedule for the first time. */
export function mayStillStart(builtAt: Date, now: Date): boolean {
  return now.getTime() - builtAt.getTime() < HOUR_MS;
}

/** Returns the jobs that failed in the last run of a schedule; none when that run went well. */
export function failedJobsOf({ startedAt, failedAt, failedJobs }: ScheduledRun): string[] {
  if (!failedAt || failedAt.getTime() !== startedAt.getTime()) return [];
  return namesOf(failedJobs);
}

/** Returns the names of jobs from the text that a run stores. */
export function namesOf(failedJobs: string | null): string[] {
  return (failedJobs ?? "").split(", ").filter(Boolean);
}
