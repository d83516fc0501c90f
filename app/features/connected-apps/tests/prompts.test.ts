import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { type Browser, isSignedIn, newBrowser, typedIn } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, impersonate } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import {
  AFTER_SIGN_OUT,
  type App,
  allow,
  aParty,
  ask,
  discover,
  exchange,
  open,
  walk,
} from "./relying-party.ts";

// What an app may wish of the sign-in, and what people in each state of the account get.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;

/** What the app is told when the product asks nothing of the person. */
async function answerTo(browser: Browser, app: App, parameters: Record<string, string>) {
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, parameters);
  const { away, path } = await open(gatehouse, browser, asking);
  return { error: away?.searchParams.get("error"), path, away, asking, config };
}

async function openAs(browser: Browser, app: App, parameters: Record<string, string>) {
  return open(gatehouse, browser, await ask(await discover(gatehouse, app), app, parameters));
}

/** Lets a session have begun some hours ago. */
function ageSession(userId: string, hours: number) {
  return gatehouse.d1
    .prepare("UPDATE session SET created_at = ? WHERE user_id = ?")
    .bind(Date.now() - hours * HOUR_MS, userId)
    .run();
}

test("an app that wants no question is told which one there is", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const silent = { prompt: "none" };

  expect((await answerTo(newBrowser(gatehouse), app, silent)).error).toBe("login_required");
  expect((await answerTo(browser, app, silent)).error).toBe("consent_required");
  const config = await discover(gatehouse, app);
  await allow(gatehouse, browser, await ask(config, app));
  const answer = await answerTo(browser, app, silent);
  expect(answer.error).toBeNull();
  await exchange(answer.config, answer.away ?? answer.asking.url, answer.asking);
});

test.each([
  ["is not onboarded", { onboarded_at: null }, "/onboarding"],
  ["will be deleted", { deletion_due_at: Date.now() + HOUR_MS }, "/restore"],
])("a person who %s must do that first", async (_state, columns, screen) => {
  const { browser } = await aSignedInUser(gatehouse, columns);
  const app = await aParty(gatehouse, { isFirstParty: true });

  expect((await answerTo(browser, app, {})).path).toContain(`${screen}?redirect=`);
  expect((await answerTo(browser, app, { prompt: "none" })).error).toBe("login_required");
});

test.each([
  ["a new sign-in", { prompt: "login" }, 0],
  ["a sign-in of the last minute", { max_age: "60" }, 1],
])("an app that wants %s gets a proof of the person", async (_wish, parameters, hours) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await ageSession(user.id, hours);
  const app = await aParty(gatehouse, { isFirstParty: true });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, parameters);

  const { path, away } = await open(gatehouse, browser, asking);

  expect(away).toBeUndefined();
  expect(path).toMatch(/^\/app\/account\/confirm\?next=%2Fapp%2Fconnect%3F/);
  const next = new URL(path, gatehouse.origin).searchParams.get("next") ?? "";
  // Going on without a proof leads back to it.
  expect((await walk(gatehouse, browser, browser.get(next))).path).toContain("/account/confirm");
  const provedAt = Date.now() + 1;
  await gatehouse.d1
    .prepare("UPDATE session SET authenticated_at = ? WHERE user_id = ?")
    .bind(provedAt, user.id)
    .run();
  const after = await walk(gatehouse, browser, browser.get(next));
  const tokens = await exchange(config, after.away ?? asking.url, asking);
  expect(tokens.claims()?.auth_time).toBe(Math.floor(provedAt / 1_000));
});

test("an answer that comes after the sign-in has become too old asks for a proof first", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const asked = await openAs(browser, app, { max_age: "600" });
  expect(asked.path).toContain("/app/connect?");
  await ageSession(user.id, 1);

  const { path } = await walk(gatehouse, browser, browser.submit(asked.path, { intent: "allow" }));

  expect(path).toContain("/app/account/confirm?next=");
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM oauth_consent WHERE user_id = ?")
    .bind(user.id)
    .all();
  expect(results).toEqual([]);
});

