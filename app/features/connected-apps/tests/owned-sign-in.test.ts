import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { accessibleError, type Browser, newBrowser } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { DEVICE_GRANT } from "../device-code.ts";
import { PROVIDER } from "../provider-paths.ts";
import { aConsent, anAccessToken, aRefreshToken, heldOf } from "./apps.ts";
import {
  type App,
  allow,
  aParty,
  ask,
  aUserCode,
  discover,
  exchange,
  open,
  REDIRECT_URI,
} from "./relying-party.ts";

// Who signs in to the app of an organization, and what ends it. The apps use `openid-client`.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const API = "https://api.example.com/v1";
const NOTHING = { consents: 0, refreshTokens: 0, accessTokens: 0 };
const SCOPE = "openid profile email organization offline_access";

/** An organization with a member and an app. */
async function aWorld(facts: Parameters<typeof aParty>[1] = {}) {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani Cooperative" },
    { members: [user] },
  );
  const app = await aParty(gatehouse, {
    name: "Field notes",
    organizationId: organization.id,
    apis: [API],
    ...facts,
  });
  const config = await discover(gatehouse, app);
  return { user, browser, organization, app, config, ofApp: { client_id: app.clientId } };
}

type World = Awaited<ReturnType<typeof aWorld>>;

async function signIn({ config, app, browser }: World, parameters: Record<string, string> = {}) {
  const asking = await ask(config, app, parameters);
  return exchange(config, await allow(gatehouse, browser, asking), asking);
}

/** Removes the member, as owners do. */
const leave = ({ user, organization }: World) =>
  run("DELETE FROM member WHERE user_id = ? AND organization_id = ?", user.id, organization.id);

type Closing = "disabled_at" | "deletion_due_at";

const close = ({ organization }: World, column: Closing) =>
  run(`UPDATE organization SET ${column} = ? WHERE id = ?`, Date.now() + 1, organization.id);

const reopen = ({ organization }: World) =>
  run(
    "UPDATE organization SET disabled_at = NULL, deletion_due_at = NULL WHERE id = ?",
    organization.id,
  );

async function organizationIn(tokens: client.TokenEndpointResponse & { id_token?: string }) {
  const [, payload = ""] = tokens.id_token?.split(".") ?? [];
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).organization;
}

test("a member is told whose app it is, has nothing to choose, and the app learns of that organization", async () => {
  const world = await aWorld();
  const { user, browser, organization, app, config } = world;
  // The member works in another one.
  const { organization: other } = await anOrganization(gatehouse, {}, { members: [user] });
  await run("UPDATE session SET active_organization_id = ? WHERE user_id = ?", other.id, user.id);
  const asking = await ask(config, app, { scope: SCOPE });

  const asked = await open(gatehouse, browser, asking);
  const page = readPage((await asked.page?.text()) ?? "");
  expect(page.text()).toContain(
    say("connected-apps:owned.of", { organization: "Nyumbani Cooperative" }),
  );
  expect(page.text()).toContain(say("connected-apps:owned.role", { name: "Nyumbani Cooperative" }));
  expect(page.field("organization")).toBeUndefined();

  // What a form sends in its place does not count.
  const away = await allow(gatehouse, browser, asking, { organization: other.id });
  const tokens = await exchange(config, away, asking);
  expect(await organizationIn(tokens)).toMatchObject({ id: organization.id, role: "member" });
  const info = await client.fetchUserInfo(config, tokens.access_token, user.id);
  expect(info.organization).toMatchObject({ id: organization.id });
  const again = await open(gatehouse, browser, await ask(config, app, { scope: SCOPE }));
  expect(again.away?.searchParams.get("code")).toBeTruthy();
});

test("without the scope the app is not told of the organization", async () => {
  const world = await aWorld();
  const tokens = await signIn(world);
  expect(await organizationIn(tokens)).toBeUndefined();
  const info = await client.fetchUserInfo(world.config, tokens.access_token, world.user.id);
  expect(info.organization).toBeUndefined();
  expect(info.sub).toBe(world.user.id);
});

