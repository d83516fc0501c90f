import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { aUser, newEmail } from "../support/people.ts";
import { sentencesIn } from "../support/sentences.ts";
import { startGatehouse } from "../support/worker.ts";

const say = sentencesIn("en");
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

/** Signs in with the code that the verify screen shows. */
async function enter(role: string) {
  const { email, id } = await aUser(demo, { role });
  const browser = newBrowser(demo);
  const asked = await browser.submit("/login", { intent: "email", email });
  const verify = locationOf(asked, demo) ?? "";
  const text = readText(await (await browser.get(verify)).text());
  const code = new RegExp(`${say("login:demoCode")} (\\d{6})`).exec(text)?.[1] ?? "";
  await browser.submit(verify, { intent: "verify", code });
  return { browser, id };
}

test("a demonstration says that it is one, and offers neither sign-up nor other providers", async () => {
  const text = readText(await (await newBrowser(demo).get("/login")).text());

  expect(text).toContain(say("login:demo"));
  expect(text).not.toContain("Sign Up");
  expect(text).not.toContain("Continue with OpenID");
});

test("its code is on the verify screen, and lets in", async () => {
  const { browser } = await enter("user");

  expect((await browser.get("/app")).status).toBe(200);
});

test("an unknown address gets no code", async () => {
  const browser = newBrowser(demo);
  const email = newEmail("stranger");
  const page = await browser.follow(browser.submit("/login", { intent: "email", email }));

  expect(readText(await page.text())).not.toContain(say("login:demoCode"));
});

test("whatever would write is refused with a toast, and nothing is written", async () => {
  const { browser, id } = await enter("admin");
  const before = await snapshot();

  for (const path of [
    "/manager/repositories/new",
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

test("the API refuses writes by their code", async () => {
  const { browser } = await enter("admin");

  const response = await browser.api("/api/auth/revoke-sessions");

  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({ code: "DEMO_READ_ONLY" });
  expect((await browser.get("/app")).status).toBe(200);
});

test("reading, choosing a language and signing out work", async () => {
  const { browser } = await enter("admin");

  expect((await browser.get("/manager/dashboard")).status).toBe(200);
  await browser.submit("/preferences", { intent: "language", value: "fr" });
  expect(browser.cookies.get("i18next")).toBe("fr");
  expect(locationOf(await browser.submit("/sign-out", {}), demo)).toBe("/login");
  expect(locationOf(await browser.get("/app"), demo)).toBe("/login?redirect=%2Fapp");
});

test("a demonstration has no local inbox, wherever it is asked", async () => {
  expect((await newBrowser(demo).get("/dev/inbox")).status).toBe(404);
});

async function snapshot() {
  const tables = ["user", "repository"];
  return Promise.all(
    tables.map(async (table) => {
      const { results } = await demo.d1.prepare(`SELECT * FROM ${table} ORDER BY id`).all();
      return results.map(({ last_seen_at: _seen, ...row }) => row);
    }),
  );
}

test("nobody takes a copy of an account that strangers share", async () => {
  const { browser } = await enter("user");

  const response = await browser.get("/app/account/data");

  expect(locationOf(response, demo)).toBe("/app/account");
  const page = await browser.get("/app/account");
  expect(readText(await page.text())).toContain(say("codes:DEMO_READ_ONLY"));
});
