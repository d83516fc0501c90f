import { expect, test } from "vitest";
import {
  type Alarm,
  compareAlarms,
  type Finding,
  judgeJobs,
  judgeLateness,
  judgeMail,
  judgeSize,
  troublesOf,
  untoldOf,
} from "./alarms.ts";
import type { ScheduledRun } from "./cron.ts";

const MINUTE_MS = 60_000;
const now = new Date("2026-11-22T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);

const run = (schedule: ScheduledRun["schedule"], minutesAgo: number): ScheduledRun => ({
  ...{ schedule, startedAt: ago(minutesAgo), durationMs: 12 },
  ...{ failedAt: null, failedJobs: null },
});

test.each([
  ["two failed mails", { unsent: 2, all: 0, oldestWaitingAt: null }, null],
  ["three of ten", { unsent: 3, all: 10, oldestWaitingAt: null }, { unsent: 3, waitingMinutes: 0 }],
  ["three of a hundred", { unsent: 3, all: 100, oldestWaitingAt: null }, null],
  ["a mail that waits a quarter", { unsent: 0, all: 0, oldestWaitingAt: ago(15) }, null],
  [
    "a mail that waits longer",
    { unsent: 0, all: 0, oldestWaitingAt: ago(16) },
    { unsent: 0, waitingMinutes: 16 },
  ],
])("mail, with %s", (_name, figures, news) => {
  expect(judgeMail(figures, now).news).toEqual(news && { alarm: "mail", ...news });
});

test.each([
  ["minute", 10, false],
  ["minute", 11, true],
  ["hour", 90, false],
  ["hour", 91, true],
] as const)(
  "the schedule of every %s, %i minutes after its last run",
  (schedule, minutes, isLate) => {
    expect(judgeLateness([run(schedule, minutes)], schedule, now).news !== null).toBe(isLate);
  },
);

test("a schedule that never ran is not called late", () => {
  expect(judgeLateness([], "hour", now)).toEqual({ kind: "cron-hour", news: null });
});

test("only a failure of the last run is an alarm", () => {
  const failed = { failedJobs: "mail, prune mail" };

  expect(judgeJobs([{ ...run("minute", 1), ...failed, failedAt: ago(1) }]).news).toEqual({
    alarm: "job",
    jobs: "mail, prune mail",
  });
  expect(judgeJobs([{ ...run("minute", 1), ...failed, failedAt: ago(2) }]).news).toBeNull();
});

test.each([
  [399_999_999, "free", null],
  [400_000_000, "free", 80],
  [400_000_000, "paid", null],
  [9_900_000_000, "paid", 99],
] as const)("%i bytes on the %s plan", (bytes, plan, percent) => {
  const { news } = judgeSize(bytes, plan);

  expect(news).toEqual(percent && { alarm: "database-size", percent });
});

const holds: Finding = { kind: "mail", news: { alarm: "mail", unsent: 3, waitingMinutes: 0 } };
const over: Finding = { kind: "mail", news: null };
const stored = (values: Partial<Alarm>): Alarm[] => [
  { kind: "mail", since: ago(600), lastMailedAt: ago(10), endedAt: null, ...values },
];

test.each([
  ["a new one is mailed", [], holds, { due: [holds.news] }],
  ["one mailed 59 minutes ago waits", stored({ lastMailedAt: ago(59) }), holds, {}],
  [
    "one mailed an hour ago is due",
    stored({ lastMailedAt: ago(60) }),
    holds,
    { due: [holds.news] },
  ],
  [
    "one that comes back soon is reopened",
    stored({ endedAt: ago(5) }),
    holds,
    { reopened: ["mail"] },
  ],
  [
    "one that comes back later is mailed",
    stored({ endedAt: ago(61), lastMailedAt: ago(70) }),
    holds,
    { due: [holds.news] },
  ],
  ["one that is over ends", stored({}), over, { ended: ["mail"] }],
  ["one that has ended stays so", stored({ endedAt: ago(5) }), over, {}],
  ["nothing was and nothing is", [], over, {}],
])("of alarms, %s", (_name, known, finding, changes) => {
  expect(compareAlarms(known, [finding], now)).toEqual({
    ...{ due: [], reopened: [], ended: [] },
    ...changes,
  });
});

test("a request finds both schedules late when neither runs, each once", () => {
  const runs = [run("minute", 200), run("hour", 190)];
  const late = [
    { kind: "cron-minute", since: ago(200) },
    { kind: "cron-hour", since: ago(190) },
  ];

  expect(troublesOf([], runs, now)).toEqual(late);
  expect(troublesOf([{ kind: "cron-minute", since: ago(100) }], runs, now)).toEqual([
    { kind: "cron-minute", since: ago(100) },
    late[1],
  ]);
});

test("every screen tells only what a mail may not tell", () => {
  const kinds = [
    "mail",
    "wrong-codes",
    "cron-minute",
    "cron-hour",
    "job",
    "database-size",
  ] as const;

  expect(untoldOf(kinds.map((kind) => ({ kind, since: now }))).map(({ kind }) => kind)).toEqual([
    ...["mail", "cron-minute", "cron-hour"],
  ]);
});
