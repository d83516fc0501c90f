import { createServer } from "node:net";
import { join } from "node:path";
import { D1_QUERIES } from "../../app/values/platform-limits.ts";
import { startWorker } from "../../scripts/worker.ts";
import { connectD1 } from "./d1-client.ts";
import { startMailbox } from "./mailbox.ts";
import { copyMigratedDatabase } from "./migrated-database.ts";

const MAX_WAIT_MS = 10_000;
const DATABASE_WORKER = join(import.meta.dirname, "d1-worker.js");
const PROBE = join(import.meta.dirname, "d1-probe.js");

/** One line that the worker logged: its fields, and the line itself. */
export type LogLine = { level: string; event: string; text: string } & Record<string, unknown>;

export type GatehouseOptions = {
  /** Settings over those of wrangler.toml; `undefined` removes one. */
  vars?: Record<string, string | undefined>;
  /** "provider" sends mails to `mailbox`; "local" keeps them in the local inbox. */
  mail?: "provider" | "local";
  /** The port; by default any free one. */
  port?: number;
  /** Optional bindings that this worker starts without. */
  without?: ("AVATARS" | "ASSETS")[];
  /** Folder with the build of another release. */
  build?: string;
  /** Folder with the data of another worker, which keeps it; by default a new one with an empty migrated database. */
  folder?: string;
};

/**
 * Starts the built worker with an empty migrated database and a mail provider. Disposing of it fails the test when the
 * worker logged an error that was not announced with `expectErrors`, when an announced error was not logged, when a
 * request went to another machine, and when an invocation sent more statements than D1 takes on the plan (free, unless `PLAN` is set).
 * `d1-probe.js` stands between worker and database: requests can make database calls fail, and responses count them.
 */
export async function startGatehouse(options: GatehouseOptions = {}) {
  const { vars = {}, mail = "provider", port = await findFreePort() } = options;
  const logs: LogLine[] = [];
  const watchers = new Set<() => void>();
  const expected = new Set<string>();
  let isTolerant = false;
  /** The last line about each kind of request that sent too many statements. */
  const overLimit = new Map<unknown, string>();
  const mailbox = await startMailbox();
  const provider = { RESEND_API_KEY: mailbox.apiKey, RESEND_BASE_URL: mailbox.url };
  const settings = {
    BASE_URL: `http://localhost:${port}`,
    BETTER_AUTH_SECRET: `${crypto.randomUUID()}${crypto.randomUUID()}`,
    ...(mail === "provider" ? provider : {}),
    ...vars,
  };
  const plan = vars.PLAN === "paid" ? "paid" : "free";
  const given = Object.entries(settings).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const data = options.folder ? undefined : await copyMigratedDatabase();
  const worker = await startWorker({
    port,
    persist: options.folder ?? data?.folder,
    network: "loopback",
    front: PROBE,
    databaseWorker: DATABASE_WORKER,
    without: options.without,
    build: options.build,
    vars: { ...Object.fromEntries(given), MOST_STATEMENTS: String(D1_QUERIES[plan]) },
    onLog({ level, message }) {
      const line = readLine(level, message);
      if (line.event === "probe.over") overLimit.set(line.name, line.text);
      else logs.push(line);
      for (const watcher of watchers) watcher();
    },
  });

  /** Returns the first log line of an event; waits for it when it was not logged yet. */
  async function logged(event: string): Promise<LogLine> {
    const find = () => logs.find((line) => line.event === event);
    return (
      find() ??
      (await new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`"${event}" was not logged`));
        }, MAX_WAIT_MS);
        function check() {
          const line = find();
          if (!line) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve(line);
        }
        watchers.add(check);
      }))
    );
  }

  return {
    /** The URL it listens on. */
    url: worker.url,
    /** The worker's URL without Cloudflare's request properties; faster. */
    directUrl: worker.directUrl,
    /** The origin of `BASE_URL`. */
    origin: new URL(settings.BASE_URL).origin,
    d1: worker.databaseUrl ? connectD1(worker.databaseUrl) : await worker.getD1(),
    /** `BETTER_AUTH_SECRET`. */
    secret: settings.BETTER_AUTH_SECRET,
    getBucket: worker.getBucket,
    mailbox,
    logs: logs as readonly LogLine[],
    logged,
    /** URLs of requests to other machines, all refused. */
    refused: worker.refused,
    /** Runs the work of the minute's cron trigger once; the given time stands for now. */
    runScheduled: worker.runScheduled,
    /** Runs the work of the hourly cron trigger once; the given time stands for now. */
    runHourly: worker.runHourly,
    /**
     * Announces events of level "error", such as "request.failed"; a line that the product did not write is "console".
     */
    expectErrors(...events: string[]) {
      for (const event of events) expected.add(event);
    },
    /** Allows any error in the log, for a test that breaks many things. */
    tolerateErrors() {
      isTolerant = true;
    },
    async [Symbol.asyncDispose]() {
      const missing: string[] = [];
      for (const event of expected) await logged(event).catch(() => missing.push(event));
      await worker[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
      await data?.[Symbol.asyncDispose]();
      const unexpected = logs.filter(
        ({ level, event }) => level === "error" && !isTolerant && !expected.has(event),
      );
      const problems = [
        ...unexpected.map(({ text }) => `The worker logged an error: ${text}`),
        ...missing.map((event) => `The worker did not log the expected error "${event}"`),
        ...[...overLimit.values()].map(
          (text) => `D1 takes fewer statements in an invocation: ${text}`,
        ),
        ...worker.refused.map((url) => `A request tried to leave this machine: ${url}`),
      ];
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}

export type Gatehouse = Awaited<ReturnType<typeof startGatehouse>>;

function readLine(level: string, text: string): LogLine {
  // workerd logs this when a client disconnects before the response ends.
  if (/^kj::|\bdisconnected:/.test(text)) return { level: "debug", event: "runtime", text };
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === "object" && fields !== null && "event" in fields) {
      const own = "level" in fields ? String(fields.level) : level;
      return { ...fields, level: own, event: String(fields.event), text };
    }
  } catch {
    // The line was not written by the product.
  }
  return { level, event: "console", text };
}

/**
 * Below the ports that the system gives to connections, so that none of these takes one meanwhile; above 10080, the
 * last port that `fetch` and browsers refuse as a "bad port".
 */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_000];

/** Returns a free port: the worker's `BASE_URL` has to be known before it starts. */
async function findFreePort(): Promise<number> {
  const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "localhost", () => resolve(true));
  });
  if (!isFree) return findFreePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
