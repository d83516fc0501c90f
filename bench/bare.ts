import { Log, LogLevel, Miniflare } from "miniflare";

/** The least that a worker can do. */
export const HELLO = `export default { fetch: () => new Response("Hello world") };`;

/** R: parses and writes 100 kB of JSON, 2,000 objects of four fields, four times. What pages are divided by. */
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

/** Runs a worker of one module as `startWorker` runs the product: something to divide the product's figures by. */
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
