// Wraps the built worker and its database, inside workerd. Not bundled: workerd loads this file as it is. Request
// headers: `X-D1-Fault: 3 before` makes the third database call lose its connection before it is executed, `3 after` after it,
// and again when it is asked again; with ` once` behind it only the first time. `3 silent` does not answer it in time.
// `X-D1-Meanwhile: 2 UPDATE%20user…` executes a statement before the second database call, as another request would.
// `X-D1-Whole: yes` delays the response until the work after it has ended, and counts that work's rows and time too.
// `X-D1-Cron: 7 * * * *` with `X-D1-Moment: 1795305600000` runs that cron trigger at that moment instead. Response
// headers: `X-D1-Calls`, `X-D1-Rows-Read`, `X-D1-Rows-Written`, `X-D1-Time` (milliseconds that D1 reports),
// `X-D1-Rounds` (calls one after another: those beside each other are one), and `X-R2-Reads`. `X-D1-Calls` never counts
// work after the response. `X-D1-Rows-By-Objects`: rows that the objects which send have written since this worker began.
// An invocation that sends more statements than `MOST_STATEMENTS`, after the response included, is logged as `probe.over`,
// and the harness fails the test.
// Request header `X-Clock`: the milliseconds since 1970 that the worker reads from its clock during the whole request, so
// that the order of moments does not depend on how long requests take.
import { AsyncLocalStorage } from "node:async_hooks";
import { aroundCalls, lostConnection, silence } from "./d1-calls.js";
import worker from "./index.js";
import { invoke, inWeather } from "./weather.js";

export * from "./index.js";

/** Milliseconds of the deadlines that are held. */
let heldMs = [];
let weather = "";
/** Rows that objects have written. No request counts them. */
let rowsByObjects = 0;

/** Sets the weather of `weather.js`; without one, the deadlines of the database are held. */
export function setWeather(name, deadlinesMs) {
  weather = name;
  heldMs = name ? [] : deadlinesMs;
}

/** Fails before the product can route a request: `X-D1-Fault: 0 never`. */
const BROKEN = new Proxy(
  {},
  {
    get() {
      throw lostConnection();
    },
  },
);

const requests = new AsyncLocalStorage();
/** One for each `env`, because the product builds its services once for each. */
const probed = new WeakMap();

const RealDate = Date;
const now = () => requests.getStore()?.clock ?? RealDate.now();
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => (args.length === 0 ? new target(now()) : new target(...args)),
  get: (target, name) => (name === "now" ? now : target[name]),
});

export default {
  async fetch(request, env, ctx) {
    const name = `${request.method} ${new URL(request.url).pathname}`;
    const state = stateOf(request.headers, name, env);
    const run = async () => {
      const later = [];
      const watched = {
        waitUntil(work) {
          later.push(work);
          ctx.waitUntil(work);
        },
        passThroughOnException: () => ctx.passThroughOnException(),
      };
      const response = await answer(
        request,
        state.moment === "never" ? BROKEN : withProbe(env),
        watched,
      );
      const counted = new Response(response.body, response);
      counted.headers.set("X-D1-Calls", String(state.calls));
      counted.headers.set("X-D1-Rounds", String(state.rounds));
      if (request.headers.has("x-d1-whole")) await Promise.allSettled(later);
      counted.headers.set("X-R2-Reads", String(state.reads));
      counted.headers.set("X-D1-Rows-Read", String(state.rowsRead));
      counted.headers.set("X-D1-Rows-Written", String(state.rowsWritten));
      counted.headers.set("X-D1-Time", String(state.time));
      counted.headers.set("X-D1-Rows-By-Objects", String(rowsByObjects));
      return counted;
    };
    return requests.run(state, () => invoke(weather, name, run));
  },
  scheduled(controller, env, ctx) {
    const most = Number(env.MOST_STATEMENTS);
    const state = { calls: 0, statements: 0, most, name: `cron ${controller.cron}` };
    return requests.run(state, () => worker.scheduled(controller, withProbe(env), ctx));
  },
};

/** Returns what the headers ask for, and the counts of calls. */
function stateOf(headers, name, env) {
  const [number, moment, once] = (headers.get("x-d1-fault") ?? "").split(" ");
  const between = /^(\d+) (.+)$/.exec(headers.get("x-d1-meanwhile") ?? "");
  const clock = headers.get("x-clock");
  return {
    calls: 0,
    rounds: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    time: 0,
    reads: 0,
    name,
    most: Number(env.MOST_STATEMENTS),
    clock: clock === null ? undefined : Number(clock),
    failing: Number(number),
    moment,
    isOnce: once === "once",
    meanwhile: between && {
      number: Number(between[1]),
      run: () => env.DB.prepare(decodeURIComponent(between[2])).run(),
    },
  };
}

