import { HOUR_MS } from "../../values/time.ts";
import type { AlarmNews } from "../mail/mail-message.ts";
import { failedJobsOf, isLate, type ScheduledRun } from "./cron.ts";
import { type Plan, sizeLimitOf } from "./plan.ts";

export type AlarmKind = AlarmNews["alarm"];

/** An alarm as it is stored; `endedAt` is null while it holds. */
export type Alarm = {
  kind: AlarmKind;
  since: Date;
  lastMailedAt: Date | null;
  endedAt: Date | null;
};

/** Result of a check: the news when the alarm holds, null when it does not. */
export type Finding = { kind: AlarmKind; news: AlarmNews | null };

/** Admins get a mail about an alarm at most this often. */
export const MAIL_EVERY_MS = HOUR_MS;

/** A few failures may be wrong e-mails of users, so this many are needed, and this part of all mails. */
export const FEWEST_UNSENT = 3;
const UNSENT_PART = 0.1;
const LONGEST_WAIT_MS = 15 * 60_000;

/** The database is near its size above this part of the plan's limit. */
export const FULL_PART = 0.8;

/** Counts of the mails of the last hour, without those about alarms. */
export type MailFigures = {
  /** Mails that failed or expired. */
  unsent: number;
  /** All mails; 0 with few unsent ones, when it is not counted. */
  all: number;
  /** When the mail was queued that has waited longest, whatever its age. */
  oldestWaitingAt: Date | null;
};

/** Mail fails when too many mails were not sent, or when one waits too long. */
export function judgeMail({ unsent, all, oldestWaitingAt }: MailFigures, now: Date): Finding {
  const waitedMs = oldestWaitingAt ? now.getTime() - oldestWaitingAt.getTime() : 0;
  const isWaiting = waitedMs > LONGEST_WAIT_MS;
  const isUnsent = unsent >= FEWEST_UNSENT && unsent >= UNSENT_PART * all;
  return {
    kind: "mail",
    news:
      isUnsent || isWaiting
        ? {
            alarm: "mail",
            unsent: isUnsent ? unsent : 0,
            waitingMinutes: isWaiting ? Math.floor(waitedMs / 60_000) : 0,
          }
        : null,
  };
}

/** Jobs fail when the last run of either schedule had one that failed. */
export function judgeJobs(runs: ScheduledRun[]): Finding {
  const jobs = runs.flatMap(failedJobsOf).join(", ");
  return { kind: "job", news: jobs ? { alarm: "job", jobs } : null };
}

/** A schedule is late when it should have run again. A schedule that never ran is not known to be late. */
export function judgeLateness(
  runs: ScheduledRun[],
  schedule: ScheduledRun["schedule"],
  now: Date,
): Finding {
  const kind = schedule === "minute" ? "cron-minute" : "cron-hour";
  const run = runs.find((one) => one.schedule === schedule);
  const isAlarming = run !== undefined && isLate(run, now);
  return { kind, news: isAlarming ? { alarm: kind, ranAt: run.startedAt.toISOString() } : null };
}

/** The database is near its size above 80 % of what the plan allows. */
export function judgeSize(bytes: number, plan: Plan): Finding {
  const part = bytes / sizeLimitOf(plan);
  const percent = Math.floor(part * 100);
  return {
    kind: "database-size",
    news: part >= FULL_PART ? { alarm: "database-size", percent } : null,
  };
}

/** Wrong codes above the norm of the site. */
export function judgeWrongCodes(measured: {
  isAlarming: boolean;
  lastHour: number;
  median: number;
}): Finding {
  const { isAlarming, lastHour, median } = measured;
  return {
    kind: "wrong-codes",
    news: isAlarming ? { alarm: "wrong-codes", lastHour, median } : null,
  };
}

/** Returns what findings change: the news to mail now, the kinds that hold without a mail, and the kinds that end. */
export function compareAlarms(known: Alarm[], findings: Finding[], now: Date) {
  const stored = (kind: AlarmKind) => known.find((one) => one.kind === kind);
  const holding = findings.flatMap(({ news }) => news ?? []);
  const isDue = ({ alarm }: AlarmNews) => {
    const mailedAt = stored(alarm)?.lastMailedAt;
    return !mailedAt || now.getTime() - mailedAt.getTime() >= MAIL_EVERY_MS;
  };
  return {
    due: holding.filter(isDue),
    /** Raised again within the hour of their last mail. */
    reopened: holding
      .filter((news) => !isDue(news) && stored(news.alarm)?.endedAt)
      .map(({ alarm }) => alarm),
    ended: findings
      .filter(({ kind, news }) => !news && stored(kind)?.endedAt === null)
      .map(({ kind }) => kind),
  };
}

/** Something that holds now: an alarm, or a schedule that a request found late. */
export type Trouble = { kind: AlarmKind; since: Date };

/** Returns what holds now: the alarms, and late schedules that no other schedule has found, for it may be late too. */
export function troublesOf(
  alarms: Pick<Alarm, "kind" | "since">[],
  runs: ScheduledRun[],
  now: Date,
): Trouble[] {
  const late = (["minute", "hour"] as const).flatMap((schedule) => {
    const { kind, news } = judgeLateness(runs, schedule, now);
    const run = runs.find((one) => one.schedule === schedule);
    return news && run && !alarms.some((one) => one.kind === kind)
      ? [{ kind, since: run.startedAt }]
      : [];
  });
  return [...alarms.map(({ kind, since }) => ({ kind, since })), ...late];
}

/** Returns the troubles that mails may not tell of, because mail or the cron that sends it does not work. */
export function untoldOf(troubles: Trouble[]): Trouble[] {
  return troubles.filter(
    ({ kind }) => kind !== "wrong-codes" && kind !== "job" && kind !== "database-size",
  );
}
