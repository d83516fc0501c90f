import { existsSync, readdirSync, readFileSync } from "node:fs";
import { newBrowser } from "../tests/support/client.ts";
import { openSession } from "../tests/support/people.ts";
import { JSON_WORK, startBare } from "./bare.ts";
import { median, type Table } from "./figures.ts";
import { type Sample, startSample } from "./sample.ts";

const ROUNDS = 5;
/** Linux reports CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** Pages with 100,000 users in the database, and their budgets and goals divided by R. */
const PAGES = [
  { path: "/login?redirect=%2Fapp%2Faccount", as: "anonymous", budget: 0.8, goal: 0.6 },
  { path: "/app", as: "user", budget: 1.0, goal: 0.7 },
  { path: "/app/account", as: "user", budget: 1.6, goal: 1.1 },
  { path: "/manager/users", as: "admin", budget: 2.2, goal: 1.4 },
  { path: "/manager/repositories", as: "admin", budget: 2.2, goal: 1.4 },
  { path: "/app/repositories", as: "user", budget: 1.8, goal: 1.2 },
  { path: "/manager/dashboard", as: "admin", budget: 2.2, goal: 1.4 },
] as const;

const TITLE = "3. CPU of a page, over 100,000 users";

/** A URL and the process that answers it. */
type Target = { url: URL; headers: Record<string, string>; pid: number };

/**
 * Measures table 3: CPU time per request of the whole workerd process, including the local D1, for one request after
 * the other, divided by R, which a JSON worker measures in the same run. Medians of alternating rounds.
 */
export async function measureCpu({ roundMs }: { roundMs: number }): Promise<Table> {
  if (!existsSync("/proc/self/stat")) {
    const remarks = ["Skipped: the CPU of a process is read from /proc, which this system lacks."];
    return { title: TITLE, columns: [], rows: [], remarks };
  }
  const { started: r, pid: pidOfR } = await withPid(() => startBare(JSON_WORK));
  await using _r = r;
  const { started: sample, pid } = await withPid(() =>
    startSample({ users: 100_000, organizations: 10_000, repositories: 10_000 }),
  );
  await using _sample = sample;
  // The dashboard shows figures that the cron has counted.
  await sample.runScheduled();
  const cookies = {
    anonymous: {},
    user: await signInAs(sample, ""),
    admin: await signInAs(sample, "admin"),
  };
  const targets: Target[] = [
    { url: r.directUrl, headers: {}, pid: pidOfR },
    ...PAGES.map(({ path, as }) => ({
      url: new URL(path, sample.directUrl),
      headers: cookies[as],
      pid,
    })),
  ];
  const [ofR = [], ...ofPages] = await measureInTurns(targets, roundMs);
  return {
    title: TITLE,
    columns: ["÷ R", "CPU"],
    rows: [
      { name: "R", figures: [undefined, { value: median(ofR), unit: "ms" }] },
      ...PAGES.map(({ path, budget, goal }, index) => {
        const times = ofPages[index] ?? [];
        const ratios = times.map((time, round) => time / (ofR[round] ?? Number.NaN));
        return {
          name: path,
          figures: [
            { value: median(ratios), atMost: budget },
            { value: median(times), unit: "ms" as const },
          ],
          note: `goal ${goal}; rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
        };
      }),
    ],
  };
}

/**
 * Returns milliseconds of CPU time per request, for each target and round. The first round is a warm-up and does not
 * count.
 */
async function measureInTurns(targets: Target[], roundMs: number): Promise<number[][]> {
  const times: number[][] = targets.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, target] of targets.entries()) {
      const time = await measureRound(target, roundMs);
      if (round > 0) times[index]?.push(time);
    }
  }
  return times;
}

async function measureRound({ url, headers, pid }: Target, roundMs: number): Promise<number> {
  const before = cpuOf(pid);
  const end = performance.now() + roundMs;
  let count = 0;
  for (; performance.now() < end; count++) {
    const response = await fetch(url, { headers, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  }
  return (cpuOf(pid) - before) / count;
}

/** Returns the CPU time of a process in milliseconds, in user and system mode. */
function cpuOf(pid: number): number {
  const fields = statOf(pid).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the fields of /proc/PID/stat after the program's name, which may contain spaces: state, parent, … */
function statOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2);
}

/** Starts a worker and finds its process id. */
async function withPid<T>(start: () => Promise<T>): Promise<{ started: T; pid: number }> {
  const before = listWorkerds();
  const started = await start();
  const [pid, ...others] = listWorkerds().filter((one) => !before.includes(one));
  if (pid === undefined || others.length > 0) throw new Error("No single workerd was started");
  return { started, pid };
}

/** Lists the workerd processes that are children of this process. */
function listWorkerds(): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isWorkerd = readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "workerd";
      return isWorkerd && statOf(pid).split(" ")[1] === String(process.pid);
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  });
}

async function signInAs(sample: Sample, kind: "" | "admin"): Promise<{ cookie: string }> {
  const person = await sample.d1
    .prepare("SELECT id FROM user WHERE kind = ? LIMIT 1")
    .bind(kind)
    .first<{ id: string }>();
  const browser = newBrowser({ url: sample.directUrl, origin: sample.origin });
  await openSession(sample, browser, person?.id ?? "");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie };
}
