import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createDb } from "../app/db/db.server.ts";
import type { SampleSize } from "../app/features/demo/sample-data.server.ts";
import { seed } from "../app/features/demo/seed.server.ts";
import { dayOf } from "../app/http/day-range.ts";
import { encodeCursor } from "../app/http/list-params.ts";
import { applyMigrations } from "../scripts/database.ts";
import { showProgress } from "../scripts/terminal.ts";
import { type RunningWorker, startWorker } from "../scripts/worker.ts";
import type { Figure } from "./figures.ts";
import { signInAdmin } from "./visitor.ts";

const ROOT = resolve(import.meta.dirname, "..");
const DAY_MS = 86_400_000;
const FRONT = join(import.meta.dirname, "d1-time.js");
const ORIGIN = "http://localhost:8787";
/** Enough for one in twenty not to be what else the machine did. */
const ROUNDS = 150;
const SHORT: SampleSize = { users: 1_000, repositories: 1_000 };

/** A page of a long list may take this many times what the same page of a short one takes. */
const MOST_TIMES = 1.2;
const MOST_SEARCH_MS = 5;

/** A list with its rows, signed in to; `middle` is the address of a page half way down, and `days` are a month. */
type Lists = {
  worker: RunningWorker & AsyncDisposable;
  cookie: string;
  isShort: boolean;
  middle: string;
  days: { from: string; to: string };
};

const USERS = "/manager/users";
const REPOSITORIES = "/manager/repositories";

/**
 * What is asked for, at each size. A term finds so many that a page is full in both: what drawing twenty rows costs is
 * not the list's length, so terms that find few among a million stand beside others that find as many among a thousand.
 */
const PAGES: Page[] = [
  { name: "users", path: () => USERS },
  { name: "users, half way down", path: ({ middle }) => middle },
  { name: "users by name", path: () => `${USERS}?sort=name&direction=asc` },
  { name: "users by last seen", path: () => `${USERS}?sort=seen` },
  { name: "users, admins", path: () => `${USERS}?role=admin` },
  { name: "users, admins by last seen", path: () => `${USERS}?role=admin&sort=seen` },
  { name: "users, not onboarded", path: () => `${USERS}?status=not-onboarded` },
  {
    name: "users, banned, by name",
    path: () => `${USERS}?status=banned&sort=name&direction=asc`,
  },
  {
    name: "users, active, by name",
    path: () => `${USERS}?status=active&sort=name&direction=asc`,
  },
  {
    name: "users of a month, by name",
    path: ({ days }) => `${USERS}?from=${days.from}&to=${days.to}&sort=name&direction=asc`,
  },
  search("users, common term", USERS, "example"),
  search("users, common term, pages", USERS, "example", "example", "&pages=3"),
  search("users, one name", USERS, "adams"),
  search("users, one name, by name", USERS, "adams", "adams", "&sort=name&direction=asc"),
  search("users, one name, admins", USERS, "baraka", "a", "&role=admin"),
  search("users, one name, active", USERS, "adams", "adams", "&status=active"),
  search("users, rare term", USERS, "adams77", "adams"),
  search("users, some", USERS, "adams7", "adams"),
  search("users, no such term", USERS, "zzqxzz"),
  search("users, one letter", USERS, "a"),
  search("users, Arabic name", USERS, "أمينة الحسن", "أمينة"),
  search("users, long Arabic term", USERS, "أمينة الحسن".repeat(18)),
  { name: "repositories", path: () => REPOSITORIES },
  { name: "repositories by name", path: () => `${REPOSITORIES}?sort=name&direction=asc` },
  search("repositories, a term", REPOSITORIES, "atlas"),
  search("repositories, Arabic term", REPOSITORIES, "صندوق"),
];

type Page = { name: string; path: (lists: Lists) => string; isSearch?: boolean };

function search(name: string, list: string, term: string, shortTerm = term, others = ""): Page {
  return {
    name,
    path: ({ isShort }) =>
      `${list}?searchTerm=${encodeURIComponent(isShort ? shortTerm : term)}${others}`,
    isSearch: true,
  };
}

