import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { D1_WAIT_MS } from "../../app/values/platform-limits.ts";
import { WEATHER_FRONT, type Weather } from "../../scripts/weather/weathers.ts";
import { type BesideWorker, startWorker, type WorkerLog } from "../../scripts/worker.ts";
import { connectD1 } from "./d1-client.ts";
import { addMigratedDatabase } from "./migrated-database.ts";

const FRONT = [
  ...["shared-worker.js", "d1-probe.js"].map((file) => join(import.meta.dirname, file)),
  ...WEATHER_FRONT.slice(1),
];
/** The deadlines that `d1-probe.js` holds. */
const fair = { weather: undefined, deadlinesMs: Object.values(D1_WAIT_MS) };
const DATABASE_WORKER = join(import.meta.dirname, "d1-worker.js");
const BINDINGS = ["DB", "AVATARS"];
/** Bindings that every test has its own of. */
const OWN_BINDINGS = ["DB", "AVATARS"];
/** Tests that a workerd serves after its first one, each with its own database. */
const COPIES = 100;
/** The longest wait for work after the last response. Then the workerd is stopped, and the next test starts another. */
const MAX_WAIT_MS = 3_000;

/** What only a workerd of its own has. */
export type WorkerNeeds = {
  /** The port; by default any free one. */
  port?: number;
  /** Folder with the build of another release. */
  build?: string;
  /** Folder with data that is kept; by default an empty migrated database. */
  folder?: string;
  /** Other workers with service bindings to the product. */
  beside?: readonly BesideWorker[];
  /** File with a module that runs in front of the test's own and exports the same, and what these bindings need. */
  front?: string;
  /** Stops with the test, for a process that is to end by itself. */
  isAlone?: boolean;
};

type OwnTest = {
  /** Settings over those of wrangler.toml. */
  vars: Record<string, string>;
  /** Bindings that the product does not get. */
  without: string[];
  /** URLs on this machine that stand for other hosts. */
  standIns: Record<string, string>;
  /** Receives the log lines of this test. */
  onLog: (log: WorkerLog) => void;
};

/** Workers between two tests. */
const idle: SharedWorker[] = [];

/**
 * Returns a workerd that no other test uses at this moment. Starting one takes more than a second
 * of CPU, so the tests of a process take turns: each has its own settings, log and database.
 */
export async function takeWorker(needs: WorkerNeeds): Promise<SharedWorker> {
  const { port, build, folder, isAlone, beside } = needs;
  const isOwn = Boolean(port ?? build ?? folder ?? isAlone ?? beside);
  return (isOwn ? undefined : idle.pop()) ?? startSharedWorker(needs, isOwn);
}

async function startSharedWorker(needs: WorkerNeeds, isOwn: boolean) {
  const { port, build, folder, beside, front } = needs;
  const persist = folder ?? (await mkdtemp(join(tmpdir(), "gatehouse-")));
  const removeData = () => rmSync(persist, { recursive: true, force: true });
  if (!folder) process.once("exit", removeData);
  let onLog: ((log: WorkerLog) => void) | undefined;
  let refused: string[] = [];
  let standIns: Record<string, string> = {};
  const worker = await startWorker({
    port: port ?? (await findFreePort()),
    persist,
    build,
    front: front ? [front, ...FRONT] : FRONT,
    beside,
    entrypoint: "Control",
    databaseWorker: DATABASE_WORKER,
    network: "loopback",
    copies: isOwn ? 0 : COPIES,
    onLog: (log) => onLog?.(log),
    onRefused: (url) => refused.push(url),
    standInFor: (host) => standIns[host],
  });
  const controlUrl = await worker.getEntrypointUrl();
  const databaseUrl = await worker.getDatabaseUrl();
  let turn = 0;

  async function control(command: object): Promise<{ unfinished: number }> {
    const body = JSON.stringify(command);
    const headers = { connection: "close" };
    const response = await fetch(controlUrl, { method: "POST", headers, body });
    return (await response.json()) as { unfinished: number };
  }

  /** Name of a binding in this turn. */
  const inTurn = (binding: string) =>
    turn > 0 && OWN_BINDINGS.includes(binding) ? `${binding}_${turn}` : binding;

  /** Waits until the product has done all work. Returns false when it has not ended in time. */
  async function becomesIdle(): Promise<boolean> {
    const lastLine = `end of test ${crypto.randomUUID()}`;
    const isLogged = Promise.withResolvers<true>();
    const record = onLog;
    onLog = (log) => (log.message === lastLine ? isLogged.resolve(true) : record?.(log));
    const latest = Date.now() + MAX_WAIT_MS;
    while (Date.now() < latest) {
      const { unfinished } = await control({ command: "end", lastLine });
      if (unfinished === 0) return isLogged.promise;
    }
    return false;
  }

  async function stop() {
    await worker[Symbol.asyncDispose]();
    if (folder) return;
    process.off("exit", removeData);
    await rm(persist, { recursive: true, force: true });
  }

  const shared = {
    url: worker.url,
    directUrl: worker.directUrl,
    getBesideUrl: worker.getBesideUrl,
    runScheduled: worker.runScheduled,
    runHourly: worker.runHourly,
    connectD1: () => connectD1(databaseUrl, inTurn("DB")),
    getBucket: (binding: "AVATARS") => worker.getBucket(inTurn(binding)),
    /** Gives the product to a test. Returns the list of the requests to other machines, which are refused. */
    async begin({
      vars,
      without,
      standIns: given,
      onLog: record,
    }: OwnTest): Promise<readonly string[]> {
      const id = worker.databaseIds.get(inTurn("DB"));
      if (!folder && id) await addMigratedDatabase(persist, id);
      const bindings = Object.fromEntries(
        BINDINGS.filter((name) => !without.includes(name)).map((name) => [name, inTurn(name)]),
      );
      refused = [];
      standIns = given;
      onLog = record;
      await control({ command: "begin", turn, vars, bindings, ...fair });
      return refused;
    },
    /** Sets the weather of the database, or ends it. */
    async setWeather(weather: Weather | undefined): Promise<void> {
      await control({ command: "weather", ...fair, weather });
    },
    /** Takes the product from the test. The log of a shared workerd is complete then. */
    async end(): Promise<void> {
      const isReusable = !isOwn && turn < COPIES && (await becomesIdle());
      onLog = undefined;
      if (!isReusable) return stop();
      turn += 1;
      idle.push(shared);
    },
  };
  return shared;
}

export type SharedWorker = Awaited<ReturnType<typeof startSharedWorker>>;

/**
 * Below the ports that the system gives to connections, so that none of these takes one meanwhile; above 10080, the
 * last port that `fetch` and browsers refuse as a "bad port".
 */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_000];

/** Returns a free port: a browser keeps the cookies of an origin, so no other product should come to have it. */
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
