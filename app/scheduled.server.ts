import { sweepAvatars } from "./features/account/avatar.server.ts";
import { measureFailures, pruneCodeEvents } from "./features/auth/code-limits.server.ts";
import { pruneRateLimits } from "./features/auth/rate-limit.server.ts";
import { pruneSessions } from "./features/auth/session.server.ts";
import { fillDemo } from "./features/demo/seed.server.ts";
import { describeError, log } from "./log.ts";
import type { Services } from "./services.server.ts";

/** The cron's work: mail that is due every minute, the rest once an hour. One part failing does not stop the others. */
export async function runScheduled(
  { config, db, mailer, avatars, erasure }: Services,
  now: Date,
): Promise<void> {
  await attempt("mail", () => mailer.sendDue(now));
  if (config.isDemo) await attempt("fill demo", () => fillDemo(db, now));
  if (now.getUTCMinutes() !== 0) return;
  await attempt("alarm", async () => {
    const { isAlarming, lastHour, median } = await measureFailures(db, now);
    if (isAlarming) log("error", "auth.failures_alarm", { lastHour, median });
  });
  await attempt("erase accounts", () => erasure.eraseDue(now));
  await attempt("prune mail", () => mailer.prune(now));
  await attempt("prune code events", () => pruneCodeEvents(db, now));
  await attempt("prune rate limits", () => pruneRateLimits(db, now));
  await attempt("prune sessions", () => pruneSessions(db, now));
  if (avatars) await attempt("sweep pictures", () => sweepAvatars(db, avatars, now));
}

async function attempt(part: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", "scheduled.failed", { part, ...describeError(error) });
  }
}
