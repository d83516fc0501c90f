import { D1_QUERIES } from "../../app/values/platform-limits.ts";
import { startMailbox } from "../../scripts/weather/mailbox.ts";
import { takeWorker, type WorkerNeeds } from "./shared-worker.ts";

/** Only ends what hangs. */
const MAX_WAIT_MS = 120_000;

/** One line that the worker logged: its fields, and the line itself. */
export type LogLine = { level: string; event: string; text: string } & Record<string, unknown>;

export type GatehouseOptions = WorkerNeeds & {
  /** Settings over those of wrangler.toml; `undefined` removes one. */
  vars?: Record<string, string | undefined>;
  /** "provider" sends mails to `mailbox`; "local" keeps them in the local inbox. */
  mail?: "provider" | "local";
  /** Optional bindings that the product does not get. */
  without?: "AVATARS"[];
  /** URLs on this machine that stand for other hosts. */
  standIns?: Record<string, string>;
};

/**
 * Runs the built worker with an empty migrated database and a mail provider. The tests of a process
 * share a workerd, one after the other. Disposing of it fails the test when the worker logged an
 * error that was not announced with `expectErrors`, when an announced error was not logged, when a
 * request went to another machine, and when an invocation sent more statements than D1 takes on the
 * plan (free, unless `PLAN` is set). `d1-probe.js` stands between worker and database: requests can
 * make database calls fail, and responses count them.
 */
export async function startGatehouse(options: GatehouseOptions = {}) {
  const { vars = {}, mail = "provider", without = [], standIns = {} } = options;
  const logs: LogLine[] = [];
  const watchers = new Set<() => void>();
  const expected = new Set<string>();
  let isTolerant = false;
  /** The last line about each kind of request that sent too many statements. */
  const overLimit = new Map<unknown, string>();
  const worker = await takeWorker(options);
  const mailbox = await startMailbox();
  const provider = { RESEND_API_KEY: mailbox.apiKey, RESEND_BASE_URL: mailbox.url };
  const settings = {
    BASE_URL: worker.url.origin,
    BETTER_AUTH_SECRET: `${crypto.randomUUID()}${crypto.randomUUID()}`,
    ...(mail === "provider" ? provider : {}),
    ...vars,
  };
  const plan = vars.PLAN === "paid" ? "paid" : "free";
  const given = Object.entries(settings).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const refused = await worker.begin({
    vars: { ...Object.fromEntries(given), MOST_STATEMENTS: String(D1_QUERIES[plan]) },
    without,
    standIns,
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
    /** URL of a worker beside the product. */
    getBesideUrl: worker.getBesideUrl,
    /** The origin of `BASE_URL`. */
    origin: new URL(settings.BASE_URL).origin,
    d1: worker.connectD1(),
    /** `BETTER_AUTH_SECRET`. */
    secret: settings.BETTER_AUTH_SECRET,
    getBucket: worker.getBucket,
    mailbox,
    /** Changes what happens to the calls of the database, as `npm start -- --weather` does. */
    setWeather: worker.setWeather,
    logs: logs as readonly LogLine[],
    logged,
    /** URLs of requests to other machines, all refused. */
    refused,
    /** Runs the work of the minute's cron trigger once; the given time stands for now. */
    runScheduled: worker.runScheduled,
    /**
     * Runs the work of the hourly cron trigger once, but for erasures (`runErasure`); the given
     * time stands for now.
     */
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
      await worker.end();
      await mailbox[Symbol.asyncDispose]();
      const unexpected = logs.filter(
        ({ level, event }) => level === "error" && !isTolerant && !expected.has(event),
      );
      const problems = [
        ...unexpected.map(({ text }) => `The worker logged an error: ${text}`),
        ...missing.map((event) => `The worker did not log the expected error "${event}"`),
        ...[...overLimit.values()].map(
          (text) => `D1 takes fewer statements in an invocation: ${text}`,
        ),
        ...refused.map((url) => `A request tried to leave this machine: ${url}`),
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
