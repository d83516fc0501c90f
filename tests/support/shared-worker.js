// Runs in front of the product, inside workerd, and gives it the settings and the database of the test that runs. Not
// bundled: workerd loads this file as it is. One workerd serves many tests, one after the other; `shared-worker.ts` asks
// `Control` to begin each, and to end it.
import probe from "./d1-probe.js";
import * as product from "./index.js";

/** The product's `env` in this test. */
let testEnv = {};
/** Requests, the work after them, and the runs of the sender that have not ended. */
let unfinished = 0;
/** Names of the objects that this test has used. */
const senders = new Set();

export default {
  fetch: (request, _env, ctx) => count(() => probe.fetch(request, testEnv, counting(ctx))),
  scheduled: (controller, _env, ctx) =>
    count(() => probe.scheduled(controller, testEnv, counting(ctx))),
};

/** A test uses its own objects, which it names by its turn, so that each lives with the test's `env`. Releases before it have none. */
export class MailSender extends (product.MailSender ?? Object) {
  constructor(ctx) {
    super(ctx, testEnv);
  }
  wake() {
    return count(() => super.wake());
  }
  alarm(info) {
    return count(() => super.alarm(info));
  }
  stop() {
    return this.ctx.storage.deleteAlarm();
  }
}

export const Control = {
  async fetch(request, env) {
    const { command, ...test } = await request.json();
    if (command === "begin") begin(test, env);
    if (command === "end") {
      for (const name of senders) await env.MAIL_SENDER.getByName(name).stop();
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
  const MAIL_SENDER = {
    getByName(name) {
      const ownName = turn === 0 ? name : `${name} ${turn}`;
      senders.add(ownName);
      return env.MAIL_SENDER.getByName(ownName);
    },
  };
  testEnv = { ...Object.fromEntries(texts), ...vars, ...Object.fromEntries(own), MAIL_SENDER };
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
