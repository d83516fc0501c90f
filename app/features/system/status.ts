import type { SettingState } from "../environment/setting-states.ts";
import { FULL_PART, type Trouble } from "./alarms.ts";
import { failedJobsOf, isLate, mayStillStart, type ScheduledRun } from "./cron.ts";
import { type Plan, rowLimitsOf, sizeLimitOf } from "./plan.ts";
import { MAIL_PROBLEMS, type Problem } from "./problems.ts";
import type { Usage } from "./usage.ts";

const MARKS = ["trouble", "attention", "waiting", "works"] as const;

/** State of a part, the worst first: it does not work, it needs attention, it has not started yet, or it works. */
export type Mark = (typeof MARKS)[number];

/** Whether an optional part of the platform works; "none" without its binding. */
export type BindingState = "works" | "failing" | "none";

/** A count that was read up to a limit. */
export type BoundedCount = { count: number; isMore: boolean };

/** Everything that the system page shows. It holds names of settings, and never a secret. */
export type SystemStatus = {
  now: Date;
  build: { release: string; commit: string; time: Date };
  migrations: {
    /** Number of migrations that this version knows. */
    known: number;
    /** Migrations of this version that the database does not have. */
    missing: string[];
    /** Migrations of the database that this version does not know, as after a rollback. */
    newer: string[];
  };
  troubles: Trouble[];
  mail: {
    isLocal: boolean;
    waiting: BoundedCount;
    oldestWaitingAt: Date | null;
    /** Mails of the last day that failed. */
    failed: BoundedCount;
    /** False before the first mail. */
    hasAny: boolean;
    /** Null when none of the newest mails was sent. */
    lastSentAt: Date | null;
  };
  runs: ScheduledRun[];
  database: { plan: Plan; bytes: number; usage: Usage };
  bucket: BindingState;
  assets: BindingState;
  passkeys: { host: string; admins: BoundedCount; withPasskey: number };
  hasCaptcha: boolean;
  /** Names of the identity providers. */
  providers: string[];
  environment: string | null;
  settings: SettingState[];
  problems: Problem[];
};

const DAY_MS = 86_400_000;

/** Returns the state of each part of the page. */
export function marksOf(status: SystemStatus) {
  return {
    mail: markOfMail(status),
    cron: markOfCron(status),
    database: markOfDatabase(status.database),
    version: markOfVersion(status),
    platform: markOfPlatform(status),
    settings: status.problems.length > 0 ? "attention" : "works",
  } satisfies Record<string, Mark>;
}

export type Part = keyof ReturnType<typeof marksOf>;

/** Returns the parts, those that need attention first. */
export function worstFirst(marks: Record<Part, Mark>): Part[] {
  const parts = Object.keys(marks) as Part[];
  return parts.toSorted((one, other) => MARKS.indexOf(marks[one]) - MARKS.indexOf(marks[other]));
}

/** Returns the worst of several states. */
export function worstOf(marks: Mark[]): Mark {
  return MARKS.find((mark) => marks.includes(mark)) ?? "works";
}

function markOfVersion({ migrations }: SystemStatus): Mark {
  if (migrations.missing.length > 0) return "trouble";
  return migrations.newer.length > 0 ? "attention" : "works";
}

/** True when settings keep mails from arriving, or hide that they are lost. */
export function hasMailProblem({ problems }: Pick<SystemStatus, "problems">): boolean {
  return problems.some(({ problem }) => MAIL_PROBLEMS.has(problem));
}

function markOfMail(status: SystemStatus): Mark {
  const { mail, troubles } = status;
  if (troubles.some(({ kind }) => kind === "mail")) return "trouble";
  const isSilent = mail.hasAny && mail.waiting.count === 0 && mail.lastSentAt === null;
  const needsAttention = mail.failed.count > 0 || mail.isLocal || isSilent;
  return needsAttention || hasMailProblem(status) ? "attention" : "works";
}

function markOfCron({ runs, build, now }: SystemStatus): Mark {
  const unstarted = mayStillStart(build.time, now) ? "waiting" : "attention";
  return worstOf(
    (["minute", "hour"] as const).map((schedule) => {
      const run = runs.find((one) => one.schedule === schedule);
      return run ? markOfRun(run, now) : unstarted;
    }),
  );
}

/** Returns the state of one schedule. A job that failed within a day needs attention, also when it has worked since. */
function markOfRun(run: ScheduledRun, now: Date): Mark {
  if (isLate(run, now) || failedJobsOf(run).length > 0) return "trouble";
  const isRecent = run.failedAt && now.getTime() - run.failedAt.getTime() < DAY_MS;
  return isRecent ? "attention" : "works";
}

function markOfDatabase({ plan, bytes, usage }: SystemStatus["database"]): Mark {
  const { read, written } = rowLimitsOf(plan);
  const parts = [bytes / sizeLimitOf(plan)];
  if (usage.isKnown && read) parts.push(usage.rowsRead / read);
  if (usage.isKnown && written) parts.push(usage.rowsWritten / written);
  const fullest = Math.max(...parts);
  if (fullest >= 1) return "trouble";
  return fullest >= FULL_PART ? "attention" : "works";
}

function markOfPlatform({ bucket, assets }: SystemStatus): Mark {
  if ([bucket, assets].includes("failing")) return "trouble";
  return bucket === "none" || assets === "none" ? "attention" : "works";
}
