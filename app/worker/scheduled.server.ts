import { archiveAudit } from "../features/audit/archive.server.ts";
import { measureFailures, pruneCodeEvents } from "../features/auth/codes/code-limits.server.ts";
import { pruneSessions } from "../features/auth/sessions/sessions.server.ts";
import { pruneBannedMailboxes } from "../features/auth/sign-in/banned-mailbox.server.ts";
import { pruneRateLimits } from "../features/auth/sign-in/rate-limit.server.ts";
import { sweepPictures } from "../features/avatars/picture-store.server.ts";
import { countFigures } from "../features/dashboard/count-figures.server.ts";
import { fillDemo } from "../features/demo/seed.server.ts";
import { eraseDueOrganizations } from "../features/organizations/settings/organization-erasure.server.ts";
import { pruneOrganizations } from "../features/organizations/settings/prune-organizations.server.ts";
import { describeError, log } from "../runtime/log.ts";
import type { Services } from "./services.server.ts";

/** Cron triggers of `wrangler.toml`. */
const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "7 * * * *";

/**
 * Does the work of one cron trigger: the outbox every minute, the rest once an hour. A trigger with any other schedule
 * does both, so that a changed wrangler.toml skips nothing. Jobs look at the age of rows, so a missed run only delays
 * them. The failure of one job does not stop the others.
 */
export async function runScheduled(
  services: Services,
  { cron, now }: { cron: string; now: Date },
): Promise<void> {
  if (cron !== EVERY_HOUR) await runEveryMinute(services, now);
  if (cron !== EVERY_MINUTE) await runHourly(services, now);
}

async function runEveryMinute({ config, db, mailer }: Services, now: Date): Promise<void> {
  await attempt("mail", () => mailer.sendDue(now));
  await attempt("count figures", () => countFigures(db, now));
  if (config.isDemo) await attempt("fill demo", () => fillDemo(db, now));
}

async function runHourly(
  { config, db, mailer, avatars, archive, erasure }: Services,
  now: Date,
): Promise<void> {
  await attempt("alarm", async () => {
    const { isAlarming, lastHour, median } = await measureFailures(db, now);
    if (isAlarming) log("error", "auth.failures_alarm", { lastHour, median });
  });
  // Organizations first: an account may be the only owner of one that is due.
  await attempt("erase organizations", () => eraseDueOrganizations(db, now));
  await attempt("erase accounts", () => erasure.eraseDue(now));
  await attempt("prune mail", () => mailer.prune(now));
  await attempt("prune code events", () => pruneCodeEvents(db, now));
  await attempt("prune rate limits", () => pruneRateLimits(db, now));
  await attempt("prune banned mailboxes", () => pruneBannedMailboxes(db, now));
  await attempt("prune organizations", () => pruneOrganizations(db, now));
  await attempt("prune sessions", () => pruneSessions(db, now));
  if (avatars) await attempt("sweep pictures", () => sweepPictures(db, avatars, now));
  const { auditKeepDays: keepDays } = config;
  if (archive) await attempt("archive audit", () => archiveAudit(db, archive, { keepDays, now }));
}

async function attempt(part: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", "scheduled.failed", { part, ...describeError(error) });
  }
}
