import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, expect, test } from "vitest";
import { ACCOUNT, askForDeletion, enterDeletionCode } from "../../../../tests/support/account.ts";
import { type Browser, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { insertRows, statementsOn } from "../../../../tests/support/insert.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, openSession } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { PROVIDER } from "../provider-paths.ts";
import { findAppRow } from "./apps.ts";
import { startLogoutReceiver } from "./logout-receiver.ts";
import {
  AFTER_SIGN_OUT,
  type App,
  allow,
  aParty,
  ask,
  discover,
  exchange,
} from "./relying-party.ts";

// Apps are told that a session has ended, by a server of theirs on this machine. Source: OpenID
// Connect Back-Channel Logout 1.0.

const receiver = await startLogoutReceiver();
const gatehouse = await startGatehouse();
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const say = translationsIn("en");
const run = statementsOn(gatehouse);
const keys = createRemoteJWKSet(new URL(gatehouse.origin + PROVIDER.jwks));
const { browser: manager } = await anAdmin(gatehouse);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const aToldApp = (name: string, facts: Parameters<typeof aParty>[1] = {}) =>
  aParty(gatehouse, { isFirstParty: true, name, logoutUri: receiver.urlOf(name), ...facts });

/** Signs a person in to an app. Returns what its ID token says. */
async function signInTo(browser: Browser, app: App) {
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, { scope: "openid" });
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  return { claims: tokens.claims(), idToken: String(tokens.id_token) };
}

/** Makes a person who is signed in to an app. */
async function aPersonIn(app: App) {
  const { user, browser } = await aSignedInUser(gatehouse);
  return { user, browser, ...(await signInTo(browser, app)) };
}

async function told(name: string, count = 1) {
  await expect.poll(() => receiver.of(name)).toHaveLength(count);
  return receiver.of(name);
}

async function waitingOf({ clientId }: Pick<App, "clientId">) {
  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM oauth_logout WHERE client_id = ? ORDER BY created_at, id")
    .bind(clientId)
    .all<{ id: string; session_id: string; tries: number; next_try_at: number }>();
  return results;
}

/** Runs the cron when the waits after a failed try are over. */
async function goOn(): Promise<void> {
  await run("UPDATE oauth_logout SET next_try_at = 1");
  await gatehouse.runScheduled();
}

const answerOf = async ({ id }: Pick<App, "id">) =>
  (await findAppRow(gatehouse, id))?.logout_answer;

test("the app is told which session has ended, with a token that it can check", async () => {
  const app = await aToldApp("checked");
  const { user, browser, claims } = await aPersonIn(app);
  const before = Math.floor(Date.now() / 1_000);

  await browser.submit("/sign-out", {});

  const [logout] = await told("checked");
  expect(logout?.type).toMatch(/^application\/x-www-form-urlencoded/);
  expect([...(logout?.form.keys() ?? [])]).toEqual(["logout_token"]);
  const { payload, protectedHeader } = await jwtVerify(
    logout?.form.get("logout_token") ?? "",
    keys,
    {
      issuer: gatehouse.origin,
      audience: app.clientId,
      algorithms: ["RS256"],
      typ: "logout+jwt",
    },
  );
  expect(protectedHeader).toEqual({ alg: "RS256", kid: expect.any(String), typ: "logout+jwt" });
  expect(payload).toEqual({
    iss: gatehouse.origin,
    aud: app.clientId,
    sub: user.id,
    sid: claims?.sid,
    iat: expect.any(Number),
    exp: (payload.iat ?? 0) + 120,
    jti: expect.any(String),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  });
  expect(payload.iat).toBeGreaterThanOrEqual(before);
  expect(claims?.sid).toEqual(expect.any(String));
  await expect.poll(() => waitingOf(app)).toEqual([]);
  await gatehouse.runScheduled();
  expect(receiver.of("checked")).toHaveLength(1);
});

test("a sign-out that an app asks for is told to it and to the others at once", async () => {
  const [first, second] = [await aToldApp("first"), await aToldApp("second")];
  const { browser, idToken } = await aPersonIn(first);
  await signInTo(browser, second);
  const search = new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: AFTER_SIGN_OUT,
  });

  const answer = await browser.get(`${PROVIDER.endSession}?${search}`);

  expect(answer.headers.get("location")).toBe(AFTER_SIGN_OUT);
  await told("first");
  await told("second");
});

type Person = Awaited<ReturnType<typeof aPersonIn>>;

