import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import { loadAuditLog } from "../../app/features/audit/audit-log.server.ts";
import { loadMailLog } from "../../app/features/mail/mail-log.server.ts";
import { users } from "../../app/features/users/list/user-queries.server.ts";
import { encodeCursor } from "../../app/lists/query/list-params.ts";
import { ROW_BOUNDS } from "../../bench/bounds.ts";
import { FEATURE_TESTS } from "../support/feature-tests.ts";
import { listPages, type RowBudget, UNMATCHED } from "../support/list-pages.ts";
import { anAdmin } from "../support/people.ts";
import { plansOf } from "../support/plans.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
/** `npm run test:full` takes the size that the budgets are for. */
const USERS = isFull ? 1_000_000 : 100_000;
const ORGANIZATIONS = USERS / 4;
const NOW = Date.now();

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
await fill();
const { browser: manager } = await anAdmin(gatehouse);

/**
 * Makes users of every state in SQL, some in unspaced scripts, a quarter as many organizations, and
 * what the features list. The triggers of the full-text tables are set aside: their tables are
 * built at the end.
 */
async function fill() {
  const { d1 } = gatehouse;
  const given = ["Alice", "Baraka", "Chloé", "田中", "สมชาย", "أمينة", "Eve", "Fatou"];
  const names = JSON.stringify(given.map((name) => ({ name, key: searchKey(name) })));
  const organizationNames = JSON.stringify(
    ["Alpha", "Baobab", "Cedar", "مؤسسة"].map((name) => ({ name, key: searchKey(name) })),
  );
  const numbers = (from: number, to: number) =>
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
  // At most two years ago, in no order of the rows.
  const day = (factor: number) => `${NOW} - ((i * ${factor}) % 730) * ${DAY_MS}`;
  const CHUNK = 50_000;
  for (let from = 0; from < USERS; from += CHUNK) {
    await d1
      .prepare(
        `INSERT INTO user (id, name, email, search_key, email_verified, role, banned, ban_expires, onboarded_at,
           last_seen_at, created_at, updated_at)
         ${numbers(from, from + CHUNK)}
         SELECT printf('person-%07d', i), iif(i % 12, full, ''), email, iif(i % 12, key || char(10), '') || email,
           i % 24 <> 0, CASE WHEN i % 5000 = 7 THEN 'admin' WHEN i % 30000 = 9 THEN 'auditor' ELSE 'user' END,
           i % 25 = 3, iif(i % 50 = 3, ${NOW + DAY_MS}, NULL), iif(i % 12, ${NOW}, NULL),
           iif(i % 12, max(${day(7919)}, ${day(104_729)}), NULL), ${day(7919)}, ${NOW}
         FROM (
           SELECT i, value ->> 'name' || ' Family' || (i % 500) AS full, value ->> 'key' || ' family' || (i % 500) AS key,
             'person.' || i || '@example.com' AS email
           FROM n JOIN json_each(?) AS given ON given.key = i % 8
         )`,
      )
      .bind(names)
      .run();
  }
  await d1
    .prepare(
      `INSERT INTO organization (id, name, slug, search_key, created_at, last_activity_at, member_count,
         disabled_at, deletion_due_at)
       ${numbers(0, ORGANIZATIONS)}
       SELECT 'organization-' || i, value ->> 'name' || ' Works' || (i % 300), 'example-' || i,
         value ->> 'key' || ' works' || (i % 300) || char(10) || 'example-' || i,
         ${day(7919)}, ${NOW} - (i % 400) * ${DAY_MS}, i % 100,
         iif(i % 500 = 7, ${NOW}, NULL), iif(i % 900 = 11, ${NOW + DAY_MS}, NULL)
       FROM n JOIN json_each(?) AS given ON given.key = i % 4`,
    )
    .bind(organizationNames)
    .run();
  await d1
    .prepare(
      `INSERT INTO invitation (id, organization_id, email, inviter_id, expires_at, created_at)
       ${numbers(0, ORGANIZATIONS)}
       SELECT 'invitation-' || i, 'organization-' || i, 'a@b.cd', 'person-0000005', ${NOW + DAY_MS}, ${NOW}
       FROM n WHERE i % 50 = 1`,
    )
    .run();
  await Promise.all(FEATURE_TESTS.map(({ lists }) => lists?.fill(d1, NOW)));
  // As in use: sign-ins are the most common event, every day.
  await d1
    .prepare(
      `INSERT INTO audit_event (id, action, actor_id, target_type, target_id, created_at)
       SELECT 'sign-in-' || id, 'user.signed_in', id, 'user', id, created_at FROM user`,
    )
    .run();
}

async function rowsReadBy(path: string): Promise<number> {
  const response = await manager.get(path);
  await response.arrayBuffer();
  expect([path, response.status]).toEqual([path, 200]);
  return Number(response.headers.get("x-d1-rows-read"));
}

