// What a bad day does to the calls of the database, by the names of `weathers.ts`. Not bundled: workerd loads this file as it
// is, in front of the product (`npm start -- --weather NAME`) or of the tests' probe. A deployed worker never has it.
import { AsyncLocalStorage } from "node:async_hooks";
import { aroundCalls, lostConnection, silence } from "./d1-calls.js";

/** Milliseconds to a database on another continent and back. */
const FAR_MS = 290;
/**
 * One call in so many pauses for some seconds, and one in so many begins a long stall, in which no call is answered.
 */
const [PAUSE, STALL] = [25, 250];
const [PAUSE_MS, MORE_PAUSE_MS] = [2_000, 23_000];
const [STALL_MS, MORE_STALL_MS] = [20_000, 60_000];
/** One call in so many loses its connection. */
const LOSS = 10;
/** Statements of an invocation, and milliseconds that it may compute, on the free plan. */
const [FREE_STATEMENTS, FREE_CPU_MS] = [50, 10];

const invocations = new AsyncLocalStorage();
let stalledUntil = 0;

const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isOneIn = (many) => Math.random() * many < 1;

const AROUND = {
  async far(work) {
    await passed(FAR_MS);
    return work();
  },
  async stalls(work) {
    if (isOneIn(STALL)) stalledUntil = Date.now() + STALL_MS + Math.random() * MORE_STALL_MS;
    else if (isOneIn(PAUSE)) await passed(PAUSE_MS + Math.random() * MORE_PAUSE_MS);
    const rest = stalledUntil - Date.now();
    if (rest > 0) await passed(rest);
    return work();
  },
  async lost(work) {
    if (!isOneIn(LOSS)) return work();
    // Before or after it took effect: nothing tells which.
    if (isOneIn(2)) await work();
    throw lostConnection();
  },
  async free(work, { statements }) {
    const invocation = invocations.getStore();
    if (!invocation) return work();
    invocation.statements += statements;
    if (invocation.statements > FREE_STATEMENTS) {
      throw new Error("D1_ERROR: Too many API requests by single worker invocation.");
    }
    const askedAt = performance.now();
    try {
      return await work();
    } finally {
      invocation.waitedMs += performance.now() - askedAt;
    }
  },
  down: silence,
};

/** Returns the database as it is in a weather. The weather "mail" does not change the database. */
export function inWeather(d1, weatherOf) {
  return aroundCalls(d1, (work, call) => (AROUND[weatherOf()] ?? ((plain) => plain()))(work, call));
}

/** Runs an invocation of the worker. In the weather `free` it tells what the free plan would have refused. */
export async function invoke(weather, name, work) {
  if (weather !== "free") return work();
  const invocation = { statements: 0, waitedMs: 0 };
  const begunAt = performance.now();
  try {
    return await invocations.run(invocation, work);
  } finally {
    const ms = Math.round(performance.now() - begunAt - invocation.waitedMs);
    const { statements } = invocation;
    const isOver = ms > FREE_CPU_MS || statements > FREE_STATEMENTS;
    if (isOver) {
      const limits = { limitMs: FREE_CPU_MS, limitStatements: FREE_STATEMENTS };
      console.log(JSON.stringify({ event: "weather.free", name, ms, statements, ...limits }));
    }
  }
}

/** Wraps the whole worker for `npm start` and `npm run dev`. */
export function wrapWorker({ default: worker, MailSender, FeatureAlarm }) {
  const known = new WeakMap();
  const changed = (env) => {
    if (!known.has(env)) known.set(env, { ...env, DB: inWeather(env.DB, () => env.WEATHER) });
    return known.get(env);
  };
  const inEnv = (Sender) =>
    class extends Sender {
      constructor(ctx, env) {
        super(ctx, changed(env));
      }
    };
  return {
    worker: {
      fetch: (request, env, ctx) =>
        invoke(env.WEATHER, `${request.method} ${new URL(request.url).pathname}`, () =>
          worker.fetch(request, changed(env), ctx),
        ),
      scheduled: (controller, env, ctx) =>
        invoke(env.WEATHER, `cron ${controller.cron}`, () =>
          worker.scheduled(controller, changed(env), ctx),
        ),
    },
    MailSender: inEnv(MailSender),
    FeatureAlarm: inEnv(FeatureAlarm),
  };
}
