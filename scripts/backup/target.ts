import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { askWrangler, wrangler } from "../setup/wrangler.ts";
import { fail } from "../terminal.ts";

/** The deployment, or the local copy, whose data a command reads or writes. */
export type Target = {
  /** Environment of wrangler.toml; empty for production. */
  environment: string;
  isLocal: boolean;
  /** Path of wrangler.toml. */
  config: string;
};

/** Buckets of the product, by their binding. */
export const BUCKETS = ["AVATARS"] as const;

export type BucketName = (typeof BUCKETS)[number];

/** Reads the command line: `--local`, `--env`, `--config`, the command's own options, and its folder. */
export function readTarget<Flag extends string>(usage: string, own: readonly Flag[]) {
  const flag = { type: "boolean" } as const;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...Object.fromEntries([...own, "local"].map((name) => [name, flag])),
        env: { type: "string" },
        config: { type: "string" },
      },
    });
    const given: Record<string, unknown> = values;
    const target: Target = {
      environment: String(given.env ?? ""),
      isLocal: given.local === true,
      config: resolve(String(given.config ?? "wrangler.toml")),
    };
    return { target, folder: positionals[0], has: (name: Flag) => given[name] === true };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`);
  }
}

/** Runs a command of `wrangler d1` on the target's database. */
export function d1(target: Target, command: string, args: string[]): Promise<string> {
  const words = ["d1", ...command.split(" "), "DB"];
  return wrangler(target.environment, [...words, ...placeOf(target), ...args]);
}

/** Runs a query on the target's database and returns its rows. */
export async function query<Row>(target: Target, sql: string): Promise<Row[]> {
  const command = ["d1", "execute", "DB", ...placeOf(target), "--json", "--command", sql];
  const [answer] = await askWrangler<{ results: Row[] }[]>(target.environment, command);
  return answer?.results ?? [];
}

function placeOf({ isLocal, config }: Target): string[] {
  return [isLocal ? "--local" : "--remote", "--config", config];
}

/** The parts of wrangler.toml about buckets. */
type BucketConfig = {
  r2_buckets: { binding: string; bucket_name?: string }[];
  account_id?: string;
  compatibility_date?: string;
};

/** Runs work with the target's buckets; a bucket that wrangler.toml does not bind is undefined. */
export async function withBuckets<Result>(
  { environment, isLocal, config }: Target,
  work: (buckets: Partial<Record<BucketName, R2Bucket>>) => Promise<Result>,
): Promise<Result> {
  const { getPlatformProxy, unstable_readConfig: readConfig } = await import("wrangler");
  const { r2_buckets, account_id, compatibility_date }: BucketConfig = readConfig({
    config,
    env: environment,
  });
  // A worker of its own that has nothing but the buckets. wrangler connects it to the real ones.
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-buckets-"));
  const configPath = join(folder, "wrangler.json");
  const bound = r2_buckets.filter(({ binding }) => BUCKETS.some((name) => name === binding));
  const worker = {
    name: "gatehouse-buckets",
    compatibility_date,
    account_id,
    r2_buckets: bound.map((bucket) => ({ ...bucket, remote: !isLocal })),
  };
  await writeFile(configPath, JSON.stringify(worker));
  try {
    const proxy = await getPlatformProxy<Partial<Record<BucketName, R2Bucket>>>({
      configPath,
      remoteBindings: !isLocal,
      persist: { path: join(dirname(config), ".wrangler/state/v3") },
    });
    try {
      return await work(proxy.env);
    } finally {
      await proxy.dispose();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
