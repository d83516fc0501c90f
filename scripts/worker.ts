import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fetch, Log, LogLevel, Miniflare, type Request, Response } from "miniflare";

const ROOT = resolve(import.meta.dirname, "..");

/** Where `wrangler`, the vite plugin and `npm start` keep their local data. */
export const LOCAL_STATE = join(ROOT, ".wrangler/state/v3");

const FRONT_MODULE = "front.js";

/** The cron triggers of wrangler.toml. */
const [EVERY_MINUTE, EVERY_HOUR] = ["* * * * *", "7 * * * *"];

type WorkerLog = { level: string; message: string };

export type WorkerOptions = {
  /** Port on localhost; any free one when not given. */
  port?: number;
  /** Folder the data is kept in; when not given, the data is gone with the worker. */
  persist?: string;
  /** Variables and secrets, over those of wrangler.toml. */
  vars?: Record<string, string>;
  /** What `cf` says of callers of `url`, such as `{ country: "KE" }`; nothing when not given. */
  cf?: Record<string, unknown>;
  /** "loopback" refuses every request that would leave this machine, and lists it in `refused`. */
  network?: "open" | "loopback";
  /** A file with a module that stands in front of the worker and imports it as `./index.js`. */
  front?: string;
  /** Leaves out what a deployment may be without: the bucket of pictures, the built files at hand. */
  without?: ("AVATARS" | "ASSETS")[];
  /** Gets what the worker logs; printed when not given. */
  onLog?: (log: WorkerLog) => void;
};

/**
 * Runs what `react-router build` built in workerd, with its assets and a real local D1 and bucket: the one way in which
 * `npm start`, the tests and the benchmark serve the product. `url` adds what Cloudflare adds: the caller's address,
 * `cf` and compression. `directUrl` is the bare worker, fast and without any of it. Both believe a `CF-Connecting-IP`
 * and a `MF-CF-Blob` (`cf` as JSON) that the caller sends. The data has no tables until `applyMigrations`.
 */
export async function startWorker(options: WorkerOptions = {}) {
  const refused: string[] = [];
  const built = readBuild(options);
  const miniflare = new Miniflare({
    host: "localhost",
    port: options.port ?? 0,
    cf: options.cf ?? {},
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    resourcePersistencePath: options.persist,
    handleStructuredLogs: options.onLog ?? printLog,
    workers: [
      {
        config: built,
        dev: {
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
          outboundService:
            options.network === "loopback"
              ? { type: "fetcher", handler: (request) => fetchLoopback(request, refused) }
              : undefined,
        },
      },
    ],
  });
  const url = await miniflare.ready;
  const worker = await miniflare.getWorker();

  return {
    url: new URL(`http://localhost:${url.port}`),
    directUrl: await miniflare.unsafeGetDirectURL(),
    d1: await miniflare.getD1Database("DB"),
    /** The bucket of pictures; undefined where there is none. */
    avatars: "AVATARS" in built.env ? await miniflare.getR2Bucket("AVATARS") : undefined,
    refused,
    /** Runs the `scheduled` handler once, as the trigger of every minute would at that moment. */
    async runScheduled(scheduledTime = new Date()) {
      await worker.scheduled({ scheduledTime, cron: EVERY_MINUTE });
    },
    /** Runs the `scheduled` handler once, as the hourly trigger would at that moment. */
    async runHourly(scheduledTime = new Date()) {
      await worker.scheduled({ scheduledTime, cron: EVERY_HOUR });
    },
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
    },
  };
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** What of the wrangler.json beside the built worker is needed to run it. */
type BuiltConfig = {
  name: string;
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, string>;
  d1_databases: { binding: string; database_id: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
};

function readBuild({ vars, front, without = [] }: WorkerOptions) {
  const server = join(ROOT, "build/server");
  const config: BuiltConfig = JSON.parse(readFileSync(join(server, "wrangler.json"), "utf8"));
  const modules = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => {
      const contents = readFileSync(join(server, file), "utf8");
      return [file, { type: "esm" as const, contents }] as const;
    });
  if (front) {
    modules.push([FRONT_MODULE, { type: "esm", contents: readFileSync(front, "utf8") }]);
  }
  const text = Object.entries({ ...config.vars, ...vars }).map(
    ([name, value]) => [name, { type: "text" as const, value }] as const,
  );
  const databases = config.d1_databases.map(
    ({ binding, database_id }) => [binding, { type: "d1" as const, id: database_id }] as const,
  );
  const buckets = config.r2_buckets.map(
    ({ binding, bucket_name }) => [binding, { type: "r2" as const, name: bucket_name }] as const,
  );
  return {
    name: config.name,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    manifest: {
      mainModule: front ? FRONT_MODULE : config.main,
      modulesRoot: server,
      modules: Object.fromEntries(modules),
    },
    assets: { directory: join(ROOT, "build/client"), hasUserWorker: true },
    env: Object.fromEntries(
      [...text, ...databases, ...buckets, ["ASSETS", { type: "assets" as const }] as const].filter(
        ([name]) => !without.some((binding) => binding === name),
      ),
    ),
  };
}

function fetchLoopback(request: Request, refused: string[]) {
  const { hostname } = new URL(request.url);
  if (hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]") {
    return fetch(request, { redirect: "manual" });
  }
  refused.push(request.url);
  return new Response(`${hostname} is out of bounds`, { status: 502 });
}

function printLog({ level, message }: WorkerLog) {
  if (level === "error" || level === "warn") console.error(message);
  else console.log(message);
}
