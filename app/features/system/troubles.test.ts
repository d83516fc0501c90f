import { expect, test } from "vitest";
import type { ScheduledRun } from "./cron.ts";
import type { SystemStatus } from "./status.server.ts";
import { FEATURE_TROUBLES, listTroubles } from "./troubles.ts";

const MINUTE_MS = 60_000;
const now = new Date("2026-11-22T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);

/** The names of what needs attention. */
function namesOf(status: SystemStatus) {
  return listTroubles(status).map(({ name }) => name);
}

const run = (schedule: ScheduledRun["schedule"], minutesAgo: number): ScheduledRun => ({
  schedule,
  startedAt: ago(minutesAgo),
  durationMs: 12,
  failedAt: null,
  failedJobs: null,
});
const nothing = { count: 0, isMore: false };
const mail = {
  isLocal: false,
  waiting: nothing,
  oldestWaitingAt: null,
  failed: nothing,
  recent: 10,
  unsent: 0,
  lastSentAt: ago(1),
  acceptedAt: ago(1),
};
const healthy = {
  now,
  mail,
  runs: [run("minute", 1), run("hour", 30)],
  attention: {},
  database: { plan: "free" as const, bytes: 1_000 },
};

test("nothing needs attention while all works, nor before the first run of the cron", () => {
  expect(namesOf(healthy)).toEqual([]);
  expect(namesOf({ ...healthy, runs: [] })).toEqual([]);
});

test.each([
  ["two failed mails", { unsent: 2 }, []],
  ["three of ten", { unsent: 3 }, ["mail"]],
  ["three of a hundred", { unsent: 3, recent: 100 }, []],
  ["a mail that waits a quarter of an hour", { oldestWaitingAt: ago(15) }, []],
  ["a mail that waits longer", { oldestWaitingAt: ago(16) }, ["mail"]],
])("mail, with %s", (_name, figures, troubles) => {
  expect(namesOf({ ...healthy, mail: { ...mail, ...figures } })).toEqual(troubles);
});

test.each([
  ["minute", 10, []],
  ["minute", 11, ["cron-minute"]],
  ["hour", 90, []],
  ["hour", 91, ["cron-hour"]],
] as const)("the schedule of every %s, %i minutes after its run", (schedule, minutes, troubles) => {
  expect(namesOf({ ...healthy, runs: [run(schedule, minutes)] })).toEqual(troubles);
});

test("a job needs attention while its last run failed", () => {
  const failed = { ...run("minute", 1), failedJobs: "mail, prune mail" };

  expect(namesOf({ ...healthy, runs: [{ ...failed, failedAt: ago(1) }] })).toEqual(["job"]);
  expect(namesOf({ ...healthy, runs: [{ ...failed, failedAt: ago(2) }] })).toEqual([]);
});

test.each(Object.keys(FEATURE_TROUBLES))(
  "%s, which a feature has found, needs attention",
  (name) => {
    expect(namesOf({ ...healthy, attention: { [name]: {} } })).toEqual([name]);
  },
);

test.each([
  ["free", 399_999_999, []],
  ["free", 400_000_000, ["database-size"]],
  ["paid", 400_000_000, []],
  ["paid", 8_000_000_000, ["database-size"]],
] as const)("the %s plan's database with %i bytes", (plan, bytes, troubles) => {
  expect(namesOf({ ...healthy, database: { plan, bytes } })).toEqual(troubles);
});
