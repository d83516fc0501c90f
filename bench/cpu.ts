import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newBrowser } from "../tests/support/client.ts";
import { openSession } from "../tests/support/people.ts";
import { type BarePage, bundleBareWorker, elementsOf, type RecordedTrip } from "./bare-worker.ts";
import { HELLO_BY_LOGIN, TIMES_BARE_PAGE } from "./bounds.ts";
import { median, type Table } from "./figures.ts";
import { type Sample, startSample } from "./sample.ts";

const RECORDER = join(import.meta.dirname, "record-trips.js");
const ROUNDS = 5;
/** Linux reports CPU time in ticks of 10 ms. */
const TICK_MS = 10;
const SIZE = { users: 100_000, organizations: 10_000, things: 10_000 };

const PAGES = [
  // A search param that no page of anonymous visitors is kept for.
  { name: "/login, drawn", path: "/login?redirect=%2Fapp%2Faccount", as: "anonymous" },
  { name: "/app", path: "/app", as: "user" },
  { name: "/manager/users", path: "/manager/users", as: "admin" },
  { name: "/manager/dashboard", path: "/manager/dashboard", as: "admin" },
] as const;

/** The bare worker answers it with one word. */
const HELLO = "/hello";

const TITLE = "3. CPU of a page, over 100,000 users";

/** A URL and its request headers. */
type Target = { url: URL; headers: Record<string, string> };

/**
 * Measures table 3: CPU time per request of the whole workerd process, including the local D1, for one request after
 * the other, divided by that of a bare React Router page, which draws the same elements from constants after the same
 * D1 statements in the same process. Medians of alternating rounds.
 */
export async function measureCpu({ roundMs }: { roundMs: number }): Promise<Table> {
  if (!existsSync("/proc/self/stat")) {
    const remarks = ["Skipped: the CPU of a process is read from /proc, which this system lacks."];
    return { title: TITLE, columns: [], rows: [], remarks };
  }
  const { cookies, pages } = await recordPages();
  const databaseWorker = await bundleBareWorker(pages);
  const { started: sample, pid } = await withPid(() => startSample(SIZE, { databaseWorker }));
  await using _sample = sample;
  const databaseUrl = await sample.getDatabaseUrl();
  const targets = PAGES.flatMap(({ path, as }): Target[] => [
    { url: new URL(new URL(path, sample.origin).pathname, databaseUrl), headers: {} },
    { url: new URL(path, sample.directUrl), headers: cookies[as] },
  ]);
  const hello = { url: new URL(HELLO, databaseUrl), headers: {} };
  const times = await measureInTurns([...targets, hello], pid, roundMs);
  const ofHello = times.at(-1) ?? [];
  return {
    title: TITLE,
    columns: ["÷ bare page", "CPU", "of the bare page", "of hello ÷ it"],
    rows: PAGES.map(({ name, path }, index) => {
      const [bare = [], ours = []] = times.slice(2 * index, 2 * index + 2);
      const ratios = ours.map((time, round) => time / (bare[round] ?? Number.NaN));
      const trips = pages[new URL(path, sample.origin).pathname]?.trips.length;
      return {
        name,
        figures: [
          { value: median(ratios), atMost: TIMES_BARE_PAGE },
          { value: median(ours), unit: "ms" as const },
          { value: median(bare), unit: "ms" as const },
          path.startsWith("/login")
            ? { value: median(ofHello) / median(ours), atLeast: HELLO_BY_LOGIN }
            : undefined,
        ],
        note: `${trips} round trips; rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      };
    }),
  };
}

/** Opens the pages once, and keeps their elements and their statements. Returns the sessions too. */
async function recordPages() {
  await using sample = await startSample(SIZE, { front: [RECORDER] });
  // The dashboard shows figures that the cron has counted.
  await sample.runScheduled();
  const cookies = {
    anonymous: {},
    user: await signInAs(sample, "user"),
    admin: await signInAs(sample, "admin"),
  };
  const pages: Record<string, BarePage> = {};
  for (const { path, as } of PAGES) {
    const url = new URL(path, sample.directUrl);
    // The first visit also notes that the user was seen.
    await (await fetch(url, { headers: cookies[as] })).text();
    const response = await fetch(url, { headers: { ...cookies[as], "x-record": "yes" } });
    const { html, trips } = (await response.json()) as { html: string; trips: RecordedTrip[] };
    pages[url.pathname] = { trips, tree: elementsOf(html) };
  }
  return { cookies, pages };
}

/**
 * Returns milliseconds of CPU time per request, for each target and round. The first round is a warm-up and does not
 * count.
 */
async function measureInTurns(
  targets: Target[],
  pid: number,
  roundMs: number,
): Promise<number[][]> {
  const times: number[][] = targets.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, target] of targets.entries()) {
      const time = await measureRound(target, pid, roundMs);
      if (round > 0) times[index]?.push(time);
    }
  }
  return times;
}

async function measureRound(
  { url, headers }: Target,
  pid: number,
  roundMs: number,
): Promise<number> {
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

async function signInAs(sample: Sample, role: "user" | "admin"): Promise<{ cookie: string }> {
  const person = await sample.d1
    .prepare(
      "SELECT id FROM user WHERE role = ? AND banned = 0 AND onboarded_at IS NOT NULL LIMIT 1",
    )
    .bind(role)
    .first<{ id: string }>();
  const browser = newBrowser({ url: sample.directUrl, origin: sample.origin });
  await openSession(sample, browser, person?.id ?? "");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie };
}
