import { encodeCursor } from "../app/lists/query/list-params.ts";
import { showProgress } from "../scripts/terminal.ts";
import { type Browser, newBrowser } from "../tests/support/client.ts";
import { type ListPage, listPages, type RowBudget } from "../tests/support/list-pages.ts";
import { openSession } from "../tests/support/people.ts";
import { BYTES_A_USER, D1_MS, ROW_BOUNDS } from "./bounds.ts";
import type { Table } from "./figures.ts";
import type { Sample } from "./sample.ts";

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "7 * * * *";
/** A page above the bound of milliseconds is requested again, because other work of the machine can only add time. */
const TRIES = 3;
const MOST_SHOWN = 3;

const GROUPS: Record<RowBudget, string> = {
  dashboard: "the dashboard, 30 days",
  quarter: "the dashboard, 90 days",
  everyday: "everyday pages",
  other: "every other combination",
};

type Measured = ListPage & { rows: number; ms: number };
type Row = Table["rows"][number];

/** Measures table 2: rows that D1 reads, and milliseconds, for every combination of the lists and for the cron. */
export async function measureRows(sample: Sample): Promise<Table> {
  const all = listPages(await findSamples(sample));
  const manager = await signInManager(sample);
  const seenAgain = await measureBeingSeen(sample);
  const size = await measureSize(sample);
  const cron = await measureCron(sample);
  const pages = await measurePages(all, manager);
  return {
    title: "2. Rows and D1",
    columns: ["rows read", "D1", "rows written", "bytes a user"],
    rows: [
      ...Object.keys(GROUPS).flatMap((group) =>
        describeGroup(pages.filter(({ budget }) => budget === group)),
      ),
      ...cron,
      seenAgain,
      size,
    ],
    remarks: ["Of each group the pages that read the most rows and take the longest."],
  };
}

/** Returns the most expensive pages of a group. */
function describeGroup(pages: Measured[]): Row[] {
  const first = pages[0];
  if (!first) return [];
  const { budget } = first;
  const most = pages.toSorted((a, b) => b.rows - a.rows).slice(0, MOST_SHOWN);
  const longest = pages.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SHOWN);
  return [...new Set([...most, ...longest])].map(({ path, rows, ms }, index) => ({
    name: index === 0 ? `${GROUPS[budget]}${pages.length > 1 ? ` (${pages.length})` : ""}` : "",
    figures: [
      { value: rows, atMost: ROW_BOUNDS[budget] },
      { value: ms, unit: "ms", atMost: D1_MS },
    ],
    note: decodeURIComponent(path),
  }));
}

async function measurePages(all: ListPage[], manager: Browser): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [index, page] of all.entries()) {
    measured.push(await measure(manager, page));
    if (index % 100 === 0) showProgress(`  rows       ${index} of ${all.length} pages`);
  }
  const slow = measured.filter(({ ms }) => ms > D1_MS);
  for (let tries = 1; tries < TRIES; tries++) {
    for (const page of slow) {
      page.ms = Math.min(page.ms, (await measure(manager, page)).ms);
    }
  }
  return measured;
}

/** Requests only a page's data. It reads the same rows, and drawing the page takes most of the time. */
async function measure(manager: Browser, page: ListPage): Promise<Measured> {
  const response = await manager.get(page.path.replace(/(\?|$)/, ".data$1"));
  if (response.status !== 200) throw new Error(`${page.path} answered ${response.status}`);
  await response.arrayBuffer();
  return { ...page, rows: countOf(response, "rows-read"), ms: countOf(response, "time") };
}

function countOf({ headers }: Response, name: "rows-read" | "rows-written" | "time"): number {
  return Number(headers.get(`x-d1-${name}`) ?? Number.NaN);
}

/** Signs in one of the sample's admins. */
async function signInManager(sample: Sample): Promise<Browser> {
  const { results } = await sample.d1
    .prepare(
      "SELECT id FROM user WHERE role = 'admin' AND banned = 0 AND onboarded_at IS NOT NULL LIMIT 1",
    )
    .all<{ id: string }>();
  const browser = newBrowser({ url: sample.directUrl, origin: sample.origin });
  for (const { id } of results) await openSession(sample, browser, id);
  return browser;
}

