import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import {
  fetch,
  getDefaultDevRegistryPath,
  Log,
  LogLevel,
  Miniflare,
  type Request,
  Response,
} from "miniflare";

const ROOT = resolve(import.meta.dirname, "..");

/** Folder in which `wrangler`, the vite plugin and `npm start` keep their local data. */
export const LOCAL_STATE = join(ROOT, ".wrangler/state/v3");

const DATABASE_WORKER = "database";
const DIRECT_SOCKETS = [{ host: "127.0.0.1", port: 0 }];

/** Cron triggers of wrangler.toml. */
const [EVERY_MINUTE, EVERY_HOUR] = ["* * * * *", "7 * * * *"];

export type WorkerLog = { level: string; message: string };

export type WorkerOptions = {
  /** Port on localhost; a free one by default. */
  port?: number;
  /** Folder for the data; without it, the data is lost when the worker ends. */
  persist?: string;
  /** Variables and secrets that override wrangler.toml. */
  vars?: Record<string, string>;
  /** Cloudflare's `cf` object for requests to `url`, such as `{ country: "KE" }`; empty by default. */
  cf?: Record<string, unknown>;
  /** "loopback" refuses every request to another host. */
  network?: "open" | "loopback";
  /** Receives the URL of each refused request. */
  onRefused?: (url: string) => void;
  /** Returns the URL on this machine that stands for another host's. */
  standInFor?: (host: string) => string | undefined;
  /** Folder with another build; `build/` by default. */
  build?: string;
  /** Files with modules that run in front of the worker and import it as `./index.js`. The first is the entry. */
  front?: string[];
  /** A named entrypoint of the front, which listens at `getEntrypointUrl()`. */
  entrypoint?: string;
  /**
   * File with a module that runs as a second worker, which has only the databases; it listens at
   * `getDatabaseUrl()`.
   */
  databaseWorker?: string;
  /** Other workers with service bindings to the product; each listens at `getBesideUrl(name)`. */
  beside?: readonly BesideWorker[];
  /** Adds so many more databases and buckets: `DB_1`, `AVATARS_1`, `DB_2`. The product does not use them. */
  copies?: number;
  /** Leaves out optional bindings: the bucket for pictures, or the built files. */
  without?: "AVATARS"[];
  /** True where workers that `wrangler dev` runs on this machine may have service bindings to the product. */
  isRegistered?: boolean;
  /** Port at which tools attach to the runtime. */
  inspectorPort?: number;
  /** Receives the worker's log lines; they are printed by default. */
  onLog?: (log: WorkerLog) => void;
};

/** A worker beside the product. */
export type BesideWorker = {
  name: string;
  /** Contents of its modules by their names. The first is the main one. */
  modules: Readonly<Record<string, string>>;
  /** Its bindings, each with the product's entrypoint. */
  bindings: Readonly<Record<string, string>>;
  /** Paths that lead to it in the product's place, such as `/app/shop*`, as routes of Cloudflare do. */
  paths?: readonly string[];
  /** Folder of its static files. */
  assets?: string;
};

/**
 * Runs the build in workerd, with its assets and a real local D1 and bucket. `npm start`, the tests and the benchmark
 * all serve the product in this way. `url` adds what Cloudflare adds: the client's IP address, `cf` and compression.
 * `directUrl` is the bare worker, fast and without these. Both trust `CF-Connecting-IP` and `MF-CF-Blob` (`cf` as JSON)
 * from the client. The database has no tables until `applyMigrations`.
 */
