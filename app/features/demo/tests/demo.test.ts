import { afterAll, expect, test } from "vitest";
import {
  type Browser,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../../../../tests/support/client.ts";
import { openEndpoints } from "../../../../tests/support/endpoints.ts";
import { anInvitation, anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser, newEmail } from "../../../../tests/support/people.ts";
import { listUrls } from "../../../../tests/support/routes.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { createDb } from "../../../db/db.server.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import { DEMO_ACCOUNTS } from "../accounts.ts";
import { DEMO_SIZE, fillDemo } from "../fill.server.ts";

const say = translationsIn("en");
const demo = await startGatehouse({
  mail: "local",
  vars: {
    DEMO: "true",
    BASE_URL: "https://demo.gatehouse.example",
    OIDC_DISCOVERY_URL: "http://127.0.0.1:9/.well-known/openid-configuration",
    OIDC_CLIENT_ID: "x",
    OIDC_CLIENT_SECRET: "x",
  },
});
afterAll(() => demo[Symbol.asyncDispose]());
// The first request fills the empty database after its response.
const firstAnswer = await newBrowser(demo).get("/login");
await filled();

/** Waits until the demonstration has its sample data. */
async function filled() {
  const deadline = Date.now() + 20_000;
  const isFilled = () =>
    demo.d1.prepare("SELECT 1 FROM demo_fill WHERE filled_at IS NOT NULL").first();
  while (!(await isFilled())) {
    if (Date.now() > deadline) throw new Error("The demonstration did not fill itself");
  }
}

async function count(table: string): Promise<number> {
  return (await demo.d1.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0;
}

function idOf(email: string) {
  return demo.d1.prepare("SELECT id FROM user WHERE email = ?").bind(email).first<string>("id");
}

/** Signs in to a sample account with the code that the verify screen shows. */
async function enterAs(email: string) {
  const browser = newBrowser(demo);
  const asked = await browser.submit("/login", { intent: "email", email });
  const verify = locationOf(asked, demo) ?? "";
  await browser.submit(verify, { intent: "verify", code: (await codeOn(browser, email)) ?? "" });
  return browser;
}

/** Returns the code that the verify screen shows for an e-mail. */
async function codeOn(browser: Browser, email: string): Promise<string | undefined> {
  const page = await browser.get(`/login/verify?email=${encodeURIComponent(email)}`);
  return new RegExp(`${say("login:shownCode")} (\\d{6})`).exec(readText(await page.text()))?.[1];
}

const { samples } = SERVER_FEATURES;

test("an empty demonstration fills itself after its first request", async () => {
  expect(firstAnswer.status).toBe(200);
  expect(await count("user")).toBe(DEMO_SIZE.users + Object.keys(DEMO_ACCOUNTS).length);
  expect(await count("organization")).toBe(DEMO_SIZE.organizations);
});

test("concurrent fills fill once, and an interrupted fill is completed", async () => {
  await using other = await startGatehouse({ mail: "local" });
  const db = createDb(other.d1);
  const now = new Date();
  const events = () => other.d1.prepare("SELECT count(*) AS n FROM audit_event").first<number>("n");

  await Promise.all(Array.from({ length: 10 }, () => fillDemo(db, now, samples)));
  const once = await events();
  await other.d1.batch([
    other.d1.prepare("DELETE FROM invitation"),
    other.d1.prepare("UPDATE demo_fill SET filled_at = NULL"),
  ]);
  await fillDemo(db, now, samples);
  const early = await other.d1.prepare("SELECT count(*) AS n FROM invitation").first("n");
  await fillDemo(db, new Date(now.getTime() + 60_000), samples);
  const late = await other.d1.prepare("SELECT count(*) AS n FROM invitation").first("n");

  expect(early).toBe(0);
  expect(late).toBe(DEMO_SIZE.organizations);
  expect(await events()).toBe(once);
});

test("a database with users gets no sample data", async () => {
  await using other = await startGatehouse({ mail: "local" });
  await aUser(other);

  await fillDemo(createDb(other.d1), new Date(), samples);

  expect(await other.d1.prepare("SELECT count(*) AS n FROM user").first("n")).toBe(1);
});

test("the sample user opens the app, and the sample manager the manager area", async () => {
  const user = await enterAs(DEMO_ACCOUNTS.user.email);
  const manager = await enterAs(DEMO_ACCOUNTS.manager.email);
  expect((await user.get("/app")).status).toBe(200);
  expect((await user.get("/manager/users")).status).toBe(403);
  expect((await manager.get("/manager/users")).status).toBe(200);
});

test("twenty visitors in a row get a code for the same sample account", async () => {
  for (let visitor = 0; visitor < 20; visitor++) {
    const { user } = DEMO_ACCOUNTS;
    const asked = await newBrowser(demo).submit("/login", { intent: "email", email: user.email });
    expect(locationOf(asked, demo)).toContain("/login/verify");
  }
});

test("one IP address gets at most ten codes a minute", async () => {
  const browser = newBrowser(demo);
  const ask = () => browser.submit("/login", { intent: "email", email: DEMO_ACCOUNTS.user.email });
  for (let request = 0; request < 10; request++) expect((await ask()).status).toBe(302);

  expect((await ask()).status).toBe(429);
});

test("nothing stored or shown describes a visitor", async () => {
  const visitor = await enterAs(DEMO_ACCOUNTS.user.email);
  const manager = await enterAs(DEMO_ACCOUNTS.manager.email);
  await visitor.submit("/sign-out", {});

  for (const path of [
    `/manager/users/${await idOf(DEMO_ACCOUNTS.user.email)}`,
    "/manager/audit",
    "/manager/audit/export",
  ]) {
    const text = await (await manager.get(path)).text();
    expect(text).not.toContain(visitor.ipAddress);
    expect(text).not.toContain("Firefox");
  }
  const { results } = await demo.d1
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    .all<{ name: string }>();
  for (const { name } of results.filter(({ name }) => !/^(_cf|sqlite)_|_search_/.test(name))) {
    const rows = await demo.d1.prepare(`SELECT * FROM ${name}`).all();
    expect([name, JSON.stringify(rows.results).includes(visitor.ipAddress)]).toEqual([name, false]);
    expect([name, JSON.stringify(rows.results).includes("Firefox")]).toEqual([name, false]);
  }
});

test("a visitor's language and theme are not saved to the shared account", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.user.email);
  await browser.submit("/preferences", { intent: "language", value: "sw" });
  await browser.submit("/preferences", { intent: "theme", value: "dark" });

  expect(
    await demo.d1
      .prepare("SELECT language, theme FROM user WHERE email = ?")
      .bind(DEMO_ACCOUNTS.user.email)
      .first(),
  ).toEqual({ language: null, theme: null });
});

