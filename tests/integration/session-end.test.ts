import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser, setCookieOf } from "../support/client.ts";
import { aSignedInUser, aUser, signIn } from "../support/people.ts";
import { sessionRows } from "../support/sessions.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const sessionsOf = sessionRows(gatehouse);

/** Moves the sign-in and the last use of a user's sessions so many days into the past. */
async function age(userId: string, { signedIn, used }: { signedIn: number; used: number }) {
  const now = Date.now();
  const usedAt = now - used * DAY_MS;
  await gatehouse.d1
    .prepare(
      "UPDATE session SET created_at = ?, updated_at = ?, last_seen_at = ?, expires_at = ? WHERE user_id = ?",
    )
    .bind(now - signedIn * DAY_MS, usedAt, usedAt, usedAt + 30 * DAY_MS, userId)
    .run();
}

test("a session expires after 30 days without use", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await age(user.id, { signedIn: 40, used: 30 });

  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test("a session expires after 90 days even when it is used", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await age(user.id, { signedIn: 90, used: 0 });

  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test("a used session is prolonged once a day, in the browser and in the database", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await age(user.id, { signedIn: 2, used: 1.1 });
  const before = Date.now();

  const first = await browser.get("/app");
  expect(setCookieOf(first, COOKIE)).toMatch(/; Max-Age=2592000; /);
  await expect
    .poll(async () => (await sessionsOf(user.id))[0]?.expires_at)
    .toBeGreaterThanOrEqual(before + 30 * DAY_MS);

  const second = await browser.get("/app");
  expect(second.status).toBe(200);
  expect(setCookieOf(second, COOKIE)).toBeUndefined();
});

test("a session is prolonged in the browser even when the response sets another cookie", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await age(user.id, { signedIn: 2, used: 1.1 });
  browser.cookies.set("gatehouse.toast", "%7B%7D");

  const response = await browser.get("/app");

  expect(setCookieOf(response, "gatehouse.toast")).toMatch(/; Max-Age=0/);
  expect(setCookieOf(response, COOKIE)).toMatch(/; Max-Age=2592000; /);
});

test("a session is prolonged at most to its 90th day", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await age(user.id, { signedIn: 80, used: 2 });

  const response = await browser.get("/app");

  const seconds = Number(/Max-Age=(\d+)/.exec(setCookieOf(response, COOKIE) ?? "")?.[1]);
  expect(seconds).toBeGreaterThan(9.9 * 86_400);
  expect(seconds).toBeLessThanOrEqual(10 * 86_400);
  await expect
    .poll(async () => {
      const [session] = await sessionsOf(user.id);
      return session && session.expires_at - session.created_at;
    })
    .toBe(90 * DAY_MS);
});

test.each(["/app", "/app.data", "/api/auth/get-session"])(
  "after signing out the old cookie does not open %s",
  async (path) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    const cookie = browser.cookies.get(COOKIE) ?? "";

    const response = await browser.submit("/sign-out", {});
    expect(locationOf(response)).toBe("/login");
    expect(browser.cookies.has(COOKIE)).toBe(false);
    expect(await sessionsOf(user.id)).toEqual([]);

    browser.cookies.set(COOKIE, cookie);
    const answer = await browser.get(path);
    const text = await answer.text();
    expect(locationOf(answer) ?? text).toMatch(/\/login\?redirect=|^null$/);
    expect(text).not.toContain(user.email);
  },
);

function change(target: Pick<Gatehouse, "d1">, userId: string, what: string) {
  return target.d1.prepare(`UPDATE user SET ${what} WHERE id = ?`).bind(userId).run();
}

test("a new role, a ban and a deletion apply from the next request", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: other, browser: ofOther } = await aSignedInUser(gatehouse);
  // The product always keeps one admin.
  await aUser(gatehouse, { role: "admin" });
  expect((await browser.get("/manager/dashboard")).status).toBe(403);

  await change(gatehouse, user.id, "role = 'admin'");
  expect((await browser.get("/manager/dashboard")).status).toBe(200);
  await change(gatehouse, user.id, "role = 'user'");
  expect((await browser.get("/manager/dashboard")).status).toBe(403);
  await change(gatehouse, user.id, "banned = 1");
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  expect(await (await browser.get("/api/auth/get-session")).json()).toBeNull();
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(other.id).run();
  expect(locationOf(await ofOther.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test("a ban disables a session that was not deleted, until the ban ends", async () => {
  await using forgetful = await startGatehouse();
  await forgetful.d1.exec("DROP TRIGGER user_change_ends_sessions");
  const { user, browser } = await aSignedInUser(forgetful);

  await change(forgetful, user.id, "banned = 1");
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  await change(forgetful, user.id, `ban_expires = ${Date.now() + DAY_MS}`);
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  await change(forgetful, user.id, `ban_expires = ${Date.now() - 1}`);
  expect((await browser.get("/app")).status).toBe(200);
});

test("revoking all sessions ends each on its next request", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);

  const response = await browser.api("/api/auth/revoke-sessions");

  expect(response.status).toBe(200);
  expect(await sessionsOf(user.id)).toEqual([]);
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  expect(locationOf(await other.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test("revoking the other sessions keeps the current one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);

  const response = await browser.api("/api/auth/revoke-other-sessions");

  expect(response.status).toBe(200);
  expect((await browser.get("/app")).status).toBe(200);
  expect(locationOf(await other.get("/app"))).toBe("/login?redirect=%2Fapp");
});

test.each(["revoke-sessions", "revoke-other-sessions"])("%s needs a session", async (endpoint) => {
  const response = await newBrowser(gatehouse).api(`/api/auth/${endpoint}`);

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "UNAUTHORIZED" });
});

test("expired sessions are deleted every hour, and no others", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { user: idle } = await aSignedInUser(gatehouse);
  await age(idle.id, { signedIn: 40, used: 31 });
  const hour = new Date();
  hour.setUTCMinutes(0, 0, 0);

  await gatehouse.runHourly(new Date(hour.getTime() + 3_600_000));

  await expect.poll(async () => (await sessionsOf(idle.id)).length).toBe(0);
  expect(await sessionsOf(user.id)).toHaveLength(1);
  expect((await browser.get("/app")).status).toBe(200);
});

test("a browser whose session was ended elsewhere is told so; one that had none is not", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();

  const answer = await browser.get("/app");
  expect(locationOf(answer)).toBe("/login?redirect=%2Fapp");
  const told = "You were signed out from another device, or your session has ended.";
  expect(await (await browser.get("/login?redirect=%2Fapp")).text()).toContain(told);

  const stranger = await newBrowser(gatehouse).get("/app");
  expect(setCookieOf(stranger, "gatehouse.toast")).toBeUndefined();
});
