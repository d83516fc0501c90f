import { Log, LogLevel, Miniflare } from "miniflare";

const MODULE = `export default { fetch: () => new Response("Hello world") };`;

/** The least a worker can do, run as `startWorker` runs the product: what every load figure is divided by. */
export async function startHello() {
  const miniflare = new Miniflare({
    host: "localhost",
    cf: {},
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: "hello",
          compatibilityDate: "2026-09-01",
          compatibilityFlags: ["nodejs_compat"],
          manifest: {
            mainModule: "index.js",
            modulesRoot: import.meta.dirname,
            modules: { "index.js": { type: "esm", contents: MODULE } },
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
