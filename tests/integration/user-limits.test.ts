import { afterAll, expect, test } from "vitest";
import { USER_LIMITS } from "../../app/values/rate-limits.ts";
import { ACCOUNT } from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import { alertsOf, type Browser, locationOf, newBrowser, typedIn } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { aSignedInUser, openSession } from "../support/people.ts";
import { aPicture, uploadPicture } from "../support/pictures.ts";
import { startGatehouse } from "../support/worker.ts";

// What an account may write in a minute. Each write is rows of the operator's database, and of the
// audit log for a year.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

/** Signs in a user who has done everything that a limit allows. */
async function aBusyUser(kind: keyof typeof USER_LIMITS) {
  const signedIn = await aSignedInUser(gatehouse);
  await exhaust(kind, signedIn.user.id);
  return signedIn;
}

async function exhaust(kind: keyof typeof USER_LIMITS, userId: string) {
  const key = `${kind}|${userId}`;
  const used = { count: USER_LIMITS[kind].max, window_start: Date.now() };
  await insertRows(d1, "rate_limit", [{ ...used, key }]);
}

const rowOf = (id: string) =>
  d1.prepare("SELECT name, language, theme, avatar FROM user WHERE id = ?").bind(id).first();

/** Returns the words of the toast on the page to which an answer leads. */
async function wordsAfter(browser: Browser, answer: Response): Promise<string> {
  return (await browser.follow(answer)).text();
}

test("one user's changes leave the others theirs, and reading goes on", async () => {
  const { browser } = await aBusyUser("changes");
  const other = await aSignedInUser(gatehouse);

  expect((await browser.get("/api/auth/get-session")).status).toBe(200);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  const made = { name: "Of another", slug: `of-another-${process.pid}` };
  const answer = await other.browser.submit("/app/organizations/new", made);
  expect(locationOf(answer)).toBe(`/app/organizations/${made.slug}`);
});

test("the account screen refuses a change beyond the limit in words, and keeps what was typed", async () => {
  const { user, browser } = await aBusyUser("ownChanges");

  const refused = await browser.submit(`${ACCOUNT}?state=change-name`, {
    intent: "change-name",
    name: "Typed Name",
  });

  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const page = await refused.text();
  expect(alertsOf(page)).toEqual(["Too many attempts. Please try again later."]);
  expect(typedIn(page, "name")).toBe("Typed Name");
  expect(await rowOf(user.id)).toMatchObject({ name: user.name });
});

test("a thief who uses up the limits cannot keep the owner from ending the thief's session", async () => {
  const { user, browser } = await aBusyUser("changes");
  await exhaust("ownChanges", user.id);
  const ended = async (end: (browser: Browser) => Promise<Response>) => {
    const thief = newBrowser(gatehouse);
    await openSession(gatehouse, thief, user.id);
    expect((await thief.get("/app")).status).toBe(200);
    await end(browser);
    expect((await thief.get("/app")).status).not.toBe(200);
  };

  await ended((one) => one.submit(ACCOUNT, { intent: "revoke-others" }));
  await ended((one) => one.api("/api/auth/revoke-other-sessions"));
});

test.each([
  ["language", "fr"],
  ["theme", "dark"],
])("a choice of %s beyond the limit is refused in words", async (intent, value) => {
  const { user, browser } = await aBusyUser("ownChanges");

  const refused = await browser.submit("/preferences", { intent, value, back: "/app" });

  expect(locationOf(refused)).toBe("/app");
  expect(await wordsAfter(browser, refused)).toContain("Too many attempts");
  expect(await rowOf(user.id)).toMatchObject({ language: null, theme: null });
});

test("an equal choice is no change", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { theme: "dark" });
  await exhaust("ownChanges", user.id);

  const answer = await browser.submit("/preferences", { intent: "theme", value: "dark" });

  expect(await wordsAfter(browser, answer)).not.toContain("Too many attempts");
});

test("the choice of an anonymous visitor asks the database nothing", async () => {
  const visitor = newBrowser(gatehouse);

  const answer = await visitor.submit("/preferences", { intent: "theme", value: "dark" });

  expect(visitor.cookies.get("gatehouse.theme")).toBeDefined();
  expect(answer.headers.get("x-d1-calls")).toBe("0");
});

test("pictures and the active organization have the limit of the account screen", async () => {
  const { user, browser } = await aBusyUser("ownChanges");

  const uploaded = await uploadPicture(browser, `${ACCOUNT}/picture`, aPicture());
  expect(await wordsAfter(browser, uploaded)).toContain("Too many attempts");
  const chosen = await browser.submit("/app/active-organization", { intent: "organization" });
  expect(await wordsAfter(browser, chosen)).toContain("Too many attempts");
  expect(await rowOf(user.id)).toMatchObject({ avatar: null });
});

test("a file with the own data beyond the limit is refused in words, and is no event", async () => {
  const { user, browser } = await aBusyUser("downloads");

  const refused = await browser.get(`${ACCOUNT}/data`);

  expect(locationOf(refused)).toBe(ACCOUNT);
  expect(await wordsAfter(browser, refused)).toContain("Too many attempts");
  const events = await auditOf(gatehouse, user.id);
  expect(events.map(({ action }) => action)).not.toContain("user.data_downloaded");
});
