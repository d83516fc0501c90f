// Runs in front of the built worker, inside workerd: answers with the page's HTML and the statements of each of its round
// trips. Not bundled: workerd loads this file as it is.
import worker from "./index.js";

export default {
  async fetch(request, env, ctx) {
    const trips = [];
    const response = await worker.fetch(request, { ...env, DB: recorded(env.DB, trips) }, ctx);
    if (!request.headers.has("x-record")) return response;
    const html = await response.text();
    return Response.json({ html, trips });
  },
};

function recorded(d1, trips) {
  const known = new WeakMap();
  const noted = (statement, sql, values) => {
    known.set(statement, { sql, values });
    return new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...given) => noted(target.bind(...given), sql, given);
        if (name === "recorded") return target;
        const value = target[name];
        if (!["all", "run", "raw", "first"].includes(name)) return value;
        return (...given) => {
          trips.push([known.get(target)]);
          return value.apply(target, given);
        };
      },
    });
  };
  return {
    prepare: (sql) => noted(d1.prepare(sql), sql, []),
    batch(statements) {
      const own = statements.map((one) => one.recorded);
      trips.push(own.map((one) => known.get(one)));
      return d1.batch(own);
    },
    exec: (sql) => d1.exec(sql),
  };
}
