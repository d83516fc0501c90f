import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  aUser,
  impersonate,
  openSession,
} from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { sessionsOf, userPath } from "../../../../tests/support/users.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aConsent, anAccessToken, anApp, aRefreshToken, heldOf } from "./apps.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const OWN = "/app/account/apps";
const NOTHING = { consents: 0, refreshTokens: 0, accessTokens: 0 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

/** Gives an app everything that it can have of a user. */
async function connect(user: { id: string }, name = "Ledger", overrides = {}) {
  const app = await anApp(gatehouse, { name });
  await aConsent(gatehouse, user, app, overrides);
  const refreshId = await aRefreshToken(gatehouse, user, app, overrides);
  await anAccessToken(gatehouse, user, app, { refresh_id: refreshId, ...overrides });
  return { app, refreshId };
}

test("a person sees which apps know them, and what", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const account = await pageOf(browser.get("/app/account"));
  expect(account.linkTo(say("account:connectedApps.manage"))).toBe(OWN);
  expect((await pageOf(browser.get(OWN))).text()).toContain(say("connected-apps:own.empty"));

  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani" },
    { members: [user] },
  );
  await connect(user, "Ledger", {
    reference_id: organization.id,
    scopes: '["openid","organization"]',
    created_at: Date.now() - 3 * DAY_MS,
  });
  const wiki = await anApp(gatehouse, { name: "Wiki", skip_consent: 1, uri: null });
  await aRefreshToken(gatehouse, user, wiki);
  await connect(await aUser(gatehouse), "Of another person");

  const shown = (await pageOf(browser.get(OWN))).text();

  for (const text of [
    "Ledger",
    "example.com",
    say("connected-apps:own.knows.organization"),
    say("connected-apps:own.toldOf", { name: "Nyumbani" }),
    "Last used 3 days ago",
    "Allowed today",
    "Wiki",
    say("connected-apps:own.knows.offline_access"),
    say("connected-apps:own.unasked"),
  ]) {
    expect(shown).toContain(text);
  }
  expect(shown.indexOf("Wiki")).toBeLessThan(shown.indexOf("Ledger"));
  expect(shown).not.toContain("Of another person");
});

test("an app whose tokens have all ended, and that nobody has allowed, is not shown", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const ended = await anApp(gatehouse, { name: "Ended app" });
  await anAccessToken(gatehouse, user, ended, { expires_at: Date.now() - 1 });
  await aRefreshToken(gatehouse, user, ended, { revoked: Date.now() });
  const allowed = await anApp(gatehouse, { name: "Allowed app" });
  await aConsent(gatehouse, user, allowed);
  await aRefreshToken(gatehouse, user, allowed, { revoked: Date.now() });

  const shown = (await pageOf(browser.get(OWN))).text();

  expect(shown).toContain("Allowed app");
  expect(shown).toContain("Last used now");
  // An ended token says when, but not what the app still knows.
  expect(shown).not.toContain(say("connected-apps:own.knows.offline_access"));
  expect(shown).not.toContain("Ended app");
});

test("a person ends an app, and nothing of it stays; other apps and people keep theirs", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await aUser(gatehouse);
  const { app } = await connect(user);
  const { app: kept } = await connect(user, "Kept");
  await aConsent(gatehouse, other, app);

  const response = await browser.submit(OWN, { intent: "end-app", app: app.client_id });

  expect(locationOf(response)).toBe(OWN);
  expect(await heldOf(gatehouse, user, app)).toEqual(NOTHING);
  const all = { consents: 1, refreshTokens: 1, accessTokens: 1 };
  expect(await heldOf(gatehouse, user, kept)).toEqual(all);
  expect(await heldOf(gatehouse, other, app)).toMatchObject({ consents: 1 });
  expect(await auditOf(gatehouse, user.id)).toContainEqual({
    action: "app.disconnected",
    actorId: user.id,
    details: { name: app.name },
  });

  const again = await browser.submit(OWN, { intent: "end-app", app: app.client_id });
  expect(again.status).toBe(404);
  const events = await auditOf(gatehouse, user.id);
  expect(events.filter(({ action }) => action === "app.disconnected")).toHaveLength(1);
});

test("an app that asks for no consent is ended by its tokens", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await anApp(gatehouse, { name: "Wiki", skip_consent: 1 });
  await aRefreshToken(gatehouse, user, app);

  await browser.submit(OWN, { intent: "end-app", app: app.client_id });

  expect(await heldOf(gatehouse, user)).toEqual(NOTHING);
  const actions = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
  expect(actions).toContain("app.disconnected");
});