async function findSamples(sample: Sample): Promise<Parameters<typeof listPages>[0]> {
  const one = async <T>(query: string) => {
    const row = await sample.d1.prepare(query).first<T>();
    if (!row) throw new Error(`Nothing is found by ${query}`);
    return row;
  };
  const half = "LIMIT 1 OFFSET (SELECT value / 2 FROM counter WHERE name = 'user')";
  type Position = { value: string | number; id: string };
  return {
    terms: {
      most: "example",
      many: "adams",
      few: "adams77",
      otherScript: "أمينة الحسن",
      short: "ad",
      shortMost: "a",
    },
    organizationTerms: { most: "sample", many: "adams", few: "adams 1", short: "ad" },
    today: new Date(sample.today),
    user: await one(
      "SELECT id, email FROM user WHERE last_seen_at IS NOT NULL ORDER BY created_at LIMIT 1",
    ),
    target: (await one<{ id: string }>("SELECT id FROM organization LIMIT 1")).id,
    cursors: {
      created: encodeCursor(
        await one<Position>(
          `SELECT created_at AS value, id FROM user ORDER BY created_at DESC, id DESC ${half}`,
        ),
      ),
      name: encodeCursor(
        await one<Position>(
          `SELECT name AS value, id FROM user ORDER BY name COLLATE NOCASE, id ${half}`,
        ),
      ),
    },
  };
}

/**
 * Returns the rows that the cron reads in a day. The work of each quarter of an hour counts everything since the day
 * began, so it reads more and more. The mean is taken between the first quarter, of a day without events, and the last
 * quarter of the sample's last day.
 */
async function measureCron(sample: Sample): Promise<Row[]> {
  const end = sample.today;
  await runCron(sample, EVERY_MINUTE, end - DAY_MS);
  const last = await runCron(sample, EVERY_MINUTE, end - 1);
  // The first quarter counts the day before for the last time.
  await runCron(sample, EVERY_MINUTE, end);
  const first = await runCron(sample, EVERY_MINUTE, end + QUARTER_MS);
  const other = await runCron(sample, EVERY_MINUTE, end + QUARTER_MS + 60_000);
  let ofHours = 0;
  for (let hour = 0; hour < 24; hour++) {
    ofHours += await runCron(sample, EVERY_HOUR, end - DAY_MS + hour * 4 * QUARTER_MS);
  }
  const quarters = DAY_MS / QUARTER_MS;
  const ofQuarters = (quarters * (first + last)) / 2;
  const ofMinutes = other * (DAY_MS / 60_000 - quarters);
  const list = (count: number) => Math.round(count).toLocaleString("en");
  return [
    {
      name: "the cron, a day",
      figures: [{ value: ofMinutes + ofQuarters + ofHours }],
      note:
        `96 quarters ${list(ofQuarters)} (each ${list(first)} to ${list(last)}), ` +
        `24 hours ${list(ofHours)}, other minutes ${list(ofMinutes)}`,
    },
  ];
}

/** Returns the rows that one run of a cron trigger reads. */
async function runCron(sample: Sample, cron: string, moment: number): Promise<number> {
  // The worker closes a connection that is idle for some seconds.
  const headers = { "x-d1-cron": cron, "x-d1-moment": String(moment), connection: "close" };
  const response = await fetch(sample.directUrl, { headers });
  if (response.status !== 204) throw new Error(`The cron answered ${response.status}`);
  return countOf(response, "rows-read");
}

/** Measures the rows written to `user` and its indexes when a user is seen again on another day. */
async function measureBeingSeen(sample: Sample): Promise<Row> {
  const { meta } = await sample.d1
    .prepare(
      "UPDATE user SET last_seen_at = last_seen_at + 1 WHERE id = (SELECT id FROM user WHERE last_seen_at IS NOT NULL LIMIT 1)",
    )
    .run();
  return {
    name: "a user is seen again",
    figures: [undefined, undefined, { value: meta.rows_written }],
    note: "in user, its indexes and its triggers' tables",
  };
}

/** Measures the database's size by its users, with all that the sample has of them. */
async function measureSize(sample: Sample): Promise<Row> {
  const { results, meta } = await sample.d1
    .prepare("SELECT value FROM counter WHERE name = 'user'")
    .all<{ value: number }>();
  const users = results[0]?.value ?? Number.NaN;
  return {
    name: "the database",
    figures: [
      ...Array(3).fill(undefined),
      { value: Math.round(meta.size_after / users), atMost: BYTES_A_USER },
    ],
  };
}
