// Runs in front of the product, inside workerd, and gives it the settings and the database of the test that runs. Not
// bundled: workerd loads this file as it is. One workerd serves many tests, one after the other; `shared-worker.ts` asks
// `Control` to begin each, and to end it.
import probe, { ofEntrypoint, ofObject, setWeather } from "./d1-probe.js";
import * as product from "./index.js";

/** The product's `env` in this test. */
let testEnv = {};
/** Requests, the work after them, and the runs of the sender that have not ended. */
let unfinished = 0;
/** What stops each object that this test has used. */
const senders = new Map();

export default {
  fetch: (request, _env, ctx) => count(() => probe.fetch(request, testEnv, counting(ctx))),
  scheduled: (controller, _env, ctx) =>
    count(() => probe.scheduled(controller, testEnv, counting(ctx))),
};

/**
 * The bindings of the objects that send. A test uses its own objects, which it names by its turn, so that each lives
 * with the test's `env`.
 */
const SENDERS = ["MAIL_SENDER", "FEATURE_ALARM"];

/** Releases before it have no such class. */
const inTest = (Sender = Object) =>
  class extends Sender {
    constructor(ctx) {
      super(ctx, ofObject(testEnv));
    }
    wake(...args) {
      return count(() => super.wake(...args));
    }
    alarm(info) {
      return count(() => super.alarm(info));
    }
    stop() {
      return this.ctx.storage.deleteAlarm();
    }
  };

/** Returns an entrypoint in which the test's own `env` stands, and whose calls fail as the probe of a request says. */
export const entrypointInTest = (Entrypoint) => ofEntrypoint(Entrypoint, () => testEnv);

export class MailSender extends inTest(product.MailSender) {}
export class FeatureAlarm extends inTest(product.FeatureAlarm) {}

export const Control = {
  async fetch(request, env) {
    const { command, ...test } = await request.json();
    if (command === "begin") begin(test, env);
    if (command !== "end") setWeather(test.weather, test.deadlinesMs);
    if (command === "end") {
      for (const stop of senders.values()) await stop();
      // Node reads the log in order: no line of the ended test comes after this one.
      if (unfinished === 0) console.log(test.lastLine);
    }
    return Response.json({ unfinished });
  },
};

function begin({ turn, vars, bindings }, env) {
  const texts = Object.entries(env).filter(([, value]) => typeof value === "string");
  const own = Object.entries(bindings).map(([name, binding]) => [name, env[binding]]);
  senders.clear();
  const objects = SENDERS.filter((binding) => env[binding]).map((binding) => {
    const getByName = (name) => {
      const ownName = turn === 0 ? name : `${name} ${turn}`;
      const sender = env[binding].getByName(ownName);
      senders.set(`${binding} ${ownName}`, () => env[binding].getByName(ownName).stop());
      return sender;
    };
    return [binding, { getByName }];
  });
  testEnv = { ...Object.fromEntries([...texts, ...Object.entries(vars), ...own, ...objects]) };
}

async function count(work) {
  unfinished += 1;
  try {
    return await work();
  } finally {
    unfinished -= 1;
  }
}

function counting(ctx) {
  return {
    waitUntil: (work) => ctx.waitUntil(count(() => work)),
    passThroughOnException: () => ctx.passThroughOnException(),
  };
}