test.each(["openid", SCOPE])(
  "a non-member who is asked for %s is told so, and so is the app",
  async (scope) => {
    const { app, config } = await aWorld();
    const { user, browser } = await aSignedInUser(gatehouse);
    const asking = await ask(config, app, { scope });

    const { page, path } = await open(gatehouse, browser, asking);

    expect(page?.status).toBe(200);
    const shown = readPage((await page?.text()) ?? "");
    expect(shown.text()).toContain(say("connected-apps:outsider.title"));
    expect(shown.text()).toContain("Nyumbani Cooperative");
    expect(shown.find("button", say("connected-apps:connect.allow"))).toBeUndefined();
    const back = shown.linkTo(say("connected-apps:outsider.back", { app: "Field notes" })) ?? "";
    expect(back).toContain(REDIRECT_URI);
    const url = new URL(back);
    expect(url.searchParams.get("error")).toBe("access_denied");
    expect(url.searchParams.get("state")).toBe(asking.state);

    // The form of the page that others see gives nothing either.
    const sent = await browser.submit(path, { intent: "allow" });
    expect(sent.status).toBe(302);
    expect(sent.headers.get("location")).toContain("/app/connect?");
    expect(await heldOf(gatehouse, user)).toEqual(NOTHING);
    expect(await auditOf(gatehouse, user.id)).not.toContainEqual(
      expect.objectContaining({ action: "app.connected" }),
    );
    const silent = await open(
      gatehouse,
      browser,
      await ask(config, app, { scope, prompt: "none" }),
    );
    // Nobody is led by the product to a site that it does not know without a word.
    expect(await silent.page?.text()).toContain("error=access_denied");
  },
);

test("a request that is not valid is told to the app, by way of a page for a non-member", async () => {
  const { app, config } = await aWorld({ scopes: ["openid"] });
  const { browser } = await aSignedInUser(gatehouse);
  const wrong = await open(gatehouse, browser, await ask(config, app, { scope: "openid email" }));
  expect(wrong.away).toBeUndefined();
  expect(await wrong.page?.text()).toContain("error=invalid_scope");
  const elsewhere = { redirectUri: "https://evil.example.com/callback" };
  const { away, path } = await open(gatehouse, browser, await ask(config, elsewhere));
  expect(away).toBeUndefined();
  expect(path).toContain("/app/connect/error?error=invalid_redirect");
});

test.each(["openid profile offline_access", SCOPE])(
  "with the membership all ends that %s has given",
  async (scope) => {
    const world = await aWorld();
    const tokens = await signIn(world, { scope });
    const own = { consents: 1, refreshTokens: 1, accessTokens: 1 };
    expect(await heldOf(gatehouse, world.user, world.ofApp)).toEqual(own);

    await leave(world);

    expect(await heldOf(gatehouse, world.user, world.ofApp)).toEqual(NOTHING);
    const { config, user } = world;
    await expect(client.fetchUserInfo(config, tokens.access_token, user.id)).rejects.toThrow();
    await expect(
      client.refreshTokenGrant(config, tokens.refresh_token ?? ""),
    ).rejects.toMatchObject({ error: "invalid_grant" });
    const { active } = await client.tokenIntrospection(config, tokens.access_token);
    expect(active).toBe(false);
  },
);

test.each<Record<string, string>>([{}, { resource: API }])(
  "a code is worth nothing after the membership has ended (%o)",
  async (parameters) => {
    const world = await aWorld();
    const { browser, config, app } = world;
    const asking = await ask(config, app, { scope: "openid", ...parameters });
    const away = await allow(gatehouse, browser, asking);
    await leave(world);
    const exchanged = client.authorizationCodeGrant(
      config,
      away,
      {
        pkceCodeVerifier: asking.verifier,
        expectedState: asking.state,
        expectedNonce: asking.nonce,
      },
      parameters,
    );
    await expect(exchanged).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await heldOf(gatehouse, world.user, world.ofApp)).toEqual(NOTHING);
  },
);

test("a token for an API ends with the membership and with the organization", async () => {
  const world = await aWorld();
  const { browser, config, app } = world;
  const asking = await ask(config, app, { scope: "openid offline_access", resource: API });
  const away = await allow(gatehouse, browser, asking);
  const checks = {
    pkceCodeVerifier: asking.verifier,
    expectedState: asking.state,
    expectedNonce: asking.nonce,
  };
  const tokens = await client.authorizationCodeGrant(config, away, checks, { resource: API });
  const isActive = async () =>
    (await client.tokenIntrospection(config, tokens.access_token)).active;
  expect(await isActive()).toBe(true);
  await close(world, "disabled_at");
  expect(await isActive()).toBe(false);
  await reopen(world);
  await leave(world);
  expect(await isActive()).toBe(false);
});

