import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { allow, aParty, ask, discover, exchange, open, walk } from "./relying-party.ts";

// Apps sign people in with the product, as their own code would: with `openid-client`.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

test("an app with a secret learns who its user is", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Zawadi Achieng" });
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);

  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);

  const claims = tokens.claims();
  expect(claims).toMatchObject({
    iss: gatehouse.origin,
    sub: user.id,
    aud: app.clientId,
    email: user.email,
    email_verified: true,
    name: "Zawadi Achieng",
  });
  expect(claims?.auth_time).toBeGreaterThan(Date.now() / 1_000 - 60);
  const told = await client.fetchUserInfo(config, tokens.access_token, user.id);
  expect(told).toMatchObject({ sub: user.id, email: user.email, name: "Zawadi Achieng" });
  const active = await client.tokenIntrospection(config, tokens.access_token);
  expect(active).toMatchObject({ active: true, sub: user.id, client_id: app.clientId });

  const again = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  expect(again.refresh_token).not.toBe(tokens.refresh_token);
  await client.fetchUserInfo(config, again.access_token, user.id);

  await client.tokenRevocation(config, String(again.refresh_token));
  await expect(client.refreshTokenGrant(config, String(again.refresh_token))).rejects.toThrow();
});

test("the second time, nobody is asked", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  await allow(gatehouse, browser, await ask(config, app));

  const again = await ask(config, app);
  const { away } = await open(gatehouse, browser, again);

  expect(away?.searchParams.get("state")).toBe(again.state);
  await exchange(config, away ?? again.url, again);
});

test("an app on a device signs in without a secret, on any port of the device", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, {
    isPublic: true,
    redirectUris: ["http://127.0.0.1/callback", "com.example.shop:/callback"],
  });
  const config = await discover(gatehouse, app);

  for (const redirect_uri of ["http://127.0.0.1:51004/callback", "com.example.shop:/callback"]) {
    const asking = await ask(config, app, { redirect_uri });
    const away = await allow(gatehouse, browser, asking);
    expect(away.href.startsWith(redirect_uri)).toBe(true);
    const tokens = await exchange(config, away, asking);
    expect(tokens.claims()?.sub).toBe(user.id);
  }
});

test("the secret may be sent in the body", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app, client.ClientSecretPost(app.secret));
  const asking = await ask(config, app);

  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);

  expect(tokens.access_token).toBeTruthy();
});

test("an app is told of the organization that its user chooses, until the user leaves it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization: made } = await anOrganization(gatehouse);
  const { id, slug, name } = made;
  await aMember(gatehouse, { organization_id: id, role: "admin", user_id: user.id });
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, { scope: "openid organization offline_access" });

  const away = await allow(gatehouse, browser, asking, { organization: id });
  const tokens = await exchange(config, away, asking);

  const organization = { id, slug, name, role: "admin" };
  expect(tokens.claims()?.organization).toEqual(organization);
  const told = await client.fetchUserInfo(config, tokens.access_token, user.id);
  expect(told.organization).toEqual(organization);
  await gatehouse.d1.prepare("DELETE FROM member WHERE user_id = ?").bind(user.id).run();
  await expect(client.fetchUserInfo(config, tokens.access_token, user.id)).rejects.toThrow();
  await expect(client.refreshTokenGrant(config, String(tokens.refresh_token))).rejects.toThrow();
});

test("a person who is not signed in is led to the sign-in and back to the app", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { isFirstParty: true });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);
  const cookies = [...browser.cookies];
  browser.cookies.clear();

  const { path, page } = await open(gatehouse, browser, asking);

  expect(page?.status).toBe(200);
  expect(path).toMatch(/^\/login\?redirect=%2Fapp%2Fconnect%3F/);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  const { away } = await walk(gatehouse, browser, browser.get(path));
  const tokens = await exchange(config, away ?? asking.url, asking);
  expect(tokens.claims()?.sub).toBe(user.id);
});

test("a refusal leads back to the app, which is told", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse);
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);
  const { path } = await open(gatehouse, browser, asking);

  const { away } = await walk(gatehouse, browser, browser.submit(path, { intent: "refuse" }));

  expect(away?.origin + String(away?.pathname)).toBe(app.redirectUri);
  expect(Object.fromEntries(away?.searchParams ?? [])).toMatchObject({
    error: "access_denied",
    state: asking.state,
    iss: gatehouse.origin,
  });
});