test("the login screen says that it is a demonstration, and offers neither sign-up nor providers", async () => {
  const text = readText(await (await newBrowser(demo).get("/login")).text());

  expect(text).toContain(say("login:demo"));
  expect(text).not.toMatch(/sign.up/i);
  expect(text).not.toContain("Continue with OpenID");
});

test("the verify screen shows a code that signs in", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.user.email);

  expect((await browser.get("/app")).status).toBe(200);
});

test("the verify screen shows nobody the code of a real account", async () => {
  const { email } = await aUser(demo, { role: "admin" });
  const browser = newBrowser(demo);
  await browser.submit("/login", { intent: "email", email });
  const sent = await demo.d1
    .prepare("SELECT kind FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .all();

  expect(sent.results).toEqual([{ kind: "login-code" }]);
  expect(await codeOn(browser, email)).toBeUndefined();
});

test("the verify screen shows a sample account no code but one for signing in", async () => {
  const { email } = DEMO_ACCOUNTS.user;
  const browser = await enterAs(email);
  const code = await codeOn(browser, email);
  const type = "email-verification";
  await browser.api("/api/auth/email-otp/send-verification-otp", { email, type });
  const newest = await demo.d1
    .prepare("SELECT kind FROM mail_outbox WHERE recipient = ? ORDER BY created_at DESC LIMIT 1")
    .bind(email)
    .first("kind");

  expect(newest).toBe("account-code");
  expect(await codeOn(browser, email)).toBe(code);
});

test("an unknown e-mail gets no code", async () => {
  const browser = newBrowser(demo);
  const email = newEmail("stranger");
  const page = await browser.follow(browser.submit("/login", { intent: "email", email }));

  expect(readText(await page.text())).not.toContain(say("login:shownCode"));
});

test("every form that writes is refused with a toast, and nothing is written", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.manager.email);
  const { id } = await aUser(demo);
  const before = await snapshot();

  for (const path of [
    "/app/organizations/new",
    "/manager/users/new",
    `/manager/users/${id}/update`,
    "/onboarding",
  ]) {
    const response = await browser.submit(path, {
      intent: "create",
      name: "New",
      link: "https://example.com",
      email: "new@example.com",
    });
    expect(locationOf(response, demo)).toBe(path === "/onboarding" ? "/" : path);
  }
  const page = await browser.get("/manager/dashboard");
  expect(readText(await page.text())).toContain(say("codes:DEMO_READ_ONLY"));
  expect(await snapshot()).toEqual(before);
});

