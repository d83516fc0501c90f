import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { DATABASE_RETRY_SECONDS } from "../../app/ui/feedback/retry-seconds.ts";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser, askForCode, enterCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const RETRY_AFTER = String(DATABASE_RETRY_SECONDS);
const AN_HOUR_MS = 3_600_000;

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Lets a database call of the request pass its deadline without an answer. */
function silentAt(call: number, headers: Record<string, string> = {}): RequestInit {
  return { headers: { ...headers, "x-d1-fault": `${call} silent` } };
}

test.each(LANGUAGES)(
  "a page in %s says that the database does not answer, and tries again by itself",
  async (language) => {
    const { browser } = await aSignedInUser(gatehouse);
    const words = translationsIn(language);

    const response = await browser.get(`/app/account?lng=${language}`, silentAt(1));

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe(RETRY_AFTER);
    const html = await response.text();
    const page = readPage(html);
    expect(page.rootAttribute("lang")).toBe(language);
    for (const key of ["errors.silent", "errors.silentText"]) {
      expect(readText(html)).toContain(words(`common:${key}`).replace(/\s/g, " "));
    }
    expect(page.linkTo(words("common:actions.tryAgain"))).toBe(`/app/account?lng=${language}`);
    expect(html).toContain(`<meta http-equiv="refresh" content="${RETRY_AFTER}"`);
    expect(html).not.toMatch(/DatabaseSilence|D1_ERROR/);
  },
);

test("a request asks a silent database once, and is answered without its other statements", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

  for (const path of ["/app", "/manager/users", "/manager/dashboard", "/app.data"]) {
    const response = await browser.get(path, silentAt(1));

    expect([path, response.status, response.headers.get("x-d1-calls")]).toEqual([path, 503, "1"]);
    expect(response.headers.get("retry-after")).toBe(RETRY_AFTER);
  }
});

test("a list that the database does not answer keeps its screen and its search", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

  const response = await browser.get("/manager/users?searchTerm=ada", silentAt(2));

  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe(RETRY_AFTER);
  const html = await response.text();
  expect(alertsOf(html)).toEqual([
    `${say("common:errors.silent")} ${say("common:errors.silentText")}`,
  ]);
  expect(readPage(html).field("searchTerm")?.value).toBe("ada");
});

/** What is answered from the settings. */
const FILES = ["/robots.txt", "/llms.txt", "/.well-known/passkey-endpoints"];

test("the login screen, the static files and the health check do without the database", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const anonymous = newBrowser(gatehouse);
  // The kept settings are too old then.
  const later = { "x-clock": String(Date.now() + AN_HOUR_MS) };

  for (const path of ["/login", "/login?lng=fr", "/login/error", "/health", ...FILES]) {
    expect([path, (await anonymous.get(path, silentAt(1, later))).status]).toEqual([path, 200]);
    expect([path, (await browser.get(path, silentAt(1, later))).status]).toEqual([path, 200]);
  }
  expect(locationOf(await anonymous.get("/terms", silentAt(1, later)))).toBe("/login");
});

test("after one silent read of the settings, the next page does not wait for them", async () => {
  await using fresh = await startGatehouse();
  const visitor = newBrowser(fresh);

  const first = await visitor.get("/login", silentAt(1));
  const second = await visitor.get("/login", silentAt(1));

  expect([first.status, first.headers.get("x-d1-calls")]).toEqual([200, "1"]);
  expect([second.status, second.headers.get("x-d1-calls")]).toEqual([200, "0"]);
});

test("ready says that the database does not answer", async () => {
  const response = await newBrowser(gatehouse).get("/ready", silentAt(1));

  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ status: "unavailable", database: "unavailable" });
});

test.each([
  ["before anything is read", 1],
  ["at the write", 2],
])("a form without JavaScript is posted back, when the database is silent %s", async (_, call) => {
  const { browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
  const form = { name: "Zuri <b>", back: "" };

  const response = await browser.submit("/onboarding?redirect=%2Fapp", form, silentAt(call));

  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe(RETRY_AFTER);
  const html = await response.text();
  const page = readPage(html);
  expect(readText(html)).toContain(say("common:errors.silentForm"));
  expect(page.field("name")?.value).toBe("Zuri <b>");
  expect(page.find("button", say("common:errors.sendAgain"))).toBeDefined();
  // A posted form is never sent again by itself.
  expect(html).not.toContain('http-equiv="refresh"');
  expect(locationOf(await browser.submit("/onboarding?redirect=%2Fapp", form))).toBe("/app");
});

test("a code is never written into the page for a silent database", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const form = { intent: "verify", code: "123456" };

  const response = await browser.submit("/app/account/confirm", form, silentAt(1));

  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("123456");
});

test("calls of programs get 503, an error code and the time to wait", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const calls = {
    "/api/auth/get-session": { code: "DATABASE_UNAVAILABLE", message: expect.any(String) },
    "/_server/organization-slug?payload=%7B%22name%22%3A%22x%22%7D": {
      error: { code: "DATABASE_UNAVAILABLE" },
    },
  };

  for (const [path, answer] of Object.entries(calls)) {
    const response = await browser.get(path, silentAt(1));

    expect([path, response.status, await response.json()]).toMatchObject([path, 503, answer]);
    expect(response.headers.get("retry-after")).toBe(RETRY_AFTER);
  }
});

test("asking for a code says that the database does not answer, and keeps the e-mail", async () => {
  const email = newEmail();
  const browser = newBrowser(gatehouse);

  const response = await browser.submit("/login", { intent: "email", email }, silentAt(1));

  expect(response.status).toBe(503);
  const html = await response.text();
  expect(alertsOf(html)).toEqual([say("codes:DATABASE_UNAVAILABLE")]);
  expect(readPage(html).field("email")?.value).toBe(email);
});

test("a page whose read lost its connection once is shown", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

  for (const moment of ["before", "after"]) {
    for (const call of [1, 2, 3]) {
      const fault = { headers: { "x-d1-fault": `${call} ${moment} once` } };
      expect((await browser.get("/manager/users", fault)).status).toBe(200);
    }
  }
});

/** More calls than entering a code makes. */
const CALLS = [1, 2, 3, 4, 5, 6];

test.each(
  ["before once", "after once", "before", "after", "silent"].flatMap((moment) =>
    CALLS.map((call) => `${call} ${moment}`),
  ),
)(
  "a sign-in that lost its connection at call %s succeeds with the same code or the next, with one session",
  async (fault) => {
    const email = newEmail("visitor");
    const browser = newBrowser(gatehouse);
    await askForCode(browser, email);
    const code = await gatehouse.mailbox.codeFor(email);
    const verify = `/login/verify?email=${encodeURIComponent(email)}`;
    const headers = { "x-d1-fault": fault };

    const first = await browser.submit(verify, { intent: "verify", code }, { headers });

    if (first.status !== 302) {
      const again = await enterCode(browser, email, code);
      if (again.status !== 302) {
        await askForCode(browser, email);
        const next = await gatehouse.mailbox.codeFor(email);
        expect((await enterCode(browser, email, next)).status).toBe(302);
      }
    }
    expect(await (await browser.get("/api/auth/get-session")).json()).toMatchObject({
      user: { email },
    });
    const { results } = await gatehouse.d1
      .prepare("SELECT session.id FROM session JOIN user ON user.id = user_id WHERE email = ?")
      .bind(email)
      .all();
    expect(results).toHaveLength(1);
  },
);
