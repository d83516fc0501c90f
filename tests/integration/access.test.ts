import { afterAll, expect, test } from "vitest";
import { type Outcome, ROLES, type Role } from "../support/access-rows.ts";
import { ENDING, POST_ONLY, TABLE } from "../support/access-table.ts";
import { type Browser, newBrowser } from "../support/client.ts";
import { inTurn } from "../support/matrix.ts";
import { insertPasskey } from "../support/passkeys.ts";
import { anAdmin, aSignedInUser, newEmail, openSession, type Person } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

/** E-mails of managers that ADMIN_EMAILS names: the rule about passkeys asks nothing of them. */
const PASSING = ["admin", "stale", "support", "auditor"].map((name) => newEmail(name));
const TERMS = { terms_version: "1" };

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: PASSING.join() } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
await change(
  "UPDATE site_setting SET manager_passkeys_since = 1, terms_url = 'https://x.example', terms_version = '1'",
);
const [adminEmail, staleEmail, supportEmail, auditorEmail] = PASSING;
const { user: admin, browser: ofAdmin } = await anAdmin(gatehouse, {
  ...TERMS,
  email: adminEmail,
});
const leaving = await aSignedInUser(gatehouse, TERMS);
const impersonated = await aSignedInUser(gatehouse, TERMS);
await beginAgain();
const browsers = await signInEveryRole();

async function signInEveryRole(): Promise<Record<Role, Browser>> {
  const signedIn = async (overrides: Partial<Person>) =>
    aSignedInUser(gatehouse, { ...TERMS, ...overrides });
  const { user, browser: banned } = await signedIn({});
  await change("UPDATE user SET banned = 1 WHERE id = ?", user.id);
  const stale = await signedIn({ role: "admin", email: staleEmail });
  await change(
    "UPDATE session SET created_at = ? WHERE user_id = ?",
    Date.now() - 16 * 60_000,
    stale.user.id,
  );
  const holder = await signedIn({ role: "admin" });
  await insertPasskey(gatehouse, holder.user.id);
  return {
    anonymous: newBrowser(gatehouse),
    newcomer: (await signedIn({ onboarded_at: null })).browser,
    user: (await signedIn({})).browser,
    admin: ofAdmin,
    banned,
    support: (await signedIn({ role: "support", email: supportEmail })).browser,
    auditor: (await signedIn({ role: "auditor", email: auditorEmail })).browser,
    stale: stale.browser,
    impersonated: impersonated.browser,
    "passkey to confirm": holder.browser,
    "passkey to add": (await signedIn({ role: "admin" })).browser,
    leaving: leaving.browser,
    "terms due": (await signedIn({ terms_version: null })).browser,
  };
}

/** Begins the account deletion and the impersonation, also after a form has ended them. */
async function beginAgain() {
  const { user, browser } = impersonated;
  await change(
    "UPDATE user SET deletion_due_at = ? WHERE id = ?",
    Date.now() + 86_400_000,
    leaving.user.id,
  );
  await change("DELETE FROM session WHERE user_id = ?", user.id);
  await openSession(gatehouse, browser, user.id);
  await change("UPDATE session SET impersonated_by = ? WHERE user_id = ?", admin.id, user.id);
}

function change(sql: string, ...values: unknown[]) {
  return gatehouse.d1
    .prepare(sql)
    .bind(...values)
    .run();
}

const urls = listUrls();

/** Kinds of request besides GET and POST; the gate sends one of them to each URL as each role, by turns. */
const METHODS = ["HEAD", "PUT", "PATCH", "DELETE"];
const DATA = ["data", "data of the screen alone", "data POST"];

/**
 * Reads all rows of all tables, except the last visits, their counts and the audit log, in which exports are recorded.
 */
async function readEverything(): Promise<Record<string, unknown[]>> {
  const { results: tables } = await gatehouse.d1
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%' AND name NOT IN ('audit_event', 'counter', 'slot_count')",
    )
    .all<{ name: string }>();
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const { results } = await gatehouse.d1.prepare(`SELECT * FROM ${name}`).all();
      return [name, results.map(({ last_seen_at: _last, kind: _kind, ...row }) => row)] as const;
    }),
  );
  return Object.fromEntries(contents);
}

test("reads answer as the table says and change nothing, at any URL and for any role", async () => {
  // A user's first visit is written after the response, with its counts; more visits within the hour are not written.
  for (const role of ROLES) await (await browsers[role].get("/app")).arrayBuffer();
  const seen = gatehouse.d1.prepare(
    "SELECT count(*) AS n FROM user WHERE last_seen_at IS NOT NULL",
  );
  await expect.poll(() => seen.first<number>("n")).toBe(10);
  const before = await readEverything();
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["user", "session", "mail_outbox"]));

  const wrong: unknown[] = [];
  for (const { pattern } of urls) {
    const path = pattern.replace(/:\w+|\*/g, "nothing-has-this");
    for (const role of ROLES) {
      const expected = outcomeAt(path, TABLE[pattern]?.read[role] ?? 404);
      const answer = await ask(browsers[role], path, "GET");
      if (answer !== expected) wrong.push({ pattern, role, answer, expected });
    }
  }

  expect(wrong).toEqual([]);
  // Files with the own data are counted.
  await gatehouse.d1.exec("DELETE FROM rate_limit WHERE key LIKE 'downloads|%'");
  expect(await readEverything()).toEqual(before);
});

