import { afterAll, expect, test } from "vitest";
import { screensIn } from "../../app/features/access/navigation.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import type { MessageKey } from "../../app/i18n/message-key.ts";
import { locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("health says that the worker runs, and which build of it", async () => {
  const response = await newBrowser(gatehouse).get("/health");

  expect(response.status).toBe(200);
  const answer = JSON.parse(await response.text());
  expect(answer).toMatchObject({ status: "ok", version: expect.any(String) });
  expect(response.headers.get("x-gatehouse-version")).toBe(answer.version);
  expect(Object.keys(answer).sort()).toEqual(["built", "commit", "status", "version"]);
});

test("ready says that the database answers", async () => {
  const response = await newBrowser(gatehouse).get("/ready");

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ready" });
});

test("without its database the product is alive but not ready, and still shows the login screen", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("database.unavailable", "request.failed", "session.not_found");
  const { browser } = await aSignedInUser(broken);
  const tables = ["session", "sign_in_code", "rate_limit"];
  for (const table of tables) await broken.d1.exec(`DROP TABLE ${table}`);
  const anonymous = newBrowser(broken);

  expect((await anonymous.get("/health")).status).toBe(200);
  const ready = await anonymous.get("/ready");
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: "unavailable", database: "unavailable" });
  for (const language of LANGUAGES) {
    const page = await anonymous.get(`/login?lng=${language}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`<html lang="${language}"`);
  }
  expect((await browser.get("/login")).status).toBe(200);
  const home = await browser.get("/app");
  expect(home.status).toBe(500);
  const text = readText(await home.text());
  expect(text).toContain("Something went wrong");
  expect(text).toContain("Try Again");
});

test("robots.txt keeps search engines out of everything but the login screen and open pages", async () => {
  const response = await newBrowser(gatehouse).get("/robots.txt");

  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const open = SERVER_FEATURES.openPages.map(({ path }) => `Allow: ${path}$`);
  expect((await response.text()).trim().split("\n")).toEqual([
    "User-agent: *",
    "Allow: /login$",
    ...open,
    ...["Disallow: /api/", "Disallow: /app", "Disallow: /manager"],
  ]);
});

/** Returns the URLs of a Markdown text by their titles. */
function linksIn(text: string): Record<string, string> {
  const links = [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  return Object.fromEntries(links.map(([, title = "", url = ""]) => [title, url]));
}

test("llms.txt says what the site is, and each of its links opens", async () => {
  await using named = await startGatehouse({
    vars: { PRODUCT_NAME: "Nyumba", SECURITY_CONTACT: "security@gatehouse.example" },
  });
  const visitor = newBrowser(named);

  const response = await visitor.get("/llms.txt");

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(/^# Nyumba\n\n> Accounts of Nyumba\. /);
  expect(text).toContain("a one-time code sent by mail or a passkey; ");
  const open = SERVER_FEATURES.openPages.map(({ title, path }) => [title, named.origin + path]);
  expect(linksIn(text)).toEqual({
    ...Object.fromEntries(open),
    "Sign in": `${named.origin}/login`,
    "security.txt": `${named.origin}/.well-known/security.txt`,
  });
  for (const url of Object.values(linksIn(text))) {
    expect([url, (await visitor.get(url.replace(named.origin, ""))).status]).toEqual([url, 200]);
  }
});

test("llms.txt links what managers have set, and nothing that is not there", async () => {
  await using set = await startGatehouse({
    vars: {
      TERMS_URL: "https://gatehouse.example/terms",
      PRIVACY_URL: "https://gatehouse.example/privacy",
      HELP_URL: "https://help.gatehouse.example/",
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "secret",
    },
  });

  const text = await (await newBrowser(set).get("/llms.txt")).text();
  expect(text).toContain("a one-time code sent by mail, a passkey or GitHub; ");
  const links = linksIn(text);
  expect(links).toMatchObject({
    Terms: "https://gatehouse.example/terms",
    Privacy: "https://gatehouse.example/privacy",
    Help: "https://help.gatehouse.example/",
  });
  expect(Object.keys(links)).not.toContain("Support");
  expect(Object.keys(links)).not.toContain("security.txt");
});

test("a password manager is led to the security of the account, through the sign-in", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const path = "/.well-known/change-password";

  const signedIn = await browser.get(path);
  expect([signedIn.status, locationOf(signedIn)]).toEqual([302, "/app/account#security"]);
  const section = readPage(await (await browser.get("/app/account")).text());
  expect(section.document.getElementById("security")).not.toBeNull();

  const login = locationOf(await newBrowser(gatehouse).get(path));
  expect(login).toBe("/login?redirect=%2Fapp%2Faccount%23security");
  // Who has signed in meanwhile goes on to the same section.
  expect(locationOf(await browser.get(login ?? ""))).toBe("/app/account#security");
});

test("a password manager is told where passkeys are added and managed", async () => {
  const response = await newBrowser(gatehouse).get("/.well-known/passkey-endpoints");

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
  const security = `${gatehouse.origin}/app/account#security`;
  expect(await response.json()).toEqual({ enroll: security, manage: security });
});