async function answer(request, env, ctx) {
  const cron = request.headers.get("x-d1-cron");
  if (!cron) return worker.fetch(request, env, ctx);
  const scheduledTime = Number(request.headers.get("x-d1-moment"));
  await worker.scheduled({ cron, scheduledTime }, env, ctx);
  return new Response(null, { status: 204 });
}

function withProbe(env) {
  if (!probed.has(env)) {
    const AVATARS = env.AVATARS && counting(env.AVATARS);
    probed.set(env, { ...env, DB: probe(inWeather(env.DB, () => weather)), AVATARS });
  }
  return probed.get(env);
}

/** Wraps a bucket to count its reads. */
function counting(bucket) {
  return {
    get(...args) {
      const state = requests.getStore();
      if (state) state.reads += 1;
      return bucket.get(...args);
    },
    put: (...args) => bucket.put(...args),
    delete: (...args) => bucket.delete(...args),
    list: (...args) => bucket.list(...args),
  };
}

/** Wraps a database to count its calls, and to make them fail. */
function probe(d1) {
  return aroundCalls(d1, call);
}

/** Calls that have failed, by what was asked, so that they fail again when they are asked again. */
const failed = new WeakSet();

async function call(work, { statements, asked }) {
  const state = requests.getStore();
  if (!state) return work();
  if (failed.has(asked)) return fail(work, state);
  state.calls += 1;
  if (!state.underWay) state.rounds += 1;
  state.underWay = (state.underWay ?? 0) + 1;
  try {
    return await count(work, statements, state, asked);
  } finally {
    state.underWay -= 1;
  }
}

async function count(work, statements, state, asked) {
  state.statements += statements;
  if (state.statements > state.most) {
    const { name, calls, statements: sent } = state;
    console.log(JSON.stringify({ event: "probe.over", name, calls, statements: sent }));
  }
  if (state.calls === state.meanwhile?.number) await state.meanwhile.run();
  if (state.calls === state.failing) {
    if (!state.isOnce) failed.add(asked);
    return fail(work, state);
  }
  const result = await work();
  for (const meta of metasOf(result)) {
    state.rowsRead += meta.rows_read;
    state.rowsWritten += meta.rows_written;
    state.time += meta.duration;
  }
  return result;
}

/** Returns what D1 tells of each statement: a batch has a result for each, and a single value or row has no count. */
function metasOf(result) {
  return [result].flat().flatMap((one) => one?.meta ?? []);
}

/**
 * Returns an entrypoint with the `env` of `getEnv`. The calls of its methods are probed as those of a request are: the
 * headers in the first argument say what fails.
 */
export function ofEntrypoint(Entrypoint, getEnv) {
  class Probed extends Entrypoint {
    constructor(ctx) {
      super(ctx, withProbe(getEnv()));
    }
  }
  for (const name of Object.getOwnPropertyNames(Entrypoint.prototype)) {
    if (name === "constructor") continue;
    Probed.prototype[name] = function (...args) {
      const state = stateOf(args[0]?.headers ?? new Headers(), name, getEnv());
      return requests.run(state, () => Entrypoint.prototype[name].apply(this, args));
    };
  }
  return Probed;
}

/** Returns the `env` of an object, whose written rows are counted. */
export function ofObject(env) {
  const DB = aroundCalls(env.DB, async (work) => {
    const result = await work();
    for (const meta of metasOf(result)) rowsByObjects += meta.rows_written;
    return result;
  });
  return { ...env, DB };
}

/** Fails a call before or after it is executed, or does not answer it until its deadline. */
async function fail(work, { moment }) {
  if (moment === "silent") {
    // Its deadline is the newest: it was set right before the call.
    deadlines.at(-1)?.end();
    return silence();
  }
  if (moment === "after") await work();
  throw lostConnection();
}

/**
 * The deadlines of calls under way. They never pass by themselves, because a busy machine would not keep them: a silent
 * call passes its own. A test that sets `weather` has the real ones.
 */
let deadlines = [];
const { setTimeout, clearTimeout } = globalThis;
globalThis.setTimeout = (work, ms, ...values) => {
  if (!heldMs.includes(ms)) return setTimeout(work, ms, ...values);
  const deadline = { end: work };
  deadlines.push(deadline);
  return deadline;
};
globalThis.clearTimeout = (timer) => {
  if (!timer?.end) return clearTimeout(timer);
  deadlines = deadlines.filter((deadline) => deadline !== timer);
};