test.each<[name: string, end: (person: Person) => Promise<unknown>]>([
  ["the end of all sessions", ({ browser }) => browser.submit(ACCOUNT, { intent: "revoke-all" })],
  [
    "the end of all sessions by a manager",
    ({ user }) => manager.submit(`/manager/users/${user.id}`, { intent: "revoke-all" }),
  ],
  [
    "the end of one session by a manager",
    ({ user, claims }) =>
      manager.submit(`/manager/users/${user.id}`, {
        intent: "revoke",
        session: String(claims?.sid),
      }),
  ],
  [
    "a ban",
    ({ user }) =>
      manager.submit(`/manager/users/${user.id}`, { intent: "ban", duration: "1", reason: "Spam" }),
  ],
  [
    "the beginning of an account deletion",
    async ({ user, browser }) =>
      enterDeletionCode(browser, await askForDeletion(gatehouse, browser, user.email)),
  ],
  [
    "an erasure",
    async ({ user }) => {
      await run("DELETE FROM user WHERE id = ?", user.id);
      await gatehouse.runScheduled();
    },
  ],
])("the app is told after %s", async (name, end) => {
  const path = name.replaceAll(" ", "-");
  const person = await aPersonIn(await aToldApp(path));

  await end(person);

  const [logout] = await told(path);
  const { payload } = await jwtVerify(logout?.form.get("logout_token") ?? "", keys);
  expect(payload).toMatchObject({ sub: person.user.id, sid: person.claims?.sid });
});

test("an app is told of its own sessions only, and of none that has expired", async () => {
  const [app, other] = [await aToldApp("own"), await aToldApp("not-told")];
  const { user, browser } = await aPersonIn(app);
  const elsewhere = newBrowser(gatehouse);
  await openSession(gatehouse, elsewhere, user.id);

  await elsewhere.submit("/sign-out", {});
  expect(await waitingOf(app)).toEqual([]);
  await browser.submit("/sign-out", {});
  await told("own");
  expect(receiver.of("not-told")).toEqual([]);
  expect(await waitingOf(other)).toEqual([]);

  const { user: late } = await aPersonIn(app);
  await run("UPDATE session SET expires_at = 1 WHERE user_id = ?", late.id);
  await run("DELETE FROM session WHERE user_id = ?", late.id);
  expect(await waitingOf(app)).toEqual([]);
});

test("an app whose access a person has ended is told nothing more", async () => {
  const app = await aToldApp("ended");
  const { browser } = await aPersonIn(app);

  await browser.submit("/app/account/apps", { intent: "end-app", app: app.clientId });
  await browser.submit("/sign-out", {});

  expect(await waitingOf(app)).toEqual([]);
  expect(receiver.of("ended")).toEqual([]);
});

test("an app that is switched off, deleted or has no such URI any more is told nothing", async () => {
  const off = await aToldApp("off");
  const gone = await aToldApp("gone");
  const nowhere = await aToldApp("nowhere");
  const apps = [off, gone, nowhere];
  for (const [at, app] of apps.entries()) {
    receiver.answer(["off", "gone", "nowhere"][at] ?? "", 503);
    const { browser } = await aPersonIn(app);
    await browser.submit("/sign-out", {});
  }
  await Promise.all([told("off"), told("gone"), told("nowhere")]);
  for (const app of apps) {
    await expect.poll(async () => (await waitingOf(app))[0]?.tries).toBe(1);
  }
  const { browser: last } = await aPersonIn(off);

  await manager.submit(`/manager/settings/apps/${off.id}`, { intent: "disable" });
  await manager.submit(`/manager/settings/apps/${gone.id}`, { intent: "delete" });
  await manager.submit(`/manager/settings/apps/${nowhere.id}`, {
    intent: "update",
    version: "1",
    name: "Nowhere",
    redirectUris: off.redirectUri,
    scopes: "profile",
  });
  await last.submit("/sign-out", {});
  await goOn();

  for (const app of apps) expect(await waitingOf(app)).toEqual([]);
  for (const name of ["off", "gone", "nowhere"]) expect(receiver.of(name)).toHaveLength(1);
});

