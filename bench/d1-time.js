// Stands in front of the built worker, inside workerd, and between it and its database: the answer's `X-D1-Time` is
// the time that D1 itself says it took over the request's statements, in whole milliseconds.
import { AsyncLocalStorage } from "node:async_hooks";
import worker from "./index.js";

const requests = new AsyncLocalStorage();

export default {
  async fetch(request, env, ctx) {
    const state = { duration: 0 };
    return requests.run(state, async () => {
      const response = await worker.fetch(request, { ...env, DB: timed(env.DB) }, ctx);
      const answer = new Response(response.body, response);
      answer.headers.set("X-D1-Time", String(state.duration));
      return answer;
    });
  },
};

/** The database, or a session of it. What a page shows comes in batches, and only these are timed. */
function timed(d1) {
  return new Proxy(d1, {
    get(target, name) {
      if (name === "withSession") return (constraint) => timed(target.withSession(constraint));
      if (name !== "batch") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (statements) => {
        const results = await target.batch(statements);
        const state = requests.getStore();
        for (const { meta } of results) state.duration += meta.duration;
        return results;
      };
    },
  });
}