test("every change is refused but a sign-in by code and cookies", async () => {
  await using local = await startGatehouse({ mail: "local", vars: { DEMO: "true" } });
  const auth = "/api/auth";
  const open = [
    "/login",
    "/login/verify",
    "/sign-out",
    "/preferences",
    `${auth}/email-otp/send-verification-otp`,
    `${auth}/sign-in/email-otp`,
    `${auth}/sign-out`,
  ];
  const forms = listUrls().filter(({ takesForms }) => takesForms);
  const endpoints = [
    ...forms.map(({ pattern }) => pattern),
    ...Object.keys(openEndpoints).flatMap((path) =>
      openEndpoints[path] === "POST" ? [auth + path] : [],
    ),
  ];
  const wrong: unknown[] = [];
  for (const endpoint of endpoints) {
    const path = endpoint.replace(/:\w+|\*/g, "any");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const visitor = newBrowser(local);
      const answer = await visitor.request(path, { method, body: new URLSearchParams() });
      const told = (setCookieOf(answer, "gatehouse.toast") ?? "") + (await answer.text());
      if (told.includes("DEMO_READ_ONLY") === open.includes(endpoint)) {
        wrong.push({ endpoint, method });
      }
    }
  }

  expect(wrong).toEqual([]);
});

test("the API refuses writes with an error code", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.manager.email);

  const response = await browser.api("/api/auth/revoke-sessions");

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: "DEMO_READ_ONLY" });
  expect((await browser.get("/app")).status).toBe(200);
});

test("reading, choosing a language and signing out work", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.manager.email);

  expect((await browser.get("/manager/dashboard")).status).toBe(200);
  await browser.submit("/preferences", { intent: "language", value: "fr" });
  expect(browser.cookies.get("i18next")).toBe("fr");
  expect(locationOf(await browser.submit("/sign-out", {}), demo)).toBe("/login");
  expect(locationOf(await browser.get("/app"), demo)).toBe("/login?redirect=%2Fapp");
});

test("a demonstration has no screen of /dev", async () => {
  const paths = listUrls().filter(({ pattern }) => pattern.startsWith("/dev/"));
  expect(paths.map(({ pattern }) => pattern)).toContain("/dev/inbox");
  for (const { pattern } of paths) {
    expect((await newBrowser(demo).get(pattern)).status, pattern).toBe(404);
  }
});

async function snapshot() {
  const tables = ["user", "organization"];
  return Promise.all(
    tables.map(async (table) => {
      const { results } = await demo.d1.prepare(`SELECT * FROM ${table} ORDER BY id`).all();
      return results.map(({ last_seen_at: _last, ...row }) => row);
    }),
  );
}

test("a shared sample account cannot be downloaded", async () => {
  const browser = await enterAs(DEMO_ACCOUNTS.user.email);

  const response = await browser.get("/app/account/data");

  expect(locationOf(response, demo)).toBe("/app/account");
  const page = await browser.get("/app/account");
  expect(readText(await page.text())).toContain(say("codes:DEMO_READ_ONLY"));
});

test("a demonstration has no sign-up, not even for a configured admin or an invited person", async () => {
  const admin = newEmail("admin");
  await using configured = await startGatehouse({ vars: { DEMO: "true", ADMIN_EMAILS: admin } });
  const owner = await aUser(configured, { role: "admin" });
  const { organization, ownerId } = await anOrganization(configured, {}, { owner });
  const own = { organization_id: organization.id, inviter_id: ownerId };
  const { email: invited } = await anInvitation(configured, own);

  const mails = "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?";
  for (const email of [admin, invited]) {
    await newBrowser(configured).submit("/login", { intent: "email", email });
    expect(await configured.d1.prepare(mails).bind(email).first<number>("n")).toBe(0);
  }
});
