import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { insertPasskey } from "../../../../tests/support/passkeys.ts";
import { anAdmin, aSignedInUser, aUser, type Person } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { ASKING, courses, EXAMPLES, FRONT, SHOP } from "./beside.ts";

// Other Workers ask the built product by a service binding: one asks what a test wants, and the two
// examples.

const DAY_MS = 86_400_000;
const TERMS = { terms_version: "1" };

const gatehouse = await startGatehouse({ front: FRONT, beside: [ASKING, SHOP, await courses()] });
afterAll(() => gatehouse[Symbol.asyncDispose]());
await change(
  "UPDATE site_setting SET manager_passkeys_since = 1, terms_url = 'https://x.example', terms_version = '1'",
);

function change(statement: string, ...values: unknown[]) {
  return gatehouse.d1
    .prepare(statement)
    .bind(...values)
    .run();
}

function aPerson(overrides: Partial<Person> = {}) {
  return aSignedInUser(gatehouse, { ...TERMS, ...overrides });
}

/** Asks the product for a browser, and returns what it answers. */
async function call(
  name: "session" | "can" | "user",
  browser?: Browser,
  { args = [], url, headers }: { args?: unknown[]; url?: string; headers?: HeadersInit } = {},
) {
  const search = new URLSearchParams({ args: JSON.stringify(args), ...(url && { url }) });
  const asker = browser ?? newBrowser(gatehouse);
  const response = await asker.get(`/app/asking/${name}?${search}`, { headers });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

async function textOf(response: Response): Promise<string> {
  return readPage(await response.text()).text();
}

const SILENT = { "x-d1-fault": "1 silent" };

test("a session is told as clients are told it, without its token", async () => {
  const { user, browser } = await aPerson();

  const answer = await call("session", browser);

  expect(answer).toMatchObject({ ok: true, screen: null, setCookie: null });
  const asClient = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
  const { token: _token, ...session } = asClient.session;
  const { banned: _banned, banReason: _reason, banExpires: _expires, ...shown } = asClient.user;
  expect(answer.current).toEqual({ session, user: { ...shown, picture: null } });
  expect(answer.current.user.id).toBe(user.id);
  const [token = ""] = [...browser.cookies.values()][0]?.split(".") ?? [];
  expect(token).not.toBe("");
  expect(JSON.stringify(answer)).not.toContain(token);
});

test("a picture is told by its URL", async () => {
  const { user, browser } = await aPerson();
  await change("UPDATE user SET avatar = 'a-picture' WHERE id = ?", user.id);

  const picture = `${gatehouse.origin}/avatars/a-picture`;
  expect((await call("session", browser)).current.user.picture).toBe(picture);
  expect((await call("user", undefined, { args: [user.id] })).user.picture).toBe(picture);
});

/** People who must open another screen first. */
const NOT_LET_IN: [who: string, code: string, make: () => Promise<Browser>][] = [
  ["an anonymous visitor", "UNAUTHORIZED", async () => newBrowser(gatehouse)],
  [
    "somebody with a forged cookie",
    "UNAUTHORIZED",
    async () => {
      const { browser } = await aPerson();
      for (const [name, value] of browser.cookies) browser.cookies.set(name, value.slice(0, -9));
      return browser;
    },
  ],
  ["a newcomer", "NOT_ONBOARDED", async () => (await aPerson({ onboarded_at: null })).browser],
  [
    "somebody with terms to accept",
    "TERMS_NOT_ACCEPTED",
    async () => (await aPerson({ terms_version: null })).browser,
  ],
  [
    "somebody whose account is being deleted",
    "ACCOUNT_BEING_DELETED",
    async () => {
      const { user, browser } = await aPerson();
      const dueAt = Date.now() + DAY_MS;
      await change("UPDATE user SET deletion_due_at = ? WHERE id = ?", dueAt, user.id);
      return browser;
    },
  ],
];

test.each(NOT_LET_IN)("%s is led to the product's own screen first", async (_who, code, make) => {
  const browser = await make();
  const page = `${gatehouse.origin}/app/elsewhere?size=2`;

  const answer = await call("session", browser, { url: page });

  expect(answer).toMatchObject({ ok: false, code, current: null });
  const led = locationOf(await browser.get("/app/elsewhere?size=2"), gatehouse);
  expect(answer.screen).toBe(gatehouse.origin + led);
  expect(await call("can", browser, { args: [["account", "update"]] })).toBe(false);
});

test.each([
  ["/app/shop", "/login?redirect=%2Fapp%2Fshop"],
  // Where the product's own sign-in does not lead, its screens do not lead back.
  ["/shop", "/login"],
  ["/app/../shop", "/login"],
])("the sign-in from %s is %s", async (path, screen) => {
  const here = await call("session", undefined, { url: gatehouse.origin + path });
  const elsewhere = await call("session", undefined, { url: `https://elsewhere.example${path}` });

  expect(here.screen).toBe(gatehouse.origin + screen);
  expect(elsewhere.screen).toBe(`${gatehouse.origin}/login`);
});

test("who is banned, or signed out, is signed out here at once", async () => {
  const { user, browser } = await aPerson();
  const { browser: leaving } = await aPerson();
  const own = { args: [["account", "update"]] };
  expect((await call("session", browser)).ok).toBe(true);
  expect(await call("can", browser, own)).toBe(true);

  const { browser: admin } = await anAdmin(gatehouse, TERMS);
  await change("UPDATE site_setting SET manager_passkeys_since = NULL");
  const banned = await admin.submit(`/manager/users/${user.id}`, {
    intent: "ban",
    reason: "Spam",
    duration: "7",
  });
  await change("UPDATE site_setting SET manager_passkeys_since = 1");
  expect(banned.status).toBe(302);
  await leaving.submit("/sign-out", {});

  for (const one of [browser, leaving]) {
    expect(await call("session", one)).toMatchObject({ ok: false, code: "UNAUTHORIZED" });
    expect(await call("can", one, own)).toBe(false);
  }
});

test("a manager who acts as a user is that user, and is named", async () => {
  const { user: manager } = await anAdmin(gatehouse, TERMS);
  const { user, browser } = await aPerson({ role: "admin" });
  await change("UPDATE session SET impersonated_by = ? WHERE user_id = ?", manager.id, user.id);

  const { current } = await call("session", browser);

  expect(current.user).toMatchObject({ id: user.id, role: "user" });
  expect(current.session.impersonatedBy).toBe(manager.id);
  expect(current.session.impersonation.manager).toBe(manager.name);
  expect(await call("can", browser, { args: [["user", "list"]] })).toBe(false);
});

test("a manager who must first use a passkey has no right of a manager", async () => {
  const { browser } = await aPerson({ role: "admin" });

  const { current } = await call("session", browser);

  expect(current.session.passkeyDemand).toBe("add");
  expect(current.user.role).toBe("user");
  expect(await call("can", browser, { args: [["user", "list"]] })).toBe(false);
  expect(await call("can", browser, { args: [["account", "update"]] })).toBe(true);
});

test("a permission of the site is what the role has", async () => {
  const { user, browser } = await aPerson({ role: "support" });
  await insertPasskey(gatehouse, user.id);
  await change("UPDATE session SET passkey_proved_at = ? WHERE user_id = ?", Date.now(), user.id);
  const asked = (...permission: string[]) => call("can", browser, { args: [permission] });

  expect(await asked("user", "list")).toBe(true);
  expect(await asked("user", "ban")).toBe(false);
  // A permission within an organization does not count for the site.
  expect(await asked("member", "create")).toBe(false);
  expect(await asked("nothing", "at-all")).toBe(false);
  expect(await asked("constructor", "name")).toBe(false);
});

test("a permission within an organization is what the membership has", async () => {
  const owner = await aPerson();
  const member = await aPerson();
  const stranger = await aPerson();
  const { organization } = await anOrganization(gatehouse, {}, { owner: owner.user });
  await aMember(gatehouse, { organization_id: organization.id, user_id: member.user.id });
  const invite = ["invitation", "create"];
  const asked = ({ browser }: { browser: Browser }, within: unknown) =>
    call("can", browser, { args: [invite, within] });

  for (const within of [{ id: organization.id }, { slug: organization.slug }]) {
    expect(await asked(owner, within)).toBe(true);
    expect(await asked(member, within)).toBe(false);
    expect(await asked(stranger, within)).toBe(false);
  }
  const reading = { args: [["ac", "read"], { id: organization.id }] };
  expect(await call("can", member.browser, reading)).toBe(true);
  expect(await call("can", stranger.browser, reading)).toBe(false);
  expect(await asked(owner, { slug: "nothing-has-this" })).toBe(false);
  // A permission of the site does not count within an organization.
  const list = { args: [["user", "list"], { id: organization.id }] };
  expect(await call("can", owner.browser, list)).toBe(false);

  expect(await asked(owner, "active")).toBe(false);
  await change(
    "UPDATE session SET active_organization_id = ? WHERE user_id IN (?, ?)",
    ...[organization.id, owner.user.id, stranger.user.id],
  );
  expect(await asked(owner, "active")).toBe(true);
  expect(await asked(stranger, "active")).toBe(false);

  await change("UPDATE organization SET disabled_at = 1 WHERE id = ?", organization.id);
  expect(await asked(owner, { id: organization.id })).toBe(false);
});

test("a user is told by the id, without what is theirs alone", async () => {
  const user = await aUser(gatehouse, { name: "Zawadi", role: "support" });

  expect(await call("user", undefined, { args: [user.id] })).toEqual({
    ok: true,
    user: {
      id: user.id,
      name: "Zawadi",
      email: user.email,
      emailVerified: true,
      picture: null,
      role: "support",
    },
  });
  expect(await call("user", undefined, { args: ["nobody"] })).toEqual({ ok: true, user: null });
});

test("a session that is in use is extended, and its cookie is passed on", async () => {
  const { user, browser } = await aPerson();
  const sessionOf = () =>
    gatehouse.d1
      .prepare("SELECT expires_at, last_seen_at FROM session WHERE user_id = ?")
      .bind(user.id)
      .first<{ expires_at: number; last_seen_at: number | null }>();
  const before = await sessionOf();
  const later = Date.now() + 2 * DAY_MS;
  const headers = { "x-clock": String(later) };

  // A question about a permission neither extends a session nor counts as a visit: it could not pass the cookie on.
  await call("can", browser, { args: [["account", "update"]], headers });
  expect(await sessionOf()).toEqual(before);
  const response = await browser.get("/app/shop", { headers });

  const [line] = response.headers.getSetCookie();
  expect(line).toMatch(/^gatehouse\.session_token=.+; Max-Age=2592000; .*HttpOnly/);
  await expect.poll(sessionOf).toEqual({ expires_at: later + 30 * DAY_MS, last_seen_at: later });
  expect((await browser.get("/app")).status).toBe(200);
});

test("while the database is silent each call says so, and nobody is let in", async () => {
  const { user, browser } = await aPerson();
  // React Router logs the answer 503 of the example.
  gatehouse.expectErrors("database.unavailable", "console");
  const unavailable = { ok: false, code: "UNAVAILABLE" };

  expect(await call("session", browser, { headers: SILENT })).toMatchObject(unavailable);
  expect(await call("can", browser, { args: [["account", "update"]], headers: SILENT })).toBe(null);
  const shop = await browser.get("/app/shop/orders", { headers: SILENT });
  expect(shop.status).toBe(503);
  const courses = await browser.get("/app/courses/lessons", { headers: SILENT });
  expect(courses.status).toBe(503);

  await gatehouse.setWeather("down");
  expect(await call("user", undefined, { args: [user.id] })).toEqual(unavailable);
  await gatehouse.setWeather(undefined);
  expect((await call("session", browser)).ok).toBe(true);
});

test("what a body has stays with the Worker that was asked", async () => {
  const { browser } = await aPerson();

  const response = await browser.submit("/app/asking/session?body", { a: "1" });

  expect(await response.json()).toMatchObject({ ok: true, body: "a=1" });
});

test("the example in TypeScript greets, asks and refuses", async () => {
  const { user, browser } = await aPerson({ name: "Amina Yusuf" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });

  const welcome = readPage(await (await newBrowser(gatehouse).get("/app/shop")).text());
  expect(welcome.linkTo("Sign in")).toBe(`${gatehouse.origin}/login?redirect=%2Fapp%2Fshop`);
  const refused = await newBrowser(gatehouse).get("/app/shop/orders");
  expect([refused.status, refused.headers.get("location")]).toEqual([
    302,
    `${gatehouse.origin}/login?redirect=%2Fapp%2Fshop%2Forders`,
  ]);

  expect(await textOf(await browser.get("/app/shop"))).toContain("Amina Yusuf");
  const orders = async () => textOf(await browser.get("/app/shop/orders"));
  expect(await orders()).not.toContain("refund");
  await change(
    "UPDATE session SET active_organization_id = ? WHERE user_id = ?",
    organization.id,
    user.id,
  );
  expect(await orders()).toContain("You may refund them");
  expect((await browser.get("/app/shop/report")).status).toBe(403);
  const seller = await browser.get(`/app/shop/sellers/${user.id}`);
  expect(await textOf(seller)).toContain("Sold by Amina Yusuf.");
  expect((await browser.get("/app/shop/sellers/nobody")).status).toBe(404);
});

test("the example in React Router protects its page, for a document and for its data", async () => {
  const { user, browser } = await aPerson({ name: "Amina Yusuf" });

  const welcome = readPage(await (await newBrowser(gatehouse).get("/app/courses")).text());
  expect(welcome.linkTo("Sign in")).toBe(`${gatehouse.origin}/login?redirect=%2Fapp%2Fcourses`);
  const login = `${gatehouse.origin}/login?redirect=%2Fapp%2Fcourses%2Flessons`;
  const refused = await newBrowser(gatehouse).get("/app/courses/lessons");
  expect([refused.status, refused.headers.get("location")]).toEqual([302, login]);
  const data = await newBrowser(gatehouse).get("/app/courses/lessons.data");
  expect(await data.text()).toContain(`"${login}"`);

  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  await change(
    "UPDATE session SET active_organization_id = ? WHERE user_id = ?",
    organization.id,
    user.id,
  );
  const lessons = await browser.get("/app/courses/lessons");
  const html = await lessons.text();
  expect(readPage(html).text()).toContain("Lessons of Amina Yusuf. You may invite others.");
  const script = /\/app\/courses\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
  // By its own URL, because miniflare has no files at the path of a route.
  const file = await fetch(new URL(script, await gatehouse.getBesideUrl("courses")));
  expect(file.headers.get("content-type")).toContain("javascript");
});

test("on an https origin the cookie is bound to the host, for the browser and for its extension", async () => {
  await using secure = await startGatehouse({
    front: FRONT,
    beside: [ASKING],
    vars: { BASE_URL: "https://app.gatehouse.example" },
  });
  const { user, browser } = await aSignedInUser(secure);
  const search = new URLSearchParams({ url: `${secure.origin}/app/shop` });
  const path = `/app/asking/session?${search}`;
  const later = { "x-clock": String(Date.now() + 2 * DAY_MS) };

  const answer = JSON.parse(await (await browser.get(path, { headers: later })).text());
  expect(answer.current.user.id).toBe(user.id);
  expect(answer.setCookie).toMatch(/^__Host-gatehouse\.session_token=.+; Path=\/; .*Secure/);
  // Another host of the domain could set a cookie without the prefix.
  const [[name, value] = ["", ""]] = browser.cookies;
  browser.cookies.clear();
  browser.cookies.set(name.replace("__Host-", ""), value);
  const refused = JSON.parse(await (await browser.get(path)).text());
  expect(refused.screen).toBe("https://app.gatehouse.example/login?redirect=%2Fapp%2Fshop");
});

test("a site that is not set up lets nobody in, and its log says why", async () => {
  await using bare = await startGatehouse({
    front: FRONT,
    beside: [ASKING],
    vars: { BETTER_AUTH_SECRET: undefined },
  });
  bare.expectErrors("configuration.incomplete");

  const answer = await newBrowser(bare).get("/app/asking/session");

  expect(await answer.json()).toMatchObject({ ok: false, code: "UNAVAILABLE", current: null });
});

test("the examples pass their own type check", async () => {
  const run = promisify(execFile);
  await run("tsc", ["--noEmit"], { cwd: join(EXAMPLES, "worker") });
  await run("react-router", ["typegen"], { cwd: join(EXAMPLES, "react-router") });
  await run("tsc", ["--noEmit"], { cwd: join(EXAMPLES, "react-router") });
});
