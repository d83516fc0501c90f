import { globSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf } from "../support/client.ts";
import { FEATURE_TESTS } from "../support/feature-tests.ts";
import { insertRows } from "../support/insert.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { aWellKnownUser } from "../support/well-known-user.ts";
import { startGatehouse } from "../support/worker.ts";

const DATA = "/app/account/data";
const OF_CORE = readFileSync("docs/your-data.md", "utf8");
/** What the documents of features say of the file and of what is left out. */
const OF_FEATURES = globSync("app/features/*/docs.md").map(
  (file) => readFileSync(file, "utf8").split("## In the file with the own data")[1] ?? "",
);
const DOCUMENTS = [OF_CORE, ...OF_FEATURES];
const DOCUMENT = DOCUMENTS.join("\n");
const THE_FILE = DOCUMENTS.map((text) => text.split("## What is left out")[0]).join("\n");
/** Tables with rows about one user. */
const PERSONAL = [
  "user",
  "session",
  "account",
  "passkey",
  "account_code",
  "member",
  "invitation",
  "invitation_link",
  "invitation_link_user",
  "mail_outbox",
  "refusing_mailbox",
  "audit_event",
  ...FEATURE_TESTS.flatMap(({ personal = [] }) => personal),
];
/** Columns with secrets. */
const SECRET = /token|hash|password|payload|key$|credential|secret/;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function download(browser: Browser, path = DATA) {
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  return { response, text: await response.text() };
}

/** Returns the fields of a document as docs describe them: `sessions[].id`. */
function fieldsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  const isOpen = /\[\]\.details$/.test(path);
  if (isOpen || typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, child]) =>
    fieldsOf(child, path ? `${path}.${name}` : name),
  );
}

const EVENTS = ["eventsByYou", "eventsAboutYou", "eventsInOthersNames"];

/** Returns the documented fields; a field of an event once for each list of events. */
function describedFields(): string[] {
  const rows = [...THE_FILE.matchAll(/^\| `([^`]+)` \|/gm)]
    .map(([, field]) => field ?? "")
    .filter((field) => !field.endsWith("[]"));
  const isOfEvent = (field: string) =>
    !/[.[]/.test(field) && !["product", "downloadedAt"].includes(field);
  return rows
    .flatMap((field) => (isOfEvent(field) ? EVENTS.map((list) => `${list}[].${field}`) : [field]))
    .concat("isComplete")
    .sort();
}

test("the documentation describes exactly the fields of the file", async () => {
  const { user, browser } = await aWellKnownUser(gatehouse);
  await gatehouse.d1.prepare("UPDATE user SET role = 'admin' WHERE id = ?").bind(user.id).run();
  await insertRows(gatehouse.d1, "audit_event", [
    {
      id: "acted",
      action: "user.updated",
      actor_id: "somebody",
      impersonator_id: user.id,
      created_at: Date.now(),
    },
  ]);

  const { text } = await download(browser);

  expect([...new Set(fieldsOf(JSON.parse(text)))].sort()).toEqual(describedFields());
});

test("the documentation names every column about a user, included or left out", async () => {
  const named = new Set(
    [...DOCUMENT.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, column]) => column),
  );

  for (const table of PERSONAL) {
    const { results } = await gatehouse.d1
      .prepare("SELECT name FROM pragma_table_info(?)")
      .bind(table)
      .all<{ name: string }>();
    const columns = results.map(({ name }) => `${table}.${name}`);
    expect(columns.filter((column) => !named.has(column))).toEqual([]);
  }
});

test("every table that references a user is in the list", async () => {
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%REFERENCES user(id)%'")
    .all<{ name: string }>();

  expect(results.length).toBeGreaterThan(5);
  expect(results.map(({ name }) => name).filter((name) => !PERSONAL.includes(name))).toEqual([]);
});

test("the file contains no token, key, hash or mail", async () => {
  const { browser } = await aWellKnownUser(gatehouse);
  const { text } = await download(browser);
  const { results: tables } = await gatehouse.d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%'")
    .all<{ name: string }>();
  const secrets: string[] = [];
  for (const { name } of tables) {
    const { results } = await gatehouse.d1.prepare(`SELECT * FROM ${name}`).all();
    for (const row of results) {
      for (const [column, value] of Object.entries(row)) {
        const isSecret = SECRET.test(column) || (name === "verification" && column === "value");
        // Search keys are no secrets; the file contains the same words.
        if (isSecret && !["search_key", "name_key"].includes(column) && typeof value === "string") {
          secrets.push(value);
        }
      }
    }
  }

  expect(secrets.length).toBeGreaterThan(8);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("the file contains nothing about other users, such as their e-mail or device", async () => {
  const { user, browser, avatar, other } = await aWellKnownUser(gatehouse);

  const { text } = await download(browser);

  expect(text).not.toContain(other.email);
  expect(text).not.toContain("Othman");
  expect(text).not.toContain("203.0.113.77");
  expect(text).not.toContain("Manager's");
  expect(text).not.toContain("Managerville");
  const data = JSON.parse(text);
  expect(data.user).toMatchObject({
    id: user.id,
    email: user.email,
    picture: `${gatehouse.origin}/avatars/${avatar}`,
  });
  expect(data.preferences).toEqual({ language: "sw", theme: "dark" });
  expect(data.eventsAboutYou).toMatchObject([{ details: { after: "mine" }, isByYou: false }]);
  expect(data.organizations).toMatchObject([{ name: "Nyumbani", role: "owner" }]);
  expect(data.invitations).toMatchObject([{ email: user.email, isFromYou: false }]);
  expect(data.sentInvitations).toMatchObject([{ organization: "Nyumbani", status: "pending" }]);
  expect(data.accounts).toMatchObject([{ provider: "github", email: "octocat@example.org" }]);
  expect(data.pendingCodes).toMatchObject([{ newEmail: "new@example.org" }]);
});

test("the file's name has the date, and a download is not cached and recorded once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  await browser.request(DATA, { method: "HEAD" });
  const { response } = await download(browser);

  const day = new Date().toISOString().slice(0, 10);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-disposition": `attachment; filename="data-${day}.json"`,
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
  const events = await auditOf(gatehouse, user.id);
  expect(events.filter(({ action }) => action === "user.data_downloaded")).toHaveLength(1);
});

test("a file of many chunks is complete, with every event once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 2600)
       INSERT INTO audit_event (id, action, actor_id, created_at)
       SELECT printf('%s-%05d', ?1, n), 'user.updated', ?1, n / 7 FROM counted`,
    )
    .bind(user.id)
    .run();

  const { text } = await download(browser);

  const data = JSON.parse(text);
  const ids: string[] = data.eventsByYou.map(({ id }: { id: string }) => id);
  expect(ids.filter((id) => id.startsWith(user.id))).toHaveLength(2_600);
  expect(new Set(ids).size).toBe(ids.length);
  expect(data.isComplete).toBe(true);
});

