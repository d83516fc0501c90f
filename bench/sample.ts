import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SampleSize } from "../app/features/samples/sample-data.server.ts";
import { applyMigrations } from "../scripts/database.ts";
import { step } from "../scripts/terminal.ts";
import { WEATHER_FRONT } from "../scripts/weather/weathers.ts";
import { startWorker } from "../scripts/worker.ts";
import { connectD1 } from "../tests/support/d1-client.ts";
import { databaseFile, fillDatabase } from "./fill.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** Counts what a request asks of the database. */
export const PROBE = [join(ROOT, "tests/support/d1-probe.js"), ...WEATHER_FRONT.slice(1)];
const DATABASE_WORKER = join(ROOT, "tests/support/d1-worker.js");
/** Files that decide the contents of a sample. */
const INPUTS = [
  "bench/fill.ts",
  "app/features/samples/sample-data.server.ts",
  "app/features/samples/sample-organizations.server.ts",
  "app/db/fold.ts",
  ...readdirSync(join(ROOT, "migrations")).map((file) => `migrations/${file}`),
];

export const ORIGIN = "http://localhost:8787";

/**
 * Starts the product with a database of the given size. `front` and `databaseWorker` are those of
 * `startWorker`. The database is kept for the next run until one of its input files changes.
 * `today` is the last day of the sample.
 */
export async function startSample(
  size: SampleSize,
  { front, databaseWorker = DATABASE_WORKER }: { front?: string[]; databaseWorker?: string } = {},
) {
  const name = `${size.users}-${size.organizations}-${size.things}-${hashOf(INPUTS)}`;
  const persist = join(ROOT, ".wrangler/bench", name);
  const stamp = join(persist, "sample.json");
  if (!existsSync(stamp)) await makeSample(persist, size, stamp);
  const { today, secret }: Stamp = JSON.parse(readFileSync(stamp, "utf8"));
  const worker = await startWorker({
    network: "loopback",
    persist,
    front,
    databaseWorker,
    onLog({ level, message }) {
      if (level === "error") console.error(message);
    },
    // As in a deployment, but no mail is sent.
    vars: { BASE_URL: ORIGIN, BETTER_AUTH_SECRET: secret, RESEND_API_KEY: "re_bench" },
  });
  return {
    ...worker,
    // A connection of Miniflare's own client closes during the long measurements between two statements.
    d1: connectD1(await worker.getDatabaseUrl()),
    origin: ORIGIN,
    secret,
    today,
    [Symbol.asyncDispose]: worker[Symbol.asyncDispose],
  };
}

export type Sample = Awaited<ReturnType<typeof startSample>>;

/** What a run must know of the sample. */
type Stamp = {
  today: number;
  /** Kept, because the mails that wait in the sample are encrypted with it. */
  secret: string;
};

async function makeSample(persist: string, size: SampleSize, stamp: string): Promise<void> {
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const secret = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  await step(
    "fill",
    async () => {
      rmSync(persist, { recursive: true, force: true });
      {
        await using worker = await startWorker({ network: "loopback", persist });
        await applyMigrations(await worker.getD1());
      }
      fillDatabase(databaseFile(persist), size, today);
      writeFileSync(stamp, JSON.stringify({ today, secret } satisfies Stamp));
    },
    () =>
      Object.entries(size)
        .map(([what, count]) => `${count.toLocaleString("en")} ${what}`)
        .join(", "),
  );
}

function hashOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 12);
}