export async function startWorker(options: WorkerOptions = {}) {
  const { built, databases } = readBuild(options);
  const miniflare = new Miniflare({
    host: "localhost",
    port: options.port ?? 0,
    cf: options.cf ?? {},
    log: new Log(LogLevel.WARN),
    logRequests: false,
    telemetry: { enabled: false },
    inspectorPort: options.inspectorPort,
    unsafeDevRegistryPath: options.isRegistered ? getDefaultDevRegistryPath() : undefined,
    resourcePersistencePath: options.persist,
    handleStructuredLogs: options.onLog ?? printLog,
    workers: [
      {
        config: built,
        dev: {
          unsafeDirectSockets: [
            ...DIRECT_SOCKETS,
            ...(options.entrypoint
              ? DIRECT_SOCKETS.map((socket) => ({ ...socket, entrypoint: options.entrypoint }))
              : []),
          ],
          outboundService:
            options.network === "loopback"
              ? { type: "fetcher", handler: (request) => fetchLoopback(request, options) }
              : undefined,
        },
      },
      ...(options.databaseWorker
        ? [describeDatabaseWorker(options.databaseWorker, built, databases)]
        : []),
      ...(options.beside ?? []).map((one) => describeBeside(one, built)),
    ],
  });
  const url = await miniflare.ready;
  const runCron = async (cron: string, scheduledTime: Date) => {
    await (await miniflare.getWorker()).scheduled({ scheduledTime, cron });
  };

  return {
    url: new URL(`http://localhost:${url.port}`),
    directUrl: await miniflare.unsafeGetDirectURL(),
    /** URL of the database worker. */
    getDatabaseUrl: () => miniflare.unsafeGetDirectURL(DATABASE_WORKER),
    /** URL of the named entrypoint. */
    getEntrypointUrl: () => miniflare.unsafeGetDirectURL(built.name, options.entrypoint),
    /** URL of a worker beside the product. */
    getBesideUrl: (name: string) => miniflare.unsafeGetDirectURL(name),
    /** Id of each database by its binding. */
    databaseIds: new Map(databases.map(([name, { id }]) => [name, id])),
    /** Connects this process to the database. The first connection of a worker costs 0.2 s of CPU. */
    getD1: () => miniflare.getD1Database("DB"),
    /** Connects this process to a bucket. */
    getBucket: (binding: string) => miniflare.getR2Bucket(binding),
    /** Runs the `scheduled` handler once, like the every-minute trigger at that time. */
    runScheduled: (scheduledTime = new Date()) => runCron(EVERY_MINUTE, scheduledTime),
    /** Runs the `scheduled` handler once, like the hourly trigger at that time. */
    runHourly: (scheduledTime = new Date()) => runCron(EVERY_HOUR, scheduledTime),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose();
    },
  };
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** The parts of the built wrangler.json that are needed to run the worker. */
type BuiltConfig = {
  name: string;
  main: string;
  compatibility_date: string;
  compatibility_flags: string[];
  vars: Record<string, string>;
  d1_databases: { binding: string; database_id?: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
};

function readBuild({
  vars,
  front = [],
  without = [],
  copies = 0,
  build = join(ROOT, "build"),
}: WorkerOptions) {
  const server = join(build, "server");
  const config: BuiltConfig = JSON.parse(readFileSync(join(server, "wrangler.json"), "utf8"));
  const modules = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => {
      const contents = readFileSync(join(server, file), "utf8");
      return [file, { type: "esm" as const, contents }] as const;
    });
  for (const file of front) {
    modules.push([basename(file), { type: "esm", contents: readFileSync(file, "utf8") }]);
  }
  const text = Object.entries({ ...config.vars, ...vars }).map(
    ([name, value]) => [name, { type: "text" as const, value }] as const,
  );
  const databases = config.d1_databases.flatMap(({ binding, database_id }) =>
    // wrangler names the data of a database without an id in the same way.
    copiesOf(binding, database_id ?? binding, copies).map(
      ([name, id]) => [name, { type: "d1" as const, id }] as const,
    ),
  );
  const buckets = config.r2_buckets.flatMap(({ binding, bucket_name }) =>
    copiesOf(binding, bucket_name, copies).map(
      ([copy, name]) => [copy, { type: "r2" as const, name }] as const,
    ),
  );
  const objects = config.durable_objects.bindings.map(
    ({ name, class_name }) =>
      [
        name,
        { type: "durable-object" as const, worker: config.name, exportName: class_name },
      ] as const,
  );
  const built = {
    name: config.name,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    manifest: {
      mainModule: front[0] ? basename(front[0]) : config.main,
      modulesRoot: server,
      modules: Object.fromEntries(modules),
    },
    assets: { directory: join(build, "client"), hasUserWorker: true },
    env: Object.fromEntries(
      [...text, ...databases, ...buckets, ...objects].filter(
        ([name]) => !without.some((binding) => binding === name),
      ),
    ),
    exports: Object.fromEntries(
      config.durable_objects.bindings.map(
        ({ class_name }) =>
          [class_name, { type: "durable-object" as const, storage: "sqlite" as const }] as const,
      ),
    ),
  };
  return { built, databases };
}

function copiesOf(binding: string, id: string, copies: number) {
  const numbered = Array.from({ length: copies }, (_, index) => index + 1);
  return [
    [binding, id] as const,
    ...numbered.map((number) => [`${binding}_${number}`, `${id}-${number}`] as const),
  ];
}

function describeDatabaseWorker(
  file: string,
  { compatibilityDate, compatibilityFlags }: ReturnType<typeof readBuild>["built"],
  databases: ReturnType<typeof readBuild>["databases"],
) {
  const module = { type: "esm" as const, contents: readFileSync(file, "utf8") };
  return {
    config: {
      name: DATABASE_WORKER,
      compatibilityDate,
      compatibilityFlags,
      manifest: { mainModule: "index.js", modulesRoot: ROOT, modules: { "index.js": module } },
      env: Object.fromEntries(databases),
    },
    dev: { unsafeDirectSockets: DIRECT_SOCKETS },
  };
}

function describeBeside(
  { name, modules, bindings, paths = [], assets }: BesideWorker,
  { name: product, compatibilityDate, compatibilityFlags }: ReturnType<typeof readBuild>["built"],
) {
  const [mainModule = ""] = Object.keys(modules);
  return {
    config: {
      name,
      compatibilityDate,
      compatibilityFlags,
      manifest: {
        mainModule,
        modulesRoot: ROOT,
        modules: Object.fromEntries(
          Object.entries(modules).map(([file, contents]) => [
            file,
            { type: "esm" as const, contents },
          ]),
        ),
      },
      triggers: paths.map((path) => ({ type: "fetch" as const, pattern: `localhost${path}` })),
      ...(assets && { assets: { directory: assets, hasUserWorker: true } }),
      env: Object.fromEntries(
        Object.entries(bindings).map(([binding, exportName]) => [
          binding,
          { type: "worker" as const, worker: product, exportName },
        ]),
      ),
    },
    dev: { unsafeDirectSockets: DIRECT_SOCKETS },
  };
}

async function fetchLoopback(request: Request, { onRefused, standInFor }: WorkerOptions) {
  const { hostname, pathname, search } = new URL(request.url);
  const standIn = standInFor?.(hostname);
  if (standIn) {
    const { method, headers } = request;
    const body = method === "GET" ? undefined : await request.arrayBuffer();
    return fetch(standIn + pathname + search, { method, headers, body, redirect: "manual" });
  }
  if (hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]") {
    return fetch(request, { redirect: "manual" });
  }
  onRefused?.(request.url);
  return new Response(`${hostname} is out of bounds`, { status: 502 });
}

function printLog({ level, message }: WorkerLog) {
  if (level === "error" || level === "warn") console.error(message);
  else console.log(message);
}
