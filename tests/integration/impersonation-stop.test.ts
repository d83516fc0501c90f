import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { FAULTS, impersonations, readNext } from "../support/impersonation.ts";
import { statementsOn } from "../support/insert.ts";
import { aUser, type Person, signIn } from "../support/people.ts";
import { userPath as pathOf } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const COOKIE = "gatehouse.session_token";
const RETURN_COOKIE = "gatehouse.admin_session";
const STOP = "/stop-impersonating";
const API_STOP = "/api/auth/admin/stop-impersonating";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { sessionsOf, recordsOf, anImpersonation } = impersonations(gatehouse);

const run = statementsOn(gatehouse);

test("stopping ends the session, restores the admin's own one, and is recorded once", async () => {
  const { admin, browser, own, person } = await anImpersonation();

  const response = await browser.submit(STOP, {});

  expect(locationOf(response)).toBe(pathOf(person.id));
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
  expect(await sessionsOf(person.id)).toEqual([]);
  const { path, text } = await readNext(browser, response);
  expect(path).toBe(pathOf(person.id));
  expect(text).toContain("The impersonation has ended.");
  expect(text).not.toContain("is impersonating");
  expect(await recordsOf(person)).toMatchObject([
    { action: "user.impersonated", actorId: admin.id },
    { action: "user.impersonation_stopped", actorId: admin.id },
  ]);

  expect(locationOf(await browser.submit(STOP, {}))).toBe("/");
  expect(await recordsOf(person)).toHaveLength(2);
});

test.each([
  ["ended", "DELETE FROM session WHERE user_id = ?"],
  ["run out", "UPDATE session SET expires_at = 1 WHERE user_id = ?"],
])("stopping leads to the login screen when the admin's own session has %s", async (_, end) => {
  for (const stop of [
    (browser: Browser) => browser.submit(STOP, {}),
    (browser: Browser) => browser.submit("/sign-out", {}),
  ]) {
    const { admin, browser, person } = await anImpersonation();
    await run(end, admin.id);

    const { path, text } = await readNext(browser, stop(browser));

    expect(path).toBe("/login");
    expect(text).toContain("The impersonation has ended.");
    expect(await sessionsOf(person.id)).toEqual([]);
  }
});

test("stopping leads to the login screen when the return cookie is missing, forged or another admin's", async () => {
  for (const replace of [
    async () => undefined,
    async () => "forged",
    async () => (await anImpersonation()).browser.cookies.get(RETURN_COOKIE),
  ]) {
    const { browser, person } = await anImpersonation();
    const value = await replace();
    if (value === undefined) browser.cookies.delete(RETURN_COOKIE);
    else browser.cookies.set(RETURN_COOKIE, value);

    expect(locationOf(await browser.submit(STOP, {}))).toBe("/login");

    expect([browser.cookies.has(COOKIE), browser.cookies.has(RETURN_COOKIE)]).toEqual([
      false,
      false,
    ]);
    expect(await sessionsOf(person.id)).toEqual([]);
  }
});

test.each([
  ["banned", "UPDATE user SET banned = 1 WHERE id = ?"],
  ["demoted", "UPDATE user SET role = 'user' WHERE id = ?"],
  ["deleted", "DELETE FROM user WHERE id = ?"],
  ["in the grace period", "UPDATE user SET deletion_due_at = 1 WHERE id = ?"],
])("an impersonation ends with the next request when the admin is %s", async (_, change) => {
  const { admin, browser, person } = await anImpersonation();

  await run(change, admin.id);

  expect(await sessionsOf(person.id)).toEqual([]);
  expect(locationOf(await browser.get("/app"))).toBe("/login?redirect=%2Fapp");
  const stopped = await browser.follow(browser.submit(STOP, {}));
  expect(stopped.status).toBeLessThan(500);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
});

test.each([
  ["the hour is up", "UPDATE session SET expires_at = 1 WHERE user_id = ?"],
  ["the session was ended", "DELETE FROM session WHERE user_id = ?"],
  ["the user was banned", "UPDATE user SET banned = 1 WHERE id = ?"],
])("when %s the next page leads back to the admin's own session", async (_, end) => {
  const { browser, own, person } = await anImpersonation();
  await run(end, person.id);

  expect(await (await browser.get("/api/auth/get-session")).json()).toBeNull();
  const { path, text } = await readNext(browser, browser.get("/app/organizations"));

  expect(path).toBe(pathOf(person.id));
  expect(text).toContain("The impersonation has ended.");
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
});