test("security.txt names the contact and has not expired", async () => {
  await using watched = await startGatehouse({
    vars: { SECURITY_CONTACT: "security@gatehouse.example" },
  });
  const response = await newBrowser(watched).get("/.well-known/security.txt");

  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = Object.fromEntries(
    (await response.text())
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  expect(fields.Contact).toBe("mailto:security@gatehouse.example");
  expect(fields.Canonical).toBe(`${watched.origin}/.well-known/security.txt`);
  expect(Date.parse(fields.Expires ?? "")).toBeGreaterThan(Date.now() + 86_400_000);
  expect(Date.parse(fields.Expires ?? "")).toBeLessThan(Date.now() + 366 * 86_400_000);
});

test("without a contact for security reports there is no security.txt", async () => {
  const response = await newBrowser(gatehouse).get("/.well-known/security.txt");

  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("Contact:");
});

test("an unknown page answers 404 with a message and a link home", async () => {
  const response = await newBrowser(gatehouse).get("/no/such/page");

  expect(response.status).toBe(404);
  const page = await response.text();
  expect(readText(page)).toContain("404 This page could not be found");
  expect(page).toContain('href="/"');
});

type Missing = [path: string, label: MessageKey, list: string];

const LISTS_OF_FEATURES = (["manager", "app"] as const).flatMap((area) =>
  screensIn(area).flatMap(({ to, search }): Missing[] =>
    search ? [[`${to}/none`, search, to]] : [],
  ),
);

test.each<Missing>([
  ["/manager/users/nobody", "common:errors.searchUsers", "/manager/users"],
  ["/manager/organizations/none", "common:errors.searchOrganizations", "/manager/organizations"],
  ["/app/organizations/none", "common:errors.ownOrganizations", "/app/organizations"],
  ...LISTS_OF_FEATURES,
])("%s is missing, and its page offers the list", async (path, label, list) => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });

  const response = await browser.get(path);

  expect(response.status).toBe(404);
  const say = translationsIn("en");
  expect(readPage(await response.text()).linkTo(say(label))).toBe(list);
});

test("a page for a status without a page of its own has a sentence", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const say = translationsIn("en");
  const sent = (body: string, type: string) =>
    browser.request("/app/organizations/new", {
      method: "POST",
      body,
      headers: { "content-type": type, accept: "text/html" },
    });

  const tooLarge = await sent(`name=${"x".repeat(300_000)}`, "application/x-www-form-urlencoded");
  const wrongType = await sent("{}", "application/json");

  expect([tooLarge.status, wrongType.status]).toEqual([413, 415]);
  expect(readText(await tooLarge.text())).toContain(say("common:errors.tooLargeText"));
  expect(readText(await wrongType.text())).toContain(say("common:errors.failed"));
});

test("a forbidden page answers 403, tells who is signed in and offers another account", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);

  const response = await browser.get("/manager/users?role=admin");

  expect(response.status).toBe(403);
  const page = await response.text();
  const text = readText(page);
  expect(text).toContain("403 You don't have access to this page");
  expect(text).toContain(`You are signed in as ${user.email}`);
  expect(page).toContain(
    `action="/sign-out?redirect=${encodeURIComponent("/manager/users?role=admin")}"`,
  );
});

test("a trailing slash leads to the same page", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect(locationOf(await newBrowser(gatehouse).get("/app/"))).toBe("/login?redirect=%2Fapp%2F");
  expect((await browser.get("/app/")).status).toBe(200);
  expect((await newBrowser(gatehouse).get("/login/")).status).toBe(200);
});
