import { expect, test } from "vitest";
import { findProblems } from "./problems.ts";
import { reportOf } from "./report.ts";
import { marksOf, type SystemStatus, worstFirst, worstOf } from "./status.ts";

const now = new Date("2026-11-22T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const run = { durationMs: 12, failedAt: null, failedJobs: null };
const none = { count: 0, isMore: false };

const healthy: SystemStatus = {
  now,
  build: { release: "1.2.3", commit: "abc1234", time: ago(600) },
  migrations: { known: 2, missing: [], newer: [] },
  troubles: [],
  mail: {
    isLocal: false,
    waiting: none,
    oldestWaitingAt: null,
    failed: none,
    hasAny: true,
    lastSentAt: ago(1),
  },
  runs: [
    { schedule: "minute", startedAt: ago(1), ...run },
    { schedule: "hour", startedAt: ago(30), ...run },
  ],
  database: { plan: "free", bytes: 1_000, usage: { isKnown: true, rowsRead: 1, rowsWritten: 1 } },
  bucket: "works",
  assets: "works",
  passkeys: { host: "example.com", admins: { count: 2, isMore: false }, withPasskey: 1 },
  hasCaptcha: true,
  providers: ["github"],
  environment: null,
  settings: [{ name: "BASE_URL", state: "set" }],
  problems: [],
};

test("all parts of a healthy system work", () => {
  expect(new Set(Object.values(marksOf(healthy)))).toEqual(new Set(["works"]));
});

test("parts that need attention come first, the others keep their order", () => {
  const status = { ...healthy, ...usage(90, 200), bucket: "failing" as const };
  const marks = { ...marksOf(status), version: "attention" as const };
  expect(worstFirst(marks)[0]).toBe("platform");
  expect(worstFirst(marksOf(healthy))).toEqual(Object.keys(marksOf(healthy)));
  expect(worstFirst({ ...marks, cron: "waiting" }).slice(0, 3)).toEqual([
    "platform",
    "version",
    "cron",
  ]);
  expect(worstFirst(marks).indexOf("version")).toBeLessThan(worstFirst(marks).indexOf("mail"));
});

const usage = (rowsRead: number, rowsWritten: number) => ({
  database: { ...healthy.database, usage: { isKnown: true as const, rowsRead, rowsWritten } },
});
const built = (minutes: number) => ({ build: { ...healthy.build, time: ago(minutes) } });
const minuteRun = (values: Partial<SystemStatus["runs"][number]>) => ({
  runs: healthy.runs.map((one) => (one.schedule === "minute" ? { ...one, ...values } : one)),
});

test.each<[string, Partial<SystemStatus>, keyof ReturnType<typeof marksOf>, string]>([
  [
    "a missing migration",
    { migrations: { known: 2, missing: ["b"], newer: [] } },
    "version",
    "trouble",
  ],
  [
    "a newer migration",
    { migrations: { known: 2, missing: [], newer: ["c"] } },
    "version",
    "attention",
  ],
  ["the alarm about mail", { troubles: [{ kind: "mail", since: now }] }, "mail", "trouble"],
  [
    "a failed mail",
    { mail: { ...healthy.mail, failed: { count: 1, isMore: false } } },
    "mail",
    "attention",
  ],
  [
    "mails of which none was sent",
    { mail: { ...healthy.mail, lastSentAt: null } },
    "mail",
    "attention",
  ],
  [
    "no mail so far",
    { mail: { ...healthy.mail, hasAny: false, lastSentAt: null } },
    "mail",
    "works",
  ],
  [
    "a sender that is refused",
    { problems: [{ setting: "MAIL_FROM", problem: "sampleSender" }] },
    "mail",
    "attention",
  ],
  [
    "no word about bounces",
    { problems: [{ setting: "RESEND_WEBHOOK_SECRET", problem: "noWebhook" }] },
    "mail",
    "attention",
  ],
  ["a local inbox", { mail: { ...healthy.mail, isLocal: true } }, "mail", "attention"],
  ["a schedule that never ran", { runs: healthy.runs.slice(0, 1) }, "cron", "attention"],
  ["no run in the hour after the build", { runs: [], ...built(59) }, "cron", "waiting"],
  ["no run an hour after the build", { runs: [], ...built(60) }, "cron", "attention"],
  [
    "a late schedule in the hour after the build",
    { runs: minuteRun({ startedAt: ago(11) }).runs.slice(0, 1), ...built(59) },
    "cron",
    "trouble",
  ],
  ["a late schedule", minuteRun({ startedAt: ago(11) }), "cron", "trouble"],
  ["a job that fails", minuteRun({ failedAt: ago(1), failedJobs: "mail" }), "cron", "trouble"],
  [
    "a job that failed today",
    minuteRun({ failedAt: ago(60), failedJobs: "mail" }),
    "cron",
    "attention",
  ],
  [
    "a job that failed long ago",
    minuteRun({ failedAt: ago(3_000), failedJobs: "mail" }),
    "cron",
    "works",
  ],
  ["80 % of the rows read", usage(4_000_000, 0), "database", "attention"],
  ["all rows written", usage(0, 100_000), "database", "trouble"],
  ["no bucket", { bucket: "none" }, "platform", "attention"],
  ["a bucket that does not answer", { bucket: "failing" }, "platform", "trouble"],
  ["a problem", { problems: [{ setting: "A", problem: "noAdmins" }] }, "settings", "attention"],
])("%s decides the state of its part", (_name, change, part, mark) => {
  const marks = marksOf({ ...healthy, ...change });

  expect(marks[part]).toBe(mark);
  expect(worstOf(Object.values(marks))).toBe(mark);
});

test("the rows of the paid plan have no limit by day", () => {
  const database = {
    plan: "paid",
    bytes: 1,
    usage: { isKnown: true, rowsRead: 1e9, rowsWritten: 1e9 },
  } as const;

  expect(marksOf({ ...healthy, database }).database).toBe("works");
});

test("the report has every part, its state and its figures", () => {
  const report = reportOf({
    ...healthy,
    ...minuteRun({ failedAt: ago(1), failedJobs: "mail" }),
    troubles: [{ kind: "job", since: ago(1) }],
  });

  for (const line of [
    "Gatehouse 1.2.3, 2026-11-22T12:00:00.000Z",
    "  job since 2026-11-22T11:59:00.000Z",
    "cron: trouble",
    "  every minute: 2026-11-22T11:59:00.000Z, 12 ms, failed, last failure 2026-11-22T11:59:00.000Z (mail)",
    "  bytes: 1000 of 500000000",
    "  rows read today: 1 of 5000000",
    "  admins with a passkey: 1 of 2",
    "  set: BASE_URL",
  ]) {
    expect(report.split("\n")).toContain(line);
  }
});

const settings = (...missing: string[]) =>
  [
    ...["RESEND_WEBHOOK_SECRET", "ADMIN_EMAILS", "SECURITY_CONTACT"],
    ...["CLOUDFLARE_ANALYTICS_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "D1_DATABASE_ID"],
  ].map((name) => ({ name, state: missing.includes(name) ? "missing" : "set" }) as const);
const mail = {
  resendApiKey: "re",
  resendBaseUrl: undefined,
  webhookSecret: undefined,
  from: "G <a@example.com>",
};
const turnstile = { siteKey: "a", secretKey: "b", verifyUrl: undefined };
const config = { isLoopback: false, isDemo: false, mail, turnstile };

test.each([
  ["nothing", config, settings(), []],
  ["this machine", { ...config, isLoopback: true }, settings(), ["onThisMachine"]],
  [
    "no mail key and the sample's sender",
    { ...config, mail: { ...mail, resendApiKey: undefined, from: "G <a@gatehouse.example>" } },
    settings(),
    ["mailStaysHere", "sampleSender"],
  ],
  ["no captcha", { ...config, turnstile: undefined }, settings(), ["noCaptcha"]],
  [
    "no webhook, no admin and no contact",
    config,
    settings("RESEND_WEBHOOK_SECRET", "ADMIN_EMAILS", "SECURITY_CONTACT"),
    ["noWebhook", "noAdmins", "noSecurityContact"],
  ],
  ["half of the analytics", config, settings("D1_DATABASE_ID"), ["halfAnalytics"]],
  [
    "no analytics",
    config,
    settings("CLOUDFLARE_ANALYTICS_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "D1_DATABASE_ID"),
    [],
  ],
  ["a demonstration", { ...config, isDemo: true, turnstile: undefined }, settings(), []],
])("problems with %s", (_name, given, states, problems) => {
  expect(findProblems(given, states).map(({ problem }) => problem)).toEqual(problems);
});