test("nobody ends an app of another person, and a manager who acts as the user ends none", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const { app } = await connect(user);
  const { browser: stranger } = await aSignedInUser(gatehouse);
  const { browser: manager } = await anAdmin(gatehouse);

  const form = { intent: "end-app", app: app.client_id };
  expect((await stranger.submit(OWN, form)).status).toBe(404);
  expect((await stranger.submit(userPath(user.id, "/apps"), form)).status).toBe(403);
  await impersonate(manager, user.id);
  expect(locationOf(await manager.get(OWN))).toBe("/app/account");
  expect(locationOf(await manager.submit(OWN, form))).toBe(OWN);

  expect(await heldOf(gatehouse, user)).toMatchObject({ consents: 1, refreshTokens: 1 });
});

test("support ends an app of a user, an auditor sees it alone", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const { app } = await connect(user, "Ledger");
  const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });
  const { user: actor, browser: support } = await aSignedInUser(gatehouse, { role: "support" });
  const screen = `${userPath(user.id)}?tab=sessions`;
  const end = userPath(user.id, "/apps");

  const seen = await pageOf(auditor.get(screen));
  expect(seen.text()).toContain(say("connected-apps:own.title"));
  expect(seen.text()).toContain("Ledger");
  expect(seen.text()).not.toContain(say("connected-apps:own.end"));
  expect((await auditor.submit(end, { app: app.client_id })).status).toBe(403);
  expect((await pageOf(support.get(screen))).text()).toContain(say("connected-apps:own.end"));

  expect(locationOf(await support.submit(end, { app: app.client_id }))).toBe(screen);

  expect(await heldOf(gatehouse, user)).toEqual(NOTHING);
  expect(await auditOf(gatehouse, user.id)).toContainEqual({
    action: "app.disconnected",
    actorId: actor.id,
    details: { name: "Ledger" },
  });
  expect((await pageOf(support.get(screen))).text()).not.toContain(say("connected-apps:own.title"));
  expect((await support.submit(end, { app: app.client_id })).status).toBe(404);
});

type Known = Awaited<ReturnType<typeof aConnectedUser>>;

/** A user who has connected an app, and with it an organization. */
async function aConnectedUser() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { members: [user] });
  const { app } = await connect(user, undefined, { reference_id: organization.id });
  const office = await anAdmin(gatehouse);
  return { user, browser, organization, app, office };
}

const ALLOWED = { consents: 1, refreshTokens: 0, accessTokens: 0 };

const ENDINGS: Record<string, [end: (known: Known) => Promise<unknown>, left: typeof ALLOWED]> = {
  "a ban": [
    ({ office, user }) =>
      office.browser.submit(userPath(user.id), { intent: "ban", duration: "7" }),
    ALLOWED,
  ],
  "the start of a deletion": [
    ({ user }) =>
      run("UPDATE user SET deletion_due_at = ? WHERE id = ?", Date.now() + DAY_MS, user.id),
    ALLOWED,
  ],
  "a manager's change of the e-mail": [
    async ({ office, user }) => {
      const path = userPath(user.id, "/update");
      const page = await pageOf(office.browser.get(path));
      const version = page.field("version")?.value ?? "";
      const form = { name: user.name, email: `new-${user.id}@example.com`, role: "user", version };
      expect((await office.browser.submit(path, form)).status).toBe(302);
    },
    NOTHING,
  ],
  "the proof of an e-mail that was not proven": [
    async ({ user }) => {
      await run("UPDATE user SET email_verified = 0 WHERE id = ?", user.id);
      await run("UPDATE user SET email_verified = 1 WHERE id = ?", user.id);
    },
    NOTHING,
  ],
  "a sign-out everywhere": [
    ({ browser }) => browser.submit("/app/account", { intent: "revoke-all" }),
    ALLOWED,
  ],
  "a manager's end of all sessions": [
    ({ office, user }) => office.browser.submit(userPath(user.id), { intent: "revoke-all" }),
    ALLOWED,
  ],
  "a manager's end of all sessions of a user without one": [
    async ({ office, user }) => {
      await run("DELETE FROM session WHERE user_id = ?", user.id);
      await office.browser.submit(userPath(user.id), { intent: "revoke-all" });
    },
    ALLOWED,
  ],
  "the end of the membership": [
    ({ user, organization }) =>
      run("DELETE FROM member WHERE user_id = ? AND organization_id = ?", user.id, organization.id),
    NOTHING,
  ],
  "the app is switched off": [
    ({ app }) => run("UPDATE oauth_client SET disabled = 1 WHERE id = ?", app.id),
    ALLOWED,
  ],
  "the app is deleted": [
    ({ app }) => run("DELETE FROM oauth_client WHERE id = ?", app.id),
    NOTHING,
  ],
  "the erasure of the account": [
    async ({ user }) => {
      await run("UPDATE user SET deletion_due_at = ? WHERE id = ?", Date.now() - 1, user.id);
      await gatehouse.runScheduled(new Date(Date.now() + HOUR_MS));
    },
    NOTHING,
  ],
};