test("a form posted after the hour changes nothing", async () => {
  const { admin, browser, person } = await anImpersonation({ name: "", onboarded_at: null });
  await run("UPDATE session SET expires_at = 1 WHERE user_id = ?", person.id);

  const { path } = await readNext(browser, browser.submit("/onboarding", { name: "Wrong" }));

  expect(path).toBe(pathOf(person.id));
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM user WHERE id IN (?, ?)")
    .bind(admin.id, person.id)
    .all<Person>();
  expect(results.map(({ name }) => name).sort()).toEqual(["", "Mona Manager"]);
});

test("the login screen leads back to the admin's session too, but not after signing out", async () => {
  const { browser, person } = await anImpersonation();
  browser.cookies.delete(COOKIE);

  expect(locationOf(await browser.get("/login"))).toBe(pathOf(person.id));
  await browser.submit("/sign-out", {});

  expect((await browser.get("/login")).status).toBe(200);
});

test("a leftover return cookie is dropped after another sign-in", async () => {
  const { browser } = await anImpersonation();
  const leftOver = browser.cookies.get(RETURN_COOKIE) ?? "";
  const other = await aUser(gatehouse);
  browser.cookies.delete(COOKIE);
  browser.cookies.delete(RETURN_COOKIE);
  await signIn(gatehouse, browser, other.email);
  browser.cookies.set(RETURN_COOKIE, leftOver);

  expect((await browser.get("/app")).status).toBe(200);
  expect(browser.cookies.has(RETURN_COOKIE)).toBe(false);
  await browser.submit("/sign-out", {});
  expect((await browser.get("/login")).status).toBe(200);
});

test("stopping through the API answers the URL to go to, and refuses a session without impersonation", async () => {
  const { browser, own, person } = await anImpersonation();

  const stopped = await browser.api(API_STOP);
  const again = await browser.api(API_STOP);
  const anonymous = await newBrowser(gatehouse).api(API_STOP);

  expect([stopped.status, await stopped.json()]).toEqual([
    200,
    { url: pathOf(person.id), redirect: true },
  ]);
  expect(browser.cookies.get(COOKIE)).toBe(own);
  expect([again.status, await again.json()]).toMatchObject([400, { code: "NOT_IMPERSONATING" }]);
  expect([anonymous.status, await anonymous.json()]).toMatchObject([401, { code: "UNAUTHORIZED" }]);

  const ended = await anImpersonation();
  await run("DELETE FROM session WHERE user_id IN (?, ?)", ended.admin.id, ended.person.id);
  expect((await ended.browser.api(API_STOP)).status).toBe(200);
  expect(locationOf(await ended.browser.get("/manager"))).toBe("/login?redirect=%2Fmanager");
});

test.each(FAULTS)(
  "stopping through the API with a fault at call %s succeeds only when the session has ended",
  async (fault) => {
    gatehouse.tolerateErrors();
    const { browser, own, person } = await anImpersonation();

    const response = await browser.api(API_STOP, {}, { headers: { "x-d1-fault": fault } });

    if (response.status === 200) expect(await sessionsOf(person.id)).toEqual([]);
    else
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { code: "SESSIONS_NOT_ENDED" },
      ]);
    expect(browser.cookies.get(COOKIE)).toBe(own);
  },
);

test.each([STOP, "/sign-out"].flatMap((path) => FAULTS.map((fault) => [path, fault] as const)))(
  "%s with a fault at call %s restores the admin's session, and warns when the other may still exist",
  async (path, fault) => {
    gatehouse.tolerateErrors();
    const { browser, own, person } = await anImpersonation();

    const response = await browser.submit(path, {}, { headers: { "x-d1-fault": fault } });

    const isLeft = (await sessionsOf(person.id)).length > 0;
    const toast = decodeURIComponent(browser.cookies.get("gatehouse.toast") ?? "");
    expect(toast).toMatch(isLeft ? /impersonation\.notEnded/ : /impersonation\.(ended|notEnded)/);
    expect(locationOf(response)).toBe(pathOf(person.id));
    expect(browser.cookies.get(COOKIE)).toBe(own);
    expect((await browser.get(pathOf(person.id))).status).toBe(200);
    expect((await recordsOf(person)).length).toBe((await sessionsOf(person.id)).length ? 1 : 2);
  },
);