test("an app that does not answer holds up no other, and is tried three times", async () => {
  const [silent, well] = [await aToldApp("silent"), await aToldApp("well")];
  receiver.answer("silent", "hang");
  const { browser } = await aPersonIn(silent);
  await signInTo(browser, well);
  const { browser: another } = await aPersonIn(silent);

  await browser.submit("/sign-out", {});
  await another.submit("/sign-out", {});

  await told("well");
  await expect.poll(() => answerOf(silent)).toBe("timeout");
  // One wait for both: the second was not tried.
  expect((await waitingOf(silent)).map(({ tries }) => tries).toSorted()).toEqual([0, 1]);
  const shown = readPage(await (await manager.get(`/manager/settings/apps/${silent.id}`)).text());
  expect(shown.text()).toContain(say("connected-apps:office.logoutAnswers.timeout"));

  receiver.answer("silent", 500);
  await run("UPDATE oauth_logout SET tries = 2 WHERE tries = 1 AND client_id = ?", silent.clientId);
  const [before] = [receiver.of("silent").length];
  await goOn();
  await told("silent", before + 2);
  await expect.poll(() => answerOf(silent)).toBe("500");
  // The third failure was the last; the other one's was its first.
  expect((await waitingOf(silent)).map(({ tries }) => tries)).toEqual([1]);
  const [next] = await waitingOf(silent);
  expect(next?.next_try_at).toBeGreaterThan(Date.now());

  receiver.answer("silent", 204);
  await goOn();
  await told("silent", before + 3);
  await expect.poll(() => waitingOf(silent)).toEqual([]);
  const tokens = receiver.of("silent").map(({ form }) => form.get("logout_token") ?? "");
  const ids = await Promise.all(
    tokens.map(async (token) => (await jwtVerify(token, keys)).payload.jti),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([400, 404, 302])("an app that answers %i is not told again", async (status) => {
  const name = `refusing-${status}`;
  const app = await aToldApp(name);
  receiver.answer(name, status);
  const { browser } = await aPersonIn(app);

  await browser.submit("/sign-out", {});

  await told(name);
  await expect.poll(() => answerOf(app)).toBe(String(status));
  expect(await waitingOf(app)).toEqual([]);
  expect(receiver.of("elsewhere")).toEqual([]);
  const shown = readPage(await (await manager.get(`/manager/settings/apps/${app.id}`)).text());
  expect(shown.text()).toContain(
    say("connected-apps:office.logoutAnswers.refused", { status: String(status) }),
  );
});

test.each([
  ["the product itself", () => `${gatehouse.origin}/logout`],
  ["plain HTTP elsewhere", () => "http://shop.example.com/logout"],
])("nothing is sent to %s", async (name, uri) => {
  const app = await aToldApp(name, { logoutUri: uri() });
  const { browser } = await aPersonIn(app);

  await browser.submit("/sign-out", {});

  await expect.poll(() => answerOf(app)).toBe("closed");
  expect(await waitingOf(app)).toEqual([]);
});

test("what is older than an hour is not told any more", async () => {
  const app = await aToldApp("late");
  receiver.answer("late", 503);
  const { browser } = await aPersonIn(app);
  await browser.submit("/sign-out", {});
  await told("late");
  await expect.poll(async () => (await waitingOf(app))[0]?.tries).toBe(1);

  await run("UPDATE oauth_logout SET created_at = ?", Date.now() - HOUR_MS - MINUTE_MS);
  await goOn();

  await expect.poll(() => waitingOf(app)).toEqual([]);
  expect(receiver.of("late")).toHaveLength(1);
});

test("an app keeps the newest thousand, and takes no place of another", async () => {
  const [app, other] = [await aToldApp("full"), await aToldApp("beside")];
  const rowOf = ({ clientId }: App, at: number) => ({
    id: `${clientId}-${at}`,
    client_id: clientId,
    session_id: "ended",
    user_id: "gone",
    next_try_at: Date.now() + HOUR_MS,
    created_at: at,
  });
  await insertRows(gatehouse.d1, "oauth_logout", [rowOf(other, 0)]);

  await insertRows(
    gatehouse.d1,
    "oauth_logout",
    Array.from({ length: 1_003 }, (_, at) => rowOf(app, at)),
  );

  const kept = await waitingOf(app);
  expect(kept).toHaveLength(1_000);
  expect(kept[0]?.id).toBe(`${app.clientId}-3`);
  expect(await waitingOf(other)).toHaveLength(1);
  await run("DELETE FROM oauth_logout");
});

test("the metadata says that apps are told", async () => {
  const app = await aToldApp("discovered");
  expect((await discover(gatehouse, app)).serverMetadata()).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
});

test("a manager enters where an app is told, and what is no such URI is refused beside the field", async () => {
  const FIELDS = {
    name: "Help desk",
    redirectUris: "https://help.example.com/callback",
    scopes: "profile",
  };
  const path = "/manager/settings/apps/new";
  for (const [logoutUri, kind, error] of [
    ["http://help.example.com/logout", "server", "office.logoutUriInvalid"],
    ["https://help.example.com/logout#top", "server", "office.logoutUriInvalid"],
    ["https://a:b@help.example.com/logout", "server", "office.logoutUriInvalid"],
    ["https://help.example.com/logout", "public", "office.logoutUriPublic"],
  ] as const) {
    const refused = await manager.submit(path, { ...FIELDS, kind, logoutUri });
    expect(refused.status).toBe(400);
    const page = readPage(await refused.text());
    expect(page.field("logoutUri")?.value).toBe(logoutUri);
    expect(page.text()).toContain(say(`connected-apps:${error}`));
  }
  const app = await aToldApp("edited");
  const one = `/manager/settings/apps/${app.id}`;
  const logoutUri = "https://help.example.com/logout?of=people";

  const saved = await manager.submit(one, { ...FIELDS, intent: "update", version: "1", logoutUri });

  expect(locationOf(saved)).toBe(one);
  expect(await findAppRow(gatehouse, app.id)).toMatchObject({ logout_uri: logoutUri });
  const shown = readPage(await (await manager.get(one)).text()).text();
  expect(shown).toContain(logoutUri);
  expect(shown).toContain(say("connected-apps:office.neverTold"));
  const event = await gatehouse.d1
    .prepare("SELECT details FROM audit_event WHERE action = 'app.updated' AND target_id = ?")
    .bind(app.id)
    .first<string>("details");
  expect(JSON.parse(event ?? "{}")).toMatchObject({ after: { logoutUri } });

  const spa = await aParty(gatehouse, { isPublic: true });
  const form = readPage(
    await (await manager.get(`/manager/settings/apps/${spa.id}?state=edit`)).text(),
  );
  expect(form.field("logoutUri")).toBeFalsy();
  expect(form.field("afterSignOut")).toBeTruthy();
});