test.each(Object.keys(ENDINGS))("what apps have of a user after: %s", async (name) => {
  const known = await aConnectedUser();
  const all = { consents: 1, refreshTokens: 1, accessTokens: 1 };
  expect(await heldOf(gatehouse, known.user)).toEqual(all);
  const [end, left] = ENDINGS[name] ?? [];

  await end?.(known);

  expect(await heldOf(gatehouse, known.user)).toEqual(left);
});

test("a sign-out leaves an app its offline access, and ends what it has in the session", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await anApp(gatehouse);
  const [session = ""] = await sessionsOf(gatehouse, user.id);
  await aRefreshToken(gatehouse, user, app, { session_id: session });
  await anAccessToken(gatehouse, user, app, { session_id: session });

  await browser.submit("/sign-out", {});

  expect(await sessionsOf(gatehouse, user.id)).toEqual([]);
  expect(await heldOf(gatehouse, user)).toMatchObject({ refreshTokens: 1, accessTokens: 0 });
});

test("a sign-out everywhere else ends the apps of other browsers, and of former sessions", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const [here = ""] = await sessionsOf(gatehouse, user.id);
  await openSession(gatehouse, newBrowser(gatehouse), user.id);
  const there = (await sessionsOf(gatehouse, user.id)).find((id) => id !== here) ?? "";
  const app = await anApp(gatehouse);
  const kept = await aRefreshToken(gatehouse, user, app, { session_id: here });
  await aRefreshToken(gatehouse, user, app, { session_id: there });
  await aRefreshToken(gatehouse, user, app);

  await browser.submit("/app/account", { intent: "revoke-others" });

  expect(await sessionsOf(gatehouse, user.id)).toEqual([here]);
  const { results } = await d1
    .prepare("SELECT id FROM oauth_refresh_token WHERE user_id = ?")
    .bind(user.id)
    .all();
  expect(results).toEqual([{ id: kept }]);
});

test("the cron deletes tokens and keys that have ended, and keeps a used token for a week", async () => {
  const user = await aUser(gatehouse);
  const app = await anApp(gatehouse);
  const now = Date.now();
  const kept = [
    await aRefreshToken(gatehouse, user, app),
    await aRefreshToken(gatehouse, user, app, { revoked: now - 6 * DAY_MS }),
  ];
  await aRefreshToken(gatehouse, user, app, { revoked: now - 8 * DAY_MS });
  await aRefreshToken(gatehouse, user, app, { expires_at: now - 1_000 });
  await anAccessToken(gatehouse, user, app);
  await anAccessToken(gatehouse, user, app, { expires_at: now - 1_000 });
  for (const [id, days] of [
    ["key-old", 31],
    ["key-kept", 29],
  ] as const) {
    await run(
      "INSERT INTO jwks (id, public_key, private_key, created_at, expires_at) VALUES (?, '', '', 0, ?)",
      id,
      now - days * DAY_MS,
    );
  }

  await gatehouse.runHourly();

  const tokens = "SELECT id FROM oauth_refresh_token WHERE user_id = ?";
  const { results } = await d1.prepare(tokens).bind(user.id).all<{ id: string }>();
  expect(results.map(({ id }) => id).sort()).toEqual([...kept].sort());
  expect(await heldOf(gatehouse, user)).toMatchObject({ accessTokens: 1 });
  const keys = await d1.prepare("SELECT id FROM jwks WHERE id LIKE 'key-%'").all();
  expect(keys.results).toEqual([{ id: "key-kept" }]);
});

test("the own data names the apps and no token", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { refreshId } = await connect(user, "Ledger");
  const hash = await d1
    .prepare("SELECT token FROM oauth_refresh_token WHERE id = ?")
    .bind(refreshId)
    .first<string>("token");

  const text = await (await browser.get("/app/account/data")).text();

  expect(text).not.toContain(hash);
  const given = { app: "Ledger", scopes: "openid profile email", organizationId: null };
  expect(JSON.parse(text)).toMatchObject({
    connectedApps: [given],
    appTokens: [{ ...given, endedAt: null }],
    appRefreshTokens: [{ ...given, scopes: "openid profile email offline_access" }],
    addedApps: [],
  });
});
