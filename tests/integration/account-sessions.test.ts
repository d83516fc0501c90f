import { afterAll, expect, test } from "vitest";
import { ACCOUNT, accountChangesIn, otherDevices, SAFARI } from "../support/account.ts";
import { type Browser, locationOf } from "../support/client.ts";
import { insertRows, statementsOn } from "../support/insert.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const SESSION_COOKIE = "gatehouse.session_token";
const LOGIN_AGAIN = "/login?redirect=%2Fapp%2Faccount";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const change = statementsOn(gatehouse);

const changesOf = accountChangesIn(gatehouse);

const anotherDevice = otherDevices(gatehouse);

async function sessionIdOf(browser: Browser): Promise<string> {
  const { session } = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
  return session.id;
}

test("the list shows the user's active sessions with device and location, the current one first and marked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const phone = await sessionIdOf(await anotherDevice(user.email, SAFARI));
  await change(
    "UPDATE session SET created_at = created_at - 3 * 86400000, last_seen_at = last_seen_at - 2 * 3600000 WHERE id = ?",
    phone,
  );
  const script = await sessionIdOf(await anotherDevice(user.email, "curl/8"));
  await change("UPDATE session SET created_at = created_at - 2 * 3600000 WHERE id = ?", script);
  const { browser: otherUser } = await aSignedInUser(gatehouse);
  const expired = await sessionIdOf(await anotherDevice(user.email));
  await change("UPDATE session SET expires_at = 1 WHERE id = ?", expired);

  const html = await (await browser.get(ACCOUNT)).text();

  const devices = readPage(html).findAll("listitem");
  const thisDevice = devices.find((device) => textOf(device).includes("This device"));
  const list = textOf(thisDevice?.parentElement);
  expect(list).toMatch(
    /^Firefox on Linux This device Signed in today, \d\d:\d\d UTC · Active in the last hour Unknown device/,
  );
  expect(list).toMatch(
    /Safari on iOS Nairobi, Kenya · Signed in 3 days ago, \d\d:\d\d UTC · Active (today|yesterday) Sign Out/,
  );
  expect(list).toMatch(
    /Unknown device Nairobi, Kenya · Signed in (today|yesterday), \d\d:\d\d UTC · Active in the last hour/,
  );
  expect(list.match(/Signed in/g)).toHaveLength(3);
  expect(readPage(html).text()).toContain("3 active sessions. Sign out any device");
  expect(html).not.toContain(expired);
  expect(html).not.toContain(await sessionIdOf(otherUser));
  expect(html).toContain(say("account:sessions.endOthersText", { count: 2 }));
});

test.each([
  ["fr", "Nairobi, Kenya"],
  ["ar", "Nairobi، كينيا"],
  ["sw", "Nairobi, Kenya"],
])("a session's location has its country in the reader's language %s", async (language, place) => {
  const { user, browser } = await aSignedInUser(gatehouse, { language });
  await anotherDevice(user.email, SAFARI);

  expect(readPage(await (await browser.get(ACCOUNT)).text()).text()).toContain(place);
});

test("all sessions count, also those beyond the end of the list", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const at = Date.now();
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `${user.id}-${index}`,
    token: `${user.id}-${index}`,
    user_id: user.id,
    expires_at: at + 60_000,
    created_at: at,
    updated_at: at,
  }));
  await insertRows(gatehouse.d1, "session", rows);

  const html = await (await browser.get(ACCOUNT)).text();

  expect(readPage(html).text()).toContain("61 active sessions.");
  expect(html).toContain(say("account:sessions.endOthersText", { count: 60 }));
});

test("a session that was ended is refused on its next request, document or data, with one audit record", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await anotherDevice(user.email);
  const third = await anotherDevice(user.email);

  const response = await browser.submit(ACCOUNT, {
    intent: "revoke",
    session: await sessionIdOf(other),
  });

  expect(locationOf(response)).toBe(ACCOUNT);
  expect(locationOf(await other.get(ACCOUNT))).toBe(LOGIN_AGAIN);
  const data = await other.get(`${ACCOUNT}.data`);
  expect([data.status, await data.text()]).toEqual([
    202,
    expect.stringContaining("/login?redirect"),
  ]);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect((await third.get(ACCOUNT)).status).toBe(200);
  expect(await changesOf(user.id)).toEqual([
    { action: "session.revoked", actorId: user.id, details: {} },
  ]);
});

test("ending another user's session, an ended one or none changes nothing", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: victim, browser: ofVictim } = await aSignedInUser(gatehouse);

  for (const session of [await sessionIdOf(ofVictim), crypto.randomUUID()]) {
    await browser.submit(ACCOUNT, { intent: "revoke", session });
  }
  expect(
    (await browser.submit(ACCOUNT, { intent: "revoke", session: "x".repeat(65) })).status,
  ).toBe(400);
  expect((await browser.submit(ACCOUNT, { intent: "revoke" })).status).toBe(400);

  expect((await ofVictim.get(ACCOUNT)).status).toBe(200);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect(await changesOf(victim.id)).toEqual([]);
  expect(await changesOf(user.id)).toEqual([]);
});

const INTERFACES = {
  "the account screen": {
    others: (browser: Browser) => browser.submit(ACCOUNT, { intent: "revoke-others" }),
    all: (browser: Browser) => browser.submit(ACCOUNT, { intent: "revoke-all" }),
  },
  "the API": {
    others: (browser: Browser) => browser.api("/api/auth/revoke-other-sessions"),
    all: (browser: Browser) => browser.api("/api/auth/revoke-sessions"),
  },
};

test.each(Object.keys(INTERFACES) as (keyof typeof INTERFACES)[])(
  "%s ends all other sessions, then all, each with one audit record",
  async (name) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const others = [await anotherDevice(user.email), await anotherDevice(user.email)];
    const { browser: otherUser } = await aSignedInUser(gatehouse);

    expect((await INTERFACES[name].others(browser)).status).toBeLessThan(400);
    for (const other of others) expect(locationOf(await other.get(ACCOUNT))).toBe(LOGIN_AGAIN);
    expect((await browser.get(ACCOUNT)).status).toBe(200);

    const cookie = browser.cookies.get(SESSION_COOKIE) ?? "";
    expect((await INTERFACES[name].all(browser)).status).toBeLessThan(400);
    expect(browser.cookies.get(SESSION_COOKIE) || undefined).toBeUndefined();
    browser.cookies.set(SESSION_COOKIE, cookie);
    expect(locationOf(await browser.get(ACCOUNT))).toBe(LOGIN_AGAIN);
    expect((await otherUser.get(ACCOUNT)).status).toBe(200);
    expect((await changesOf(user.id)).map(({ action, actorId }) => [action, actorId])).toEqual([
      ["session.revoked_others", user.id],
      ["session.revoked_all", user.id],
    ]);
  },
);
