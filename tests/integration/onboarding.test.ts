import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  locationOf,
  newBrowser,
  readText,
  setCookieOf,
} from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, newEmail, signIn } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const NEWCOMER = { name: "", onboarded_at: null };

function findUser(id: string) {
  return gatehouse.d1
    .prepare("SELECT name, language, onboarded_at, version FROM user WHERE id = ?")
    .bind(id)
    .first<{ name: string; language: string; onboarded_at: number | null; version: number }>();
}

/** Returns the body of a redirected data request: single fetch answers 202 with the redirect's URL inside. */
async function dataLocation(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  return await response.text();
}

test("the onboarding screen has the specification's texts", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const response = await browser.get("/onboarding");

  expect(response.status).toBe(200);
  const text = readText(await response.text());
  expect(text).toContain("Welcome Let's personalize your experience What is your name?");
  expect(text).toContain(`Logged with ${user.email} Sign Out`);
});

test("the name is prefilled with the provider's", async () => {
  const { browser } = await aSignedInUser(gatehouse, { name: 'Zoë "Z"', onboarded_at: null });

  const page = await (await browser.get("/onboarding")).text();

  expect(readPage(page).field("name")?.value).toBe('Zoë "Z"');
});

test.each(["/app", "/app?x=1", "/manager", "/manager/dashboard?x=1"])(
  "a user without a name is redirected from %s to onboarding, with the page as return URL",
  async (path) => {
    const { browser } = await anAdmin(gatehouse, NEWCOMER);

    expect(locationOf(await browser.get(path))).toBe(
      `/onboarding?redirect=${encodeURIComponent(path)}`,
    );
  },
);

test.each([
  "/app.data",
  "/manager/dashboard.data",
  "/manager/dashboard.data?_routes=routes%2Fmanager%2Fdashboard",
])("a user without a name gets no data from %s", async (path) => {
  const { browser } = await anAdmin(gatehouse, NEWCOMER);

  const answer = await dataLocation(await browser.get(path));

  expect(answer).toContain("/onboarding?redirect=");
  expect(answer).not.toContain("repositories");
});

test("an action of a user without a name is redirected to onboarding, without its search", async () => {
  const { browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const response = await browser.submit("/app?delete=everything", { intent: "rename" });

  expect(locationOf(response)).toBe("/onboarding?redirect=%2Fapp");
});

test.each(["ز", "門", "𠮷"])("the home greets a name of 100 characters of %s", async (letter) => {
  const name = letter.repeat(100 / letter.length);
  const { browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const response = await browser.submit("/onboarding", { name });

  expect(locationOf(response)).toBe("/app");
  const home = readPage(await (await browser.get("/app")).text());
  expect(home.text()).toContain(name);
});

test("giving a name saves it, and leads to the requested page, which greets without a toast", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const response = await browser.submit("/onboarding?redirect=%2Fapp%3Fa%3D1", {
    name: "  Léa   Ñandú ",
  });
  expect(locationOf(response)).toBe("/app?a=1");
  expect(setCookieOf(response, "gatehouse.toast")).toBeUndefined();
  const page = await (await browser.get("/app?a=1")).text();

  expect(readText(page)).toContain("Léa Ñandú");
  expect(await findUser(user.id)).toMatchObject({ name: "Léa Ñandú", language: "en", version: 2 });
});

test("without a requested page an admin goes to the manager area and a user to the app", async () => {
  const { browser: ofUser } = await aSignedInUser(gatehouse, NEWCOMER);
  const { browser: ofAdmin } = await anAdmin(gatehouse, NEWCOMER);

  expect(locationOf(await ofUser.submit("/onboarding", { name: "Zuri" }))).toBe("/app");
  expect(locationOf(await ofAdmin.submit("/onboarding", { name: "Zuri" }))).toBe(
    "/manager/dashboard",
  );
});

test.each([
  ["", "Name is required"],
  ["   ", "Name is required"],
  ["\u00a0\u2003", "Name is required"],
  ["12 34", "Name is invalid"],
  ["Zuri\u202egnp.exe", "Name is invalid"],
  ["Zu\u0000ri", "Name is invalid"],
  ["x".repeat(101), "Must be at most 100 characters"],
])("the name %j is answered with: %s", async (name, message) => {
  const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const response = await browser.submit("/onboarding", { name });

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "name")).toBe(message);
  expect((await findUser(user.id))?.onboarded_at).toBeNull();
});

test.each(["李小龍", "محمد", "Ōtomo-no-Yakamochi", "O'Brien", "x".repeat(100)])(
  "%s is a name",
  async (name) => {
    const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

    await browser.submit("/onboarding", { name });

    expect((await findUser(user.id))?.name).toBe(name);
  },
);

test("a name is shown as text, not markup", async () => {
  const { browser } = await aSignedInUser(gatehouse, NEWCOMER);
  const name = `<img src=x onerror="alert(1)">`;

  await browser.submit("/onboarding", { name });
  const page = await (await browser.get("/app")).text();

  expect(page).not.toContain("<img src=x");
  expect(readText(page)).toContain(name);
});

test("the form changes the name only", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

  await browser.submit("/onboarding", {
    name: "Zuri",
    role: "admin",
    email: "other@example.com",
    id: "1",
    onboardedAt: "0",
    version: "9",
  });

  const row = await gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(user.id).first();
  expect(row).toMatchObject({ name: "Zuri", role: "user", email: user.email, version: 2 });
});

test("a user with a name cannot give another one here", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  expect(locationOf(await browser.get("/onboarding"))).toBe("/app");
  expect(locationOf(await browser.submit("/onboarding", { name: "Other" }))).toBe("/app");
  expect((await findUser(user.id))?.name).toBe(user.name);
});

test("an anonymous visitor is redirected to the login screen", async () => {
  const browser = newBrowser(gatehouse);

  expect(locationOf(await browser.get("/onboarding?redirect=%2Fapp"))).toBe(
    "/login?redirect=%2Fapp",
  );
  expect(locationOf(await browser.submit("/onboarding", { name: "Zuri" }))).toBe("/login");
});

test("20 names given at once save and record one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, NEWCOMER);

  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      browser.submit("/onboarding", { name: `Zuri ${index}` }),
    ),
  );

  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(302));
  const row = await findUser(user.id);
  expect(row?.version).toBe(2);
  const { results } = await gatehouse.d1
    .prepare("SELECT details FROM audit_event WHERE action = 'user.onboarded' AND target_id = ?")
    .bind(user.id)
    .all();
  expect(results).toEqual([{ details: JSON.stringify({ name: row?.name }) }]);
});

test("after signing out, onboarding leads to the login screen", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await signIn(gatehouse, browser, email);

  const page = await browser.follow(browser.submit("/sign-out", {}));

  expect(readText(await page.text())).toContain("You have been signed out.");
  expect(locationOf(await browser.get("/onboarding"))).toBe("/login");
});
