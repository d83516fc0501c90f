import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { startApple, startMicrosoft } from "../support/named-providers.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser, aUser, enterCode, newEmail, signIn } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const microsoft = await startMicrosoft();
const apple = await startApple();
const gatehouse = await startGatehouse({
  vars: { ...microsoft.vars, ...apple.vars },
  standIns: { ...microsoft.standIns, ...apple.standIns },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await microsoft[Symbol.asyncDispose]();
  await apple[Symbol.asyncDispose]();
});

/** Headers that a browser adds to a form of Apple's page. */
const APPLE = { origin: "https://appleid.apple.com", "sec-fetch-site": "cross-site" };

async function press(browser: Browser, provider: "microsoft" | "apple"): Promise<string> {
  const pressed = await browser.submit("/login", { intent: "social", provider });
  return pressed.headers.get("location") ?? "";
}

/** Signs in at Microsoft and returns the response to the callback. */
async function throughMicrosoft(browser: Browser) {
  const { url } = microsoft.visit(await press(browser, "microsoft"));
  const { pathname, search } = new URL(url);
  return browser.get(pathname + search);
}

/** Signs in at Apple and returns the response to its form. The browser posts it without our cookies, which are Lax. */
async function postFromApple(browser: Browser) {
  const { url, form } = apple.visit(await press(browser, "apple"));
  return newBrowser(gatehouse).submit(new URL(url).pathname, form ?? {}, {
    headers: APPLE,
  });
}

async function throughApple(browser: Browser) {
  const posted = await postFromApple(browser);
  expect(posted.status).toBe(303);
  return browser.get(locationOf(posted) ?? "");
}

/** Enters the code that was mailed after the return from the provider. */
async function proveBy(browser: Browser, email: string) {
  return enterCode(browser, email, await gatehouse.mailbox.codeFor(email));
}

function accountsOf(email: string) {
  return gatehouse.d1
    .prepare(
      `SELECT account.provider_id AS provider, account.account_id AS id FROM account
       JOIN user ON user.id = account.user_id WHERE user.email = ?`,
    )
    .bind(email)
    .all<{ provider: string; id: string }>()
    .then(({ results }) => results);
}

/** Returns the name of the button that the login page marks as used last; undefined without one. */
async function markedButton(browser: Browser): Promise<string | undefined> {
  const page = readPage(await (await browser.get("/login")).text());
  const buttons = ["Continue with email", "Continue with Microsoft", "Continue with Apple"];
  return buttons.find((name) => {
    const mark = page.find("button", name)?.getAttribute("aria-describedby");
    return mark && textOf(page.document.getElementById(mark)) === "Used last";
  });
}

test.each([
  ["a plain account", {}],
  ["a tenant that says the e-mail is verified", { email_verified: true }],
  ["a tenant that owns some domain", { xms_edov: true, verified_primary_email: ["x"] }],
])("an e-mail from Microsoft proves nothing: %s needs a code", async (_name, claims) => {
  const { email } = await aUser(gatehouse);
  const oid = randomUUID();
  microsoft.setVisitor(oid, email, { ...claims, verified_secondary_email: [email] });
  const browser = newBrowser(gatehouse);

  const back = await throughMicrosoft(browser);

  expect(locationOf(back)).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  expect(await accountsOf(email)).toEqual([]);
  expect(locationOf(await browser.get("/app"))).toMatch(/^\/login/);

  // Once the code has proven the e-mail, Microsoft signs in without one.
  await proveBy(browser, email);
  expect(await accountsOf(email)).toEqual([{ provider: "microsoft", id: oid }]);
  expect(locationOf(await throughMicrosoft(newBrowser(gatehouse)))).toBe("/app");
});

test("a person without an account signs up with Microsoft and a code", async () => {
  const email = newEmail("microsoft");
  microsoft.setVisitor(randomUUID(), email);
  const browser = newBrowser(gatehouse);

  expect(locationOf(await throughMicrosoft(browser))).toMatch(/^\/login\/verify\?/);
  await proveBy(browser, email);

  expect(await accountsOf(email)).toMatchObject([{ provider: "microsoft" }]);
});

