import { failedJobsOf } from "./cron.ts";
import { rowLimitsOf, sizeLimitOf } from "./plan.ts";
import { marksOf, type SystemStatus } from "./status.ts";

/**
 * Returns the page as plain text for a support request. Always in English, because those who help read English. It has
 * the names of settings and no values, and no e-mail of a user.
 */
export function reportOf(status: SystemStatus): string {
  const { build, migrations, mail, database, runs, passkeys } = status;
  const marks = marksOf(status);
  const count = ({ count: value, isMore }: { count: number; isMore: boolean }) =>
    isMore ? `more than ${value}` : String(value);
  const time = (date: Date | null) => date?.toISOString() ?? "unknown";
  const names = (values: string[]) => values.join(", ") || "none";
  const named = (state: string) =>
    names(status.settings.filter((one) => one.state === state).map(({ name }) => name));
  const limits = rowLimitsOf(database.plan);
  const usage = database.usage.isKnown
    ? [
        `rows read today: ${database.usage.rowsRead} of ${limits.read ?? "no daily limit"}`,
        `rows written today: ${database.usage.rowsWritten} of ${limits.written ?? "no daily limit"}`,
      ]
    : [`rows today: not available (${database.usage.reason})`];
  const sections: [title: string, ...lines: string[]][] = [
    [`Gatehouse ${build.release}, ${time(status.now)}`],
    ["alarms", ...status.troubles.map(({ kind, since }) => `${kind} since ${time(since)}`)],
    [
      `version: ${marks.version}`,
      `commit: ${build.commit}`,
      `built: ${time(build.time)}`,
      `migrations: ${migrations.known} known`,
      `not applied: ${names(migrations.missing)}`,
      `unknown to this version: ${names(migrations.newer)}`,
    ],
    [
      `mail: ${marks.mail}`,
      `delivery: ${mail.isLocal ? "local inbox" : "Resend"}`,
      `queued: ${count(mail.waiting)}, oldest: ${time(mail.oldestWaitingAt)}`,
      `failed in 24 hours: ${count(mail.failed)}`,
      `last sent: ${time(mail.lastSentAt)}`,
    ],
    [`cron: ${marks.cron}`, ...(["minute", "hour"] as const).map(describeRun)],
    [
      `database: ${marks.database}`,
      `plan: ${database.plan}`,
      `bytes: ${database.bytes} of ${sizeLimitOf(database.plan)}`,
      ...usage,
    ],
    [
      `platform: ${marks.platform}`,
      `bucket: ${status.bucket}`,
      `static files: ${status.assets}`,
      `captcha: ${status.hasCaptcha ? "on" : "off"}`,
      `identity providers: ${names(status.providers)}`,
      `passkeys for: ${passkeys.host}`,
      `admins with a passkey: ${passkeys.withPasskey} of ${count(passkeys.admins)}`,
      `environment: ${status.environment ?? "none"}`,
    ],
    [
      `settings: ${marks.settings}`,
      ...status.problems.map(({ setting, problem }) => `${setting}: ${problem}`),
      `set: ${named("set")}`,
      `default: ${named("default")}`,
      `not set: ${named("missing")}`,
    ],
  ];
  return sections
    .map(([title, ...lines]) => [title, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n\n");

  function describeRun(schedule: "minute" | "hour"): string {
    const run = runs.find((one) => one.schedule === schedule);
    if (!run) return `every ${schedule}: never`;
    const failed = failedJobsOf(run).length > 0 ? ", failed" : "";
    const last = run.failedAt ? `, last failure ${time(run.failedAt)} (${run.failedJobs})` : "";
    return `every ${schedule}: ${time(run.startedAt)}, ${run.durationMs} ms${failed}${last}`;
  }
}