/**
 * Every kind of list page at `size` beside the same page over 1,000 rows, asked for in turns: what else the machine
 * does meets both. Times are what a client waits on loopback; D1's own are whole milliseconds, as it tells them.
 */
export async function measureLists(size: SampleSize): Promise<Figure[]> {
  const short = await openLists(SHORT);
  await using _short = short.worker;
  const long = await openLists(size);
  await using _long = long.worker;
  const figures: Figure[] = [];
  for (const { name, path, isSearch } of PAGES) {
    showProgress(`  ${name}`);
    const times = await askInTurns(short, long, path);
    const ratio = median(times.long.waited) / median(times.short.waited);
    figures.push({
      name: `${name}: ÷ at 1,000 rows`,
      value: ratio,
      note: `p50 ${median(times.long.waited).toFixed(1)} ms`,
      atMost: MOST_TIMES,
    });
    if (isSearch) {
      figures.push({
        name: `${name}: D1, p95`,
        value: percentile(times.long.database, 0.95),
        unit: "ms",
        atMost: MOST_SEARCH_MS,
      });
    }
  }
  return figures;
}

async function askInTurns(short: Lists, long: Lists, path: (lists: Lists) => string) {
  const times = {
    short: { waited: [] as number[], database: [] as number[] },
    long: { waited: [] as number[], database: [] as number[] },
  };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [lists, into] of [
      [short, times.short],
      [long, times.long],
    ] as const) {
      const { waited, database } = await ask(lists, path(lists));
      // The first warms everything up.
      if (round === 0) continue;
      into.waited.push(waited);
      into.database.push(database);
    }
  }
  return times;
}

async function ask({ worker, cookie }: Lists, path: string) {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.directUrl), { headers: { cookie } });
  await response.arrayBuffer();
  const waited = performance.now() - started;
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return { waited, database: Number(response.headers.get("x-d1-time")) };
}

/** Starts the product over so many rows. They are kept for the next run as long as nothing about them changes. */
async function openLists(size: SampleSize): Promise<Lists> {
  const persist = join(
    ROOT,
    ".wrangler/bench",
    `${size.users}-${size.repositories}-${signature()}`,
  );
  const worker = await startWorker({
    network: "loopback",
    persist,
    front: FRONT,
    onLog({ level, message }) {
      if (level === "error") console.error(message);
    },
    vars: { BASE_URL: ORIGIN, BETTER_AUTH_SECRET: crypto.randomUUID() },
  });
  const done = join(persist, "seeded");
  if (!existsSync(done)) {
    await applyMigrations(worker.d1);
    await seed(createDb(worker.d1), size, new Date(), (table, count, total) =>
      showProgress(
        `  seed ${table} ${count.toLocaleString("en")} of ${total.toLocaleString("en")}`,
      ),
    );
    writeFileSync(done, "");
  }
  const [row] = (
    await worker.d1
      .prepare(
        "SELECT created_at AS value, id FROM user ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?",
      )
      .bind(Math.floor(size.users / 2))
      .all<{ value: number; id: string }>()
  ).results;
  if (!row) throw new Error("There is nobody half way down the list");
  return {
    worker,
    cookie: await signInAdmin(worker, ORIGIN),
    isShort: size === SHORT,
    middle: `${USERS}?after=${encodeCursor(row)}`,
    days: {
      from: dayOf(new Date(row.value - 15 * DAY_MS)),
      to: dayOf(new Date(row.value + 15 * DAY_MS)),
    },
  };
}

/** Tells one making of tables and rows from another. */
function signature(): string {
  const hash = createHash("sha256");
  const migrations = join(ROOT, "migrations");
  for (const file of readdirSync(migrations).sort())
    hash.update(readFileSync(join(migrations, file)));
  for (const file of ["app/features/demo/sample-data.server.ts", "app/db/fold.ts"]) {
    hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

function median(values: number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