test("an app may say who is to sign in, and nothing is sent for that", async () => {
  const app = await aParty(gatehouse);
  const { page } = await openAs(newBrowser(gatehouse), app, { login_hint: "zuri@example.com" });
  const text = (await page?.text()) ?? "";

  expect(typedIn(text, "email")).toBe("zuri@example.com");
  expect(gatehouse.mailbox.mails).toEqual([]);
  const strange = await openAs(newBrowser(gatehouse), app, { login_hint: '"><script>' });
  expect(typedIn((await strange.page?.text()) ?? "", "email")).toBeFalsy();
});

test("an app that wants a consent asks for one again", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  await allow(gatehouse, browser, await ask(config, app));

  for (const prompt of ["consent", "select_account"]) {
    const asking = await ask(config, app, { prompt });
    const { path } = await open(gatehouse, browser, asking);
    expect(path).toContain("/app/connect?");
    await exchange(config, await allow(gatehouse, browser, asking), asking);
  }
});

test("a manager cannot allow an app in a user's name", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const { browser } = await anAdmin(gatehouse);
  await impersonate(browser, user.id);
  const app = await aParty(gatehouse, { isFirstParty: true });

  const { away, path } = await answerTo(browser, app, {});

  expect(away).toBeUndefined();
  expect(path).toBe("/app");
});

test("a person who does not want to sign in is led back to the app", async () => {
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const { url, state } = await ask(config, app);
  const browser = newBrowser(gatehouse);

  const { away } = await walk(
    gatehouse,
    browser,
    browser.get(`/api/auth/oauth2/cancel${url.search}`),
  );

  expect(away?.searchParams.get("error")).toBe("access_denied");
  expect(away?.searchParams.get("state")).toBe(state);
});

test("an app signs its user out here too, by its ID token", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: String(tokens.id_token),
    post_logout_redirect_uri: AFTER_SIGN_OUT,
    state: "bye",
  });

  const { away } = await open(gatehouse, browser, { url });

  expect(away?.href).toBe(`${AFTER_SIGN_OUT}?state=bye`);
  expect(await isSignedIn(browser)).toBe(false);
  await expect(
    client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck),
  ).rejects.toThrow();
  const event = await gatehouse.d1
    .prepare("SELECT count(*) AS events FROM audit_event WHERE action = 'user.signed_out'")
    .first();
  expect(event).toEqual({ events: 1 });
  // The user allowed the app to go on while signed out.
  await client.refreshTokenGrant(config, String(tokens.refresh_token));
});

test("without a token of this session the person is asked, and led nowhere unknown", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);
  const ofOther = await exchange(config, await allow(gatehouse, other.browser, asking), asking);
  const hints: Record<string, string>[] = [
    {},
    { id_token_hint: String(ofOther.id_token) },
    { id_token_hint: "a.b.c" },
  ];

  for (const hint of hints) {
    const url = client.buildEndSessionUrl(config, {
      ...hint,
      post_logout_redirect_uri: "https://evil.example.com/",
    });
    const { path, page } = await open(gatehouse, browser, { url });
    expect(path).toContain("/app/connect/sign-out?");
    const text = (await page?.text()) ?? "";
    expect(text).toContain("Corner Shop");
    expect(text).not.toContain('evil.example.com/"');
    expect(await isSignedIn(browser)).toBe(true);
  }
  const url = client.buildEndSessionUrl(config, { post_logout_redirect_uri: AFTER_SIGN_OUT });
  const { path } = await open(gatehouse, browser, { url });
  const { away } = await walk(gatehouse, browser, browser.submit(path, {}));
  expect(away?.href).toBe(AFTER_SIGN_OUT);
  expect(await isSignedIn(browser)).toBe(false);
});
