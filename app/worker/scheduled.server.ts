import { emptyBin } from "../db/bin.server.ts";
import { pruneAudit } from "../features/audit/audit-retention.server.ts";
import { measureFailures, pruneCodeEvents } from "../features/auth/codes/code-limits.server.ts";
import { pruneSignInSteps } from "../features/auth/codes/sign-in-steps.server.ts";
import { pruneSessions } from "../features/auth/sessions/sessions.server.ts";
import { pruneBannedMailboxes } from "../features/auth/sign-in/banned-mailbox.server.ts";
import { pruneRateLimits } from "../features/auth/sign-in/rate-limit.server.ts";
import { sweepPictures } from "../features/avatars/picture-store.server.ts";
import { pruneSlots } from "../features/dashboard/prune-slots.server.ts";
import { thinTraces } from "../features/deletion/erasure.server.ts";
import { pruneRefusingMailboxes } from "../features/mail/refusing-mailbox.server.ts";
import { eraseDueOrganizations } from "../features/organizations/settings/organization-erasure.server.ts";
import { pruneOrganizations } from "../features/organizations/settings/prune-organizations.server.ts";
import type { Schedule } from "../features/system/cron.ts";
import { recordRun } from "../features/system/scheduled-runs.server.ts";
import { describeError, log } from "../runtime/log.ts";
import type { Services } from "./services.server.ts";

/** Cron triggers of `wrangler.toml`. */
const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "7 * * * *";

/**
 * Does the work of one cron trigger: the outbox and due erasures every minute, the rest once an
 * hour. A trigger with any other schedule does both, so that a changed wrangler.toml skips nothing.
 * Jobs look at the age of rows, so a missed run only delays them. The failure of one job does not
 * stop the others.
 */
export async function runScheduled(
  services: Services,
  { cron, now }: { cron: string; now: Date },
): Promise<void> {
  if (cron !== EVERY_HOUR) await run("minute", runEveryMinute, services, now);
  if (cron !== EVERY_MINUTE) await run("hour", runHourly, services, now);
}

/** Does one job of a run. A job that fails is logged, and named in the run's row. */
type Attempt = (job: string, work: () => Promise<unknown>) => Promise<void>;

type Jobs = (services: Services, now: Date, attempt: Attempt) => Promise<void>;

/** Does the jobs of a schedule, stores that they ran. */
async function run(
  schedule: Schedule,
  jobs: Jobs,
  services: Services,
  startedAt: Date,
): Promise<void> {
  const failedJobs: string[] = [];
  const attempt: Attempt = async (job, work) => {
    try {
      await work();
    } catch (error) {
      failedJobs.push(job);
      log("error", "scheduled.failed", { part: job, ...describeError(error) });
    }
  };
  const begin = Date.now();
  await jobs(services, startedAt, attempt);
  const durationMs = Date.now() - begin;
  const ran = { schedule, startedAt, durationMs, failedJobs };
  await attempt("record run", () => recordRun(services.db, ran));
}

async function runEveryMinute(services: Services, now: Date, attempt: Attempt): Promise<void> {
  const { config, db, mailer, erasure, features } = services;
  await attempt("mail", () => mailer.dropExpired(now));
  // The safety net: the sender has an alarm of its own, and each request wakes it for the mails that it wrote.
  await mailer.wake();
  for (const { name, run } of features.minute) await attempt(name, () => run(services, now));
  // Organizations first: an account may be the only owner of one that is due.
  await attempt("erase organizations", () => eraseDueOrganizations(db, config.plan, now));
  await attempt("erase accounts", () => erasure.eraseDue(now));
}

async function runHourly(services: Services, now: Date, attempt: Attempt): Promise<void> {
  const { db, mailer, avatars, config, features } = services;
  await attempt("measure wrong codes", async () => {
    const { isAlarming, lastHour, median } = await measureFailures(db, now);
    if (isAlarming) log("error", "auth.failures_alarm", { lastHour, median });
  });
  await attempt("prune counts", () => pruneSlots(db, now));
  await attempt("prune mail", () => mailer.prune(now));
  await attempt("prune sign-in steps", () => pruneSignInSteps(db, now));
  await attempt("prune code events", () => pruneCodeEvents(db, now));
  await attempt("prune rate limits", () => pruneRateLimits(db, now));
  await attempt("prune banned mailboxes", () => pruneBannedMailboxes(db, now));
  await attempt("prune refusing mailboxes", () => pruneRefusingMailboxes(db, now));
  await attempt("empty bin", () => emptyBin(db, now));
  await attempt("prune organizations", () => pruneOrganizations(db, now));
  await attempt("prune sessions", () => pruneSessions(db, now));
  for (const { name, run } of features.hour) await attempt(name, () => run(services, now));
  if (avatars)
    await attempt("sweep pictures", () => sweepPictures(db, avatars, features.pictures, now));
  await attempt("thin traces", () => thinTraces(db, now));
  const { auditKeepDays } = config;
  if (auditKeepDays > 0) await attempt("prune audit", () => pruneAudit(db, auditKeepDays, now));
}
