// npm run bench: the figures of the build beside their budgets; fails when one is broken. With `-- --quick` the load
// is shorter, the long lists are 100,000 users and 10,000 repositories instead of ten times that, and the ratios are
// rougher. All but the start-up's milliseconds compare between machines.

import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/demo/sample-data.server.ts";
import { seed } from "../app/features/demo/seed.server.ts";
import { build } from "../scripts/build.ts";
import { applyMigrations } from "../scripts/database.ts";
import { fail, readOptions, step } from "../scripts/terminal.ts";
import { startWorker } from "../scripts/worker.ts";
import { type Figure, printFigures } from "./figures.ts";
import { startHello } from "./hello.ts";
import { measureLists } from "./lists.ts";
import { measureRatios, type Ratio } from "./load.ts";
import { measureStartup } from "./startup.ts";
import { signInAdmin } from "./visitor.ts";
import { weighPage, weighWorker } from "./weight.ts";

const ORIGIN = "http://localhost:8787";
const FULL = {
  rounds: 7,
  roundMs: 2_000,
  startups: 5,
  lists: { users: 1_000_000, repositories: 100_000 },
};
const QUICK = {
  rounds: 3,
  roundMs: 700,
  startups: 2,
  lists: { users: 100_000, repositories: 10_000 },
};

const options = readOptions({ quick: { type: "boolean" } }, "npm run bench -- [--quick]");
const effort = options.quick ? QUICK : FULL;

console.log("Gatehouse");
const built = await step("build", build, (made) => {
  if (!made.ok) return "failed";
  return made.isNew ? "made for production" : "nothing changed since the last one";
});
if (!built.ok) fail(built.output);

const startup = await step(
  "start-up",
  () => measureStartup(effort.startups),
  () => `profiled ${effort.startups} times`,
);

await using hello = await startHello();
await using worker = await startWorker({
  network: "loopback",
  onLog({ level, message }) {
    if (level === "error") console.error(message);
  },
  vars: { BASE_URL: ORIGIN, BETTER_AUTH_SECRET: crypto.randomUUID() },
});
await applyMigrations(worker.d1);
await seed(createDb(worker.d1), DEFAULT_SIZE, new Date());
const cookie = await signInAdmin(worker, ORIGIN);

const login = await visit("/login");
const app = await visit("/app", { cookie });
const dashboard = await visit("/manager/dashboard", { cookie });

const [loginLoad, appLoad, dashboardLoad] = await step(
  "load",
  () => measureRatios({ url: hello.directUrl }, [login, app, dashboard], effort),
  () => `${effort.rounds} rounds of each page and of a worker that says hello`,
);

const listFigures = await step(
  "lists",
  () => measureLists(effort.lists),
  () => {
    const { users, repositories } = effort.lists;
    return `${users.toLocaleString("en")} users and ${repositories.toLocaleString("en")} repositories`;
  },
);

const areKept = printFigures([
  { name: "/login: requests a second ÷ hello's", ...describeRatio(loginLoad), atLeast: 0.07 },
  { name: "/login: D1 round trips", value: login.roundTrips, atMost: 0 },
  { name: "/login: JavaScript, gzip", value: login.script, unit: "kB", atMost: 135_000 },
  { name: "/login: CSS, gzip", value: login.style, unit: "kB", atMost: 8_000 },
  { name: "/login: requests", value: login.requests, atMost: 15 },
  { name: "/app: requests a second ÷ hello's", ...describeRatio(appLoad) },
  { name: "/app: D1 round trips", value: app.roundTrips, atMost: 2 },
  { name: "/manager/dashboard: requests a second ÷ hello's", ...describeRatio(dashboardLoad) },
  { name: "/manager/dashboard: D1 round trips", value: dashboard.roundTrips, atMost: 2 },
  {
    name: "/manager/dashboard: JavaScript, gzip",
    value: dashboard.script,
    unit: "kB",
    atMost: 180_000,
  },
  { name: "worker: gzip", value: weighWorker(), unit: "kB", atMost: 750_000 },
  { name: "worker: start-up CPU", value: startup, unit: "ms", atMost: 100 },
  ...listFigures,
]);
process.exitCode = areKept ? 0 : 1;

/** Asks for a page once: what it weighs, and how often it asked the database. */
async function visit(path: string, headers: Record<string, string> = {}) {
  const url = new URL(path, worker.directUrl);
  const response = await fetch(url, { headers, redirect: "error" });
  const roundTrips = /\bd1;desc="(\d+)/.exec(response.headers.get("server-timing") ?? "")?.[1];
  if (!response.ok || !roundTrips) {
    throw new Error(`${path} answered ${response.status} and did not tell its round trips`);
  }
  return { url, headers, roundTrips: Number(roundTrips), ...weighPage(await response.text()) };
}

function describeRatio(ratio: Ratio | undefined): Pick<Figure, "value" | "note"> {
  if (!ratio) return { value: Number.NaN };
  return {
    value: ratio.median,
    note: `${ratio.lowest.toFixed(3)} to ${ratio.highest.toFixed(3)}`,
  };
}