test.each<Closing>(["disabled_at", "deletion_due_at"])(
  "while %s says that the organization is closed, nobody signs in, and tokens have ended",
  async (column) => {
    const world = await aWorld();
    const { user, browser, config, app } = world;
    const tokens = await signIn(world);
    const waiting = await ask(config, app, { prompt: "consent" });
    const away = await allow(gatehouse, browser, waiting);

    await close(world, column);

    expect(await heldOf(gatehouse, user, world.ofApp)).toEqual({ ...NOTHING, consents: 1 });
    await expect(exchange(config, away, waiting)).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(
      client.refreshTokenGrant(config, tokens.refresh_token ?? ""),
    ).rejects.toMatchObject({ error: "invalid_grant" });
    for (const one of [browser, newBrowser(gatehouse)]) {
      const { path } = await open(gatehouse, one, await ask(config, app));
      expect(path).toContain("/app/connect/error?error=client_disabled");
    }

    await reopen(world);
    const again = await open(gatehouse, browser, await ask(config, app));
    expect(again.away?.searchParams.get("code")).toBeTruthy();
  },
);

test("a membership that ends while the person answers writes no yes and no event", async () => {
  const world = await aWorld();
  const { user, browser, config, app } = world;
  const asked = await open(gatehouse, browser, await ask(config, app));
  await leave(world);
  const sent = await browser.submit(asked.path, { intent: "allow" });
  expect(sent.status).toBe(302);
  expect(await heldOf(gatehouse, user)).toEqual(NOTHING);
  expect(await auditOf(gatehouse, user.id)).not.toContainEqual(
    expect.objectContaining({ action: "app.connected" }),
  );
});

test("the database itself gives an organization's app nothing of a non-member", async () => {
  const { ofApp, organization, user: member } = await aWorld();
  const { user } = await aSignedInUser(gatehouse);
  for (const [person, reference_id] of [
    [user, organization.id],
    [user, null],
    [member, null],
  ] as const) {
    for (const insert of [aConsent, aRefreshToken, anAccessToken]) {
      const inserted = insert(gatehouse, person, ofApp, { reference_id });
      await expect(inserted).rejects.toThrow("APP_NOT_ALLOWED");
    }
    expect(await heldOf(gatehouse, person)).toEqual(NOTHING);
  }
  await aConsent(gatehouse, member, ofApp, { reference_id: organization.id });
});

/** Asks for the tokens of a device. */
async function poll({ clientId }: App, deviceCode: string) {
  await run("UPDATE oauth_device_code SET polled_at = NULL");
  const answer = await newBrowser(gatehouse).submit(PROVIDER.token, {
    grant_type: DEVICE_GRANT,
    client_id: clientId,
    device_code: deviceCode,
  });
  return (await answer.json()) as { error?: string; access_token?: string };
}

async function aDevice({ config }: World) {
  const asked = await client.initiateDeviceAuthorization(config, { scope: SCOPE });
  const send = (browser: Browser, intent: string) =>
    browser.submit("/app/device", { intent, userCode: asked.user_code });
  return { deviceCode: asked.device_code, send };
}

test("a member signs in on a device, a non-member does not", async () => {
  const world = await aWorld({ isPublic: true });
  const { user, browser, organization, app, config } = world;
  const { deviceCode, send } = await aDevice(world);
  const { user: stranger, browser: ofStranger } = await aSignedInUser(gatehouse);
  const text = say("connected-apps:outsider.device", { organization: "Nyumbani Cooperative" });
  for (const intent of ["look", "allow"]) {
    const refused = await send(ofStranger, intent);
    expect(refused.status).toBe(403);
    expect(accessibleError(await refused.text(), "userCode")).toBe(text);
  }
  expect(await poll(app, deviceCode)).toMatchObject({ error: "authorization_pending" });
  expect(await heldOf(gatehouse, stranger)).toEqual(NOTHING);

  const question = readPage(await (await send(browser, "look")).text());
  expect(question.text()).toContain(
    say("connected-apps:owned.of", { organization: "Nyumbani Cooperative" }),
  );
  expect(question.field("organization")).toBeUndefined();
  await send(browser, "allow");
  const { access_token: token = "" } = await poll(app, deviceCode);
  const info = await client.fetchUserInfo(config, token, user.id);
  expect(info.organization).toMatchObject({ id: organization.id });

  const second = await aDevice(world);
  await second.send(browser, "allow");
  await leave(world);
  expect(await poll(app, second.deviceCode)).toMatchObject({ error: "invalid_grant" });
});

test("no device signs in to the app of a closed organization", async () => {
  const world = await aWorld({ isPublic: true });
  const { browser, app, config } = world;
  const [waiting, allowed] = [await aDevice(world), await aDevice(world)];
  await allowed.send(browser, "allow");
  await close(world, "disabled_at");
  expect((await waiting.send(browser, "look")).status).toBe(400);
  expect(await poll(app, allowed.deviceCode)).toMatchObject({ error: "invalid_grant" });
  await expect(client.initiateDeviceAuthorization(config, {})).rejects.toMatchObject({
    error: "invalid_client",
  });
  await reopen(world);
  expect(await aUserCode(gatehouse, app)).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
});