/** Rows that any page may read in the gate, whose table is a tenth. */
const MOST_IN_GATE = 2 * USERS;

const pages = listPages({
  terms: {
    most: "example",
    many: "alice",
    few: "family299 ",
    otherScript: "أمينة",
    short: "al",
    shortMost: "pe",
  },
  organizationTerms: { most: "example", many: "baobab", few: "works299", short: "ba" },
  today: new Date(NOW),
  user: { id: "person-0000005", email: "person.5@example.com" },
  target: "person-0000007",
  cursors: await findCursors(),
});
// 7 and 23 have no divisor in common with the number of terms and orders, so every term and order is chosen.
const chosen = pages.filter(
  ({ budget }, index) => index % (isFull ? 7 : 23) === 0 || budget === "quarter",
);

async function findCursors() {
  const halfWay = async (column: string, order: string) => {
    const row = await gatehouse.d1
      .prepare(
        `SELECT ${column} AS value, id FROM user ORDER BY ${order} LIMIT 1 OFFSET ${USERS / 2}`,
      )
      .first<{ value: string | number; id: string }>();
    return encodeCursor(row ?? { value: null, id: "" });
  };
  return {
    created: await halfWay("created_at", "created_at DESC, id DESC"),
    name: await halfWay("name", "name COLLATE NOCASE, id"),
  };
}

test.each(Object.keys(ROW_BOUNDS) as RowBudget[])(
  "%s: every combination of filter, order and term reads within its budget",
  async (budget) => {
    await gatehouse.runScheduled();
    const most = Math.min(ROW_BOUNDS[budget], isFull ? Infinity : MOST_IN_GATE);
    const broken: [path: string, rows: number][] = [];
    for (const { path } of chosen.filter((page) => page.budget === budget)) {
      const rows = await rowsReadBy(path.replace(/(\?|$)/, ".data$1"));
      if (rows > most) broken.push([path, rows]);
    }

    expect(broken).toEqual([]);
  },
  // Hundreds of pages, one after another.
  600_000,
);

test("a term of two letters that nothing begins with reads at most 100 rows", async () => {
  const ofFeatures = FEATURE_TESTS.flatMap(({ lists }) => lists?.paths ?? []);
  for (const path of ["/manager/users", "/manager/organizations", ...ofFeatures]) {
    const rows = await rowsReadBy(`${path}?searchTerm=${UNMATCHED}`);
    expect(rows, path).toBeLessThanOrEqual(100);
  }
});

/** Returns the lines of a list's plans that name an index. */
async function plansWith(load: Parameters<typeof plansOf>[1]): Promise<string> {
  const lines = await plansOf(gatehouse, load);
  return lines.filter((line) => /INDEX (?!sqlite_autoindex)/.test(line)).join("\n");
}

test.each([
  ["", "user_by_created"],
  ["sort=name", "user_by_name"],
  ["sort=email&direction=asc", "user_by_email"],
  ["sort=seen", "user_by_last_seen"],
  ["status=banned", "user_banned"],
  ["status=not-onboarded&sort=name", "user_not_onboarded"],
  ["status=unverified", "user_unverified"],
  ["status=never-signed-in", "user_never_seen"],
  ["role=auditor&sort=email", "user_with_roles"],
  ["searchTerm=family299", "user_search VIRTUAL TABLE"],
  ["searchTerm=example&sort=name", "user_by_name"],
  ["searchTerm=pe&sort=seen", "user_by_last_seen"],
])("the users list %j is read through the index %s", async (search, index) => {
  const url = new URL(`http://localhost/?${search}`);
  expect(await plansWith((db) => users.load(db, url, { now: new Date(NOW) }))).toContain(index);
});

test.each([
  ["actor=person-0000005", "audit_event_actor"],
  ["target=person.5@example.com&action=user.created", "audit_event_target"],
  ["action=user.banned", "audit_event_action"],
])("the audit log %j is read through the index %s", async (search, index) => {
  const url = new URL(`http://localhost/?${search}`);
  expect(await plansWith((db) => loadAuditLog(db, url, { now: new Date(NOW) }))).toContain(index);
});

test.each([
  ["", "mail_outbox_created_at"],
  ["searchTerm=person.5@example.com&state=failed", "mail_outbox_recipient"],
  ["state=failed&kind=login-code", "mail_outbox_unsent"],
  ["kind=new-device", "mail_outbox_rare_kind"],
  ["delivery=bounced", "mail_outbox_undelivered"],
])("the mail log %j is read through the index %s", async (search, index) => {
  const url = new URL(`http://localhost/?${search}`);
  expect(await plansWith((db) => loadMailLog(db, url, { now: new Date(NOW) }))).toContain(index);
});
