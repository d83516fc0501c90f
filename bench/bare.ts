import { Log, LogLevel, Miniflare } from "miniflare";

/** A worker that does as little as possible. */
export const HELLO = `export default { fetch: () => new Response("Hello world") };`;

/**
 * R: parses and writes 100 kB of JSON, 2,000 objects of four fields, four times. The CPU time of pages is divided by
 * it.
 */
export const JSON_WORK = `
const text = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: "Amina", role: "user", at: 12_345 })),
);
export default {
  fetch() {
    let length = 0;
    for (let time = 0; time < 4; time++) length += JSON.stringify(JSON.parse(text)).length;
    return new Response(String(length));
  },
};`;

/** Runs a worker of one module in the same way as `startWorker` runs the product, for comparison. */
export async function startBare(module: string) {
  const miniflare = new Miniflare({
    host: "localhost",
    cf: {},
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: "bare",
          compatibilityDate: "2026-09-01",
          compatibilityFlags: ["nodejs_compat"],
          manifest: {
            mainModule: "index.js",
            modulesRoot: import.meta.dirname,
            modules: { "index.js": { type: "esm", contents: module } },
          },
          env: {},
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  await miniflare.ready;
  return {
    directUrl: await miniflare.unsafeGetDirectURL(),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
    },
  };
}
