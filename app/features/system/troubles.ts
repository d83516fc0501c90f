import type { Place } from "../../feature.ts";
import { joined, type KeysOf } from "../../features.ts";
import { DATABASE_BYTES } from "../../values/platform-limits.ts";
import { failedJobsOf, isLate, type Schedule } from "./cron.ts";
import type { SystemStatus } from "./status.server.ts";

type TroubleName =
  | "mail"
  | "cron-minute"
  | "cron-hour"
  | "job"
  | "database-size"
  | KeysOf<"attention">;

/** Something that does not work and that an admin has to look at, with the values that its sentence shows. */
export type Trouble = { name: TroubleName; shown: Readonly<Record<string, string>> };

/** What the features can find. */
export const FEATURE_TROUBLES: Readonly<Partial<Record<string, Place>>> = joined("attention");

const FOUND = Object.keys(FEATURE_TROUBLES) as KeysOf<"attention">[];

/** A few failures may be wrong e-mails of users, so this many are needed, and this part of all mails. */
const FEWEST_UNSENT = 3;
const UNSENT_PART = 0.1;
const LONGEST_WAIT_MS = 15 * 60_000;

/** The database is near its limit above this part of it. */
const FULL_PART = 0.8;

/** Returns what needs an admin's attention, the most urgent first. The dashboard and the system page show it. */
export function listTroubles(status: SystemStatus): Trouble[] {
  const { mail, runs, attention, database, now } = status;
  // A schedule that never ran is not known to be late.
  const isScheduleLate = (schedule: Schedule) =>
    runs.some((run) => run.schedule === schedule && isLate(run, now));
  const checks: [holds: boolean, name: TroubleName][] = [
    [!mail.isLocal && isMailStuck(mail, now), "mail"],
    [isScheduleLate("minute"), "cron-minute"],
    [isScheduleLate("hour"), "cron-hour"],
    [runs.some((run) => failedJobsOf(run) !== ""), "job"],
    ...FOUND.map((name): [boolean, TroubleName] => [name in attention, name]),
    [database.bytes >= FULL_PART * DATABASE_BYTES[database.plan], "database-size"],
  ];
  return checks.flatMap(([holds, name]) => (holds ? { name, shown: attention[name] ?? {} } : []));
}

/** True when too many mails were not sent, or when one waits too long. */
function isMailStuck({ recent, unsent, oldestWaitingAt }: SystemStatus["mail"], now: Date) {
  const waitedMs = oldestWaitingAt ? now.getTime() - oldestWaitingAt.getTime() : 0;
  const isFailing = unsent >= FEWEST_UNSENT && unsent >= UNSENT_PART * recent;
  return isFailing || waitedMs > LONGEST_WAIT_MS;
}