test("a session older than 15 minutes is asked for a code first", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const before = Date.now() - 16 * 60_000;
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(before, user.id)
    .run();

  const response = await browser.get(DATA);

  expect(locationOf(response)).toBe("/app/account/confirm?next=%2Fapp%2Faccount");
  const events = await auditOf(gatehouse, user.id);
  expect(events.map(({ action }) => action)).not.toContain("user.data_downloaded");
});

test.each(["cross-site", "same-site"])(
  "a link on another site (%s) makes no file and no event, and the page asks to press the button",
  async (site) => {
    const { user, browser } = await aSignedInUser(gatehouse);

    const response = await browser.get(DATA, { headers: { "sec-fetch-site": site } });

    expect(locationOf(response)).toBe("/app/account#data");
    expect(await (await browser.get("/app/account")).text()).toContain(
      "To download your data, press the button on this page.",
    );
    const events = await auditOf(gatehouse, user.id);
    expect(events.map(({ action }) => action)).not.toContain("user.data_downloaded");
  },
);

test("the own data can be downloaded by its URL typed into the browser", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  const { status } = await browser.get(DATA, { headers: { "sec-fetch-site": "none" } });

  expect(status).toBe(200);
});

test("an impersonator cannot download the user's data", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: manager } = await anAdmin(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  const response = await browser.get(DATA);

  expect(locationOf(response)).toBe("/app/account");
  expect(await response.text()).not.toContain("isComplete");
  const events = await auditOf(gatehouse, user.id);
  expect(events.map(({ action }) => action)).not.toContain("user.data_downloaded");
});

test("a database failure during the download leaves invalid JSON", async () => {
  await using faulty = await startGatehouse();
  // The runtime logs the broken stream too.
  faulty.expectErrors("data.download_failed", "console");
  const { browser } = await aSignedInUser(faulty);
  await faulty.d1.exec("ALTER TABLE mail_outbox RENAME TO elsewhere");

  const response = await browser.get(DATA);
  // A proxy between the test and the worker may end the broken stream normally.
  const text = await response.text().catch(() => "");

  expect(response.status).toBe(200);
  expect(() => JSON.parse(text)).toThrow();
  expect(text).not.toContain("isComplete");
});
