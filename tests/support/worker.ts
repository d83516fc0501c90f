import { createServer } from "node:net";
import { join } from "node:path";
import { startWorker } from "../../scripts/worker.ts";
import { startMailbox } from "./mailbox.ts";
import { copyMigratedDatabase } from "./migrated-database.ts";

const MAX_WAIT_MS = 10_000;
const PROBE = join(import.meta.dirname, "d1-probe.js");

/** One line the worker logged: its fields, and the line itself. */
export type LogLine = { level: string; event: string; text: string } & Record<string, unknown>;

export type GatehouseOptions = {
  /** Settings over those of wrangler.toml; `undefined` takes one away. */
  vars?: Record<string, string | undefined>;
  /** "provider" sends mails to `mailbox`; "local" keeps them in the local inbox. */
  mail?: "provider" | "local";
  /** Any free one when not given. */
  port?: number;
  /** Puts `d1-probe.js` between worker and database: requests can make its calls fail, answers count them. */
  isProbed?: boolean;
  /** Leaves out what a deployment may be without. */
  without?: ("AVATARS" | "ASSETS")[];
};

/**
 * The built worker with a database of its own, migrated and empty, and a mail provider. Disposing of it fails the test
 * when the worker logged an error that was not announced with `expectErrors`, when an announced one did not come, and
 * when a request tried to leave this machine.
 */
export async function startGatehouse(options: GatehouseOptions = {}) {
  const { vars = {}, mail = "provider", port = await findFreePort() } = options;
  const logs: LogLine[] = [];
  const watchers = new Set<() => void>();
  const expected = new Set<string>();
  let isTolerant = false;
  const mailbox = await startMailbox();
  const provider = { RESEND_API_KEY: mailbox.apiKey, RESEND_BASE_URL: mailbox.url };
  const settings = {
    BASE_URL: `http://localhost:${port}`,
    BETTER_AUTH_SECRET: `${crypto.randomUUID()}${crypto.randomUUID()}`,
    ...(mail === "provider" ? provider : {}),
    ...vars,
  };
  const given = Object.entries(settings).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const data = await copyMigratedDatabase();
  const worker = await startWorker({
    port,
    persist: data.folder,
    network: "loopback",
    front: options.isProbed ? PROBE : undefined,
    without: options.without,
    vars: Object.fromEntries(given),
    onLog({ level, message }) {
      logs.push(readLine(level, message));
      for (const watcher of watchers) watcher();
    },
  });

  /** Waits until something has been logged, the past included, and answers the line. */
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
    /** Where it listens. */
    url: worker.url,
    /** The same without what Cloudflare adds, and faster. */
    directUrl: worker.directUrl,
    /** The origin it believes to be served at: `BASE_URL`. */
    origin: new URL(settings.BASE_URL).origin,
    d1: worker.d1,
    /** `BETTER_AUTH_SECRET`. */
    secret: settings.BETTER_AUTH_SECRET,
    avatars: worker.avatars,
    mailbox,
    logs: logs as readonly LogLine[],
    logged,
    /** Requests that tried to leave this machine. */
    refused: worker.refused,
    /** Runs the work of the minute's cron trigger once, as if at some moment. */
    runScheduled: worker.runScheduled,
    /** Runs the work of the hourly cron trigger once, as if at some moment. */
    runHourly: worker.runHourly,
    /** Announces events of level "error", such as "request.failed"; a line that is not ours is "console". */
    expectErrors(...events: string[]) {
      for (const event of events) expected.add(event);
    },
    /** For a test that breaks things all over: errors may be logged, whichever. */
    tolerateErrors() {
      isTolerant = true;
    },
    async [Symbol.asyncDispose]() {
      const missing: string[] = [];
      for (const event of expected) await logged(event).catch(() => missing.push(event));
      await worker[Symbol.asyncDispose]();
      await mailbox[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
      const unexpected = logs.filter(
        ({ level, event }) => level === "error" && !isTolerant && !expected.has(event),
      );
      const problems = [
        ...unexpected.map(({ text }) => `The worker logged an error: ${text}`),
        ...missing.map((event) => `The worker did not log the expected error "${event}"`),
        ...worker.refused.map((url) => `A request tried to leave this machine: ${url}`),
      ];
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}

export type Gatehouse = Awaited<ReturnType<typeof startGatehouse>>;

function readLine(level: string, text: string): LogLine {
  // workerd's own word about a client that went away before the answer's end.
  if (/^kj::|\bdisconnected:/.test(text)) return { level: "debug", event: "runtime", text };
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === "object" && fields !== null && "event" in fields) {
      const own = "level" in fields ? String(fields.level) : level;
      return { ...fields, level: own, event: String(fields.event), text };
    }
  } catch {
    // Not one of the product's own lines.
  }
  return { level, event: "console", text };
}

/** The worker has to know its own address before it starts. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("No port is free");
  return address.port;
}