test("no data of a screen holds tokens, secrets or search keys", async () => {
  for (const { pattern, isScreen } of urls) {
    // The page of the API has the names of such fields, and no values.
    if (!isScreen || pattern === "/api/docs") continue;
    const path = pattern.replace("/users/:id", `/users/${admin.id}`).replace(/:\w+|\*/g, "x");
    const data = await (await browsers.admin.get(`${path}.data`)).text();
    const cookie = browsers.admin.cookies.get("gatehouse.session_token") ?? "-";
    expect(data).not.toContain(decodeURIComponent(cookie).split(".")[0]);
    expect(data).not.toMatch(
      /"(token|payload|searchKey|search_key|password|accessToken|refreshToken|idToken|nameKey)"/,
    );
  }
});

test("the table has every URL of the product, and no other", () => {
  expect(urls.map(({ pattern }) => pattern).sort()).toEqual(Object.keys(TABLE).sort());
});

for (const [index, [pattern, row]] of Object.entries(TABLE).entries()) {
  const path = pattern.replace(/:\w+|\*/g, "nothing-has-this");
  const routeIds = urls.find((url) => url.pattern === pattern)?.routeIds ?? [];

  test.each(ROLES)(`${pattern} answers %s as the table says, by other methods`, async (role) => {
    const browser = browsers[role];
    const read = row.read[role];
    const write = row.write[role];
    const expected = (outcome: Outcome) => outcomeAt(path, outcome);
    const other = POST_ONLY.includes(pattern) ? 405 : expected(write);
    const turn = index + ROLES.indexOf(role);
    const again = async () => {
      if (ENDING.includes(pattern)) await beginAgain();
    };

    expect(await ask(browser, path, "POST")).toBe(expected(write));
    await again();
    for (const kind of inTurn([...METHODS, ...DATA], turn)) {
      if (METHODS.includes(kind)) {
        const outcome = kind === "HEAD" ? expected(read) : other;
        expect([kind, await ask(browser, path, kind)]).toEqual([kind, outcome]);
        await again();
        continue;
      }
      const method = kind === "data POST" ? "POST" : "GET";
      const outcome = kind === "data POST" ? write : read;
      const routeId = kind === "data of the screen alone" ? routeIds.at(-1) : undefined;
      const answer = await askData(browser, path, method, outcome, routeId);
      expect([kind, answer]).toEqual([kind, expected(outcome)]);
      await again();
    }
  });

  if (!/^\/(app|manager)\b/.test(pattern)) continue;

  test(`the layouts of ${pattern} refuse a request for their data alone`, async () => {
    for (const [column, role] of ROLES.entries()) {
      const outcome = row.read[role];
      if (screensRefuse(role, pattern)) continue;
      const isRefused = outcome === 403 || String(outcome).endsWith("HERE");
      if (!isRefused) continue;
      for (const id of inTurn(routeIds, index + column)) {
        const answer = await askData(browsers[role], path, "GET", outcome, id);
        expect([role, id, answer]).toEqual([role, id, outcomeAt(path, outcome)]);
      }
    }
  });
}

/** Returns an outcome of the table for a path. */
function outcomeAt(path: string, outcome: Outcome): Outcome {
  return typeof outcome === "string" ? outcome.replace("HERE", encodeURIComponent(path)) : outcome;
}

/** True for roles that an area's layout lets in: only single screens refuse them. */
function screensRefuse(role: Role, pattern: string): boolean {
  if (["support", "auditor", "stale"].includes(role)) return true;
  return role.startsWith("passkey") && pattern.startsWith("/app");
}

async function ask(browser: Browser, path: string, method: string): Promise<Outcome> {
  const response = await browser.request(path, { method });
  await response.arrayBuffer();
  return response.headers.get("location") ?? response.status;
}

/** Returns the outcome of a client-side navigation: a redirect is a 202 with its target in the data. */
async function askData(
  browser: Browser,
  path: string,
  method: string,
  expected: Outcome,
  routeId?: string,
): Promise<Outcome> {
  const search = routeId ? `?_routes=${encodeURIComponent(routeId)}` : "";
  const response = await browser.request(`${path === "/" ? "/_" : path}.data${search}`, { method });
  const body = await response.text();
  if (response.status !== 202 || typeof expected !== "string") return response.status;
  const location = String(outcomeAt(path, expected));
  return body.includes(JSON.stringify(location)) ? location : body;
}