test("a new user signs up with Apple, whose form brings the name, and signs in again", async () => {
  const email = newEmail("apple");
  apple.setVisitor({ email, isFirst: true });
  const browser = newBrowser(gatehouse);

  const back = await throughApple(browser);

  expect(locationOf(back)).toBe("/onboarding");
  expect(await (await browser.follow(back)).text()).toContain('value="Ada Apple"');
  expect(await accountsOf(email)).toMatchObject([{ provider: "apple" }]);
  apple.setVisitor({ email, isFirst: false });
  const again = newBrowser(gatehouse);
  expect(locationOf(await throughApple(again))).toBe("/onboarding");
});

test("Apple's form changes nothing and sets no session by itself", async () => {
  const email = newEmail("apple");
  apple.setVisitor({ email, isFirst: true });

  const posted = await postFromApple(newBrowser(gatehouse));
  // Another browser has no cookie of this sign-in.
  const stolen = await newBrowser(gatehouse).get(locationOf(posted) ?? "");

  expect(posted.headers.getSetCookie().join()).not.toContain("session_token");
  expect(locationOf(stolen)).toMatch(/^\/login\/error\?error=/);
  expect(await accountsOf(email)).toEqual([]);
});

test("Cancel at Apple leads to the error screen", async () => {
  apple.setVisitor("refuses");

  expect(locationOf(await throughApple(newBrowser(gatehouse)))).toMatch(/^\/login\/error\?error=/);
});

test.each(["microsoft", "apple"] as const)("a user links an account at %s", async (provider) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  microsoft.setVisitor(randomUUID(), user.email);
  apple.setVisitor({ email: user.email, isFirst: true });

  const pressed = await browser.submit("/app/account", { intent: "link", provider });
  const location = pressed.headers.get("location") ?? "";
  const { url, form } = provider === "apple" ? apple.visit(location) : microsoft.visit(location);
  const { pathname, search } = new URL(url);
  const posted = form && (await newBrowser(gatehouse).submit(pathname, form, { headers: APPLE }));
  const back = await browser.get(posted ? (locationOf(posted) ?? "") : pathname + search);

  expect(locationOf(back)).toBe("/app/account#sign-in-methods");
  expect(await accountsOf(user.email)).toMatchObject([{ provider }]);
});

test("only Apple's callback takes a form of another site", async () => {
  const browser = newBrowser(gatehouse);
  const statusAt = async (path: string) =>
    (await browser.submit(path, { intent: "email" }, { headers: APPLE })).status;

  expect(await statusAt("/api/auth/callback/microsoft")).toBe(403);
  expect(await statusAt("/login")).toBe(403);
});

test("the login page marks the method used last in this browser", async () => {
  const { email } = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  expect(await markedButton(browser)).toBeUndefined();

  await signIn(gatehouse, browser, email);
  const method = [...browser.cookies].find(([name]) => name.endsWith("gatehouse.method"));
  expect(method?.[1]).toBe("email");
  await browser.submit("/sign-out", {});
  expect(await markedButton(browser)).toBe("Continue with email");

  apple.setVisitor({ email, isFirst: false });
  await throughApple(browser);
  await browser.submit("/sign-out", {});
  expect(await markedButton(browser)).toBe("Continue with Apple");
  // Another browser gets a page of its own.
  expect(await markedButton(newBrowser(gatehouse))).toBeUndefined();

  // The user began with Microsoft; the code was only its proof.
  const second = newBrowser(gatehouse);
  microsoft.setVisitor(randomUUID(), email);
  await throughMicrosoft(second);
  await proveBy(second, email);
  await second.submit("/sign-out", {});
  expect(await markedButton(second)).toBe("Continue with Microsoft");

  second.cookies.set("gatehouse.method", "ada@example.com");
  expect(await markedButton(second)).toBeUndefined();
});
