import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { aMember, anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { userPath } from "../../../../tests/support/users.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { API_TOKEN_SECONDS } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { KEY_GRACE_DAYS } from "../signing-keys.server.ts";
import { allow, aParty, ask, discover, exchange, open } from "./relying-party.ts";

// Apps get tokens for another server, which checks them as its own code would: with `jose`.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const run = statementsOn(gatehouse);

const API = "https://api.example.com";
const OTHER_API = "https://other.example.com/v1";
const USER_INFO = `${gatehouse.origin}${PROVIDER.userinfo}`;
const DAY_MS = 86_400_000;

/** What the other server does with a token. */
function verify(token: string, audience = API) {
  const keys = createRemoteJWKSet(new URL(`${gatehouse.origin}${PROVIDER.jwks}`));
  const issuer = gatehouse.origin;
  return jwtVerify(token, keys, { issuer, audience, algorithms: ["RS256"], typ: "at+jwt" });
}

type Facts = Parameters<typeof aParty>[1] & { parameters?: Record<string, string> };

/** Signs a person in to an app that gets tokens for a server. */
async function anApiCaller({ parameters = { resource: API }, ...facts }: Facts = {}) {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API], ...facts });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, parameters);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  return { user, browser, app, config, tokens };
}

type Caller = Awaited<ReturnType<typeof anApiCaller>>;

function refresh(
  { config, tokens }: Pick<Caller, "config"> & { tokens: { refresh_token?: string } },
  parameters?: Record<string, string>,
) {
  return client.refreshTokenGrant(config, String(tokens.refresh_token), parameters);
}

/** What the product says of a token when it is asked. */
async function stateOf({ config }: Pick<Caller, "config">, token: string) {
  const told = await client.tokenIntrospection(config, token);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${gatehouse.origin}${PROVIDER.userinfo}`, { headers });
  await answer.arrayBuffer();
  return { active: told.active, userinfo: answer.status };
}

const COUNTS = { active: true, userinfo: 200 };
const ENDED = { active: false, userinfo: 401 };

test("another server checks a token by itself, and learns nothing personal", async () => {
  const { user, app, tokens } = await anApiCaller();

  const { payload, protectedHeader } = await verify(tokens.access_token);

  expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "at+jwt" });
  const { iat = 0, ...claims } = payload;
  expect(claims).toEqual({
    iss: gatehouse.origin,
    sub: user.id,
    aud: [API, USER_INFO],
    exp: iat + API_TOKEN_SECONDS,
    jti: expect.any(String),
    sid: expect.any(String),
    client_id: app.clientId,
    azp: app.clientId,
    scope: "openid profile email offline_access",
  } satisfies JWTPayload);
  expect(tokens.expires_in).toBe(API_TOKEN_SECONDS);
  expect(API_TOKEN_SECONDS).toBe(300);
  await expect(verify(tokens.access_token, OTHER_API)).rejects.toThrow(/aud/);
  // The ID token is for the app.
  await expect(verify(String(tokens.id_token))).rejects.toThrow();
});

test("without openid the token is for the server alone, and userinfo refuses it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API] });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, { scope: "profile", resource: API });
  asking.url.searchParams.delete("nonce");
  const { access_token } = await client.authorizationCodeGrant(
    config,
    await allow(gatehouse, browser, asking),
    { pkceCodeVerifier: asking.verifier, expectedState: asking.state },
  );

  const { payload } = await verify(access_token);

  expect(payload).toMatchObject({ aud: API, sub: user.id, scope: "profile" });
  expect(await stateOf({ config }, access_token)).toEqual({ active: true, userinfo: 401 });
});

test("with openid the token also asks who the user is", async () => {
  const { user, config, tokens } = await anApiCaller();

  const told = await client.fetchUserInfo(config, tokens.access_token, user.id);

  expect(told).toMatchObject({ sub: user.id, email: user.email });
});

test("without a resource the token is opaque, also for an app that may have others", async () => {
  const caller = await anApiCaller({ parameters: {} });

  expect(caller.tokens.access_token).not.toContain(".");
  expect(caller.tokens.expires_in).toBe(3_600);
  expect(await stateOf(caller, caller.tokens.access_token)).toEqual(COUNTS);
});

test.each([
  ["unknown", "https://unknown.example.com", "invalid_target"],
  ["of another app", OTHER_API, "invalid_target"],
  ["spelled otherwise", `${API}/`, "invalid_target"],
  ["no URL", "api", "invalid_request"],
])("a server that is %s ends with an error at the app", async (_name, resource, error) => {
  await aParty(gatehouse, { apis: [OTHER_API] });
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API] });
  const asking = await ask(await discover(gatehouse, app), app, { resource });

  const { away } = await open(gatehouse, browser, asking);

  expect(away?.origin + String(away?.pathname)).toBe(app.redirectUri);
  expect(Object.fromEntries(away?.searchParams ?? [])).toMatchObject({
    error,
    state: asking.state,
  });
});

test("a person reads which servers the app may call, and is asked again about another one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API, OTHER_API] });
  const config = await discover(gatehouse, app);
  const plain = await open(gatehouse, browser, await ask(config, app));
  expect(readPage(String(await plain.page?.text())).text()).not.toContain(API);

  const asked = await open(gatehouse, browser, await ask(config, app, { resource: API }));

  const text = readPage(String(await asked.page?.text())).text();
  expect(text).toContain(`It may call this in your name: ${API}`);
  expect(text).not.toContain(OTHER_API);
  await allow(gatehouse, browser, await ask(config, app, { resource: API }));
  const consents = "SELECT resources FROM oauth_consent WHERE user_id = ?";
  expect(await gatehouse.d1.prepare(consents).bind(user.id).first("resources")).toBe(
    JSON.stringify([API]),
  );
  const again = await open(gatehouse, browser, await ask(config, app, { resource: API }));
  expect(again.away?.searchParams.get("code")).toBeTruthy();
  const other = await open(gatehouse, browser, await ask(config, app, { resource: OTHER_API }));
  expect(readPage(String(await other.page?.text())).text()).toContain(OTHER_API);
});

test("an app gets no token for a server about which the person was not asked", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API] });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);
  const checks = {
    pkceCodeVerifier: asking.verifier,
    expectedState: asking.state,
    expectedNonce: asking.nonce,
  };

  const early = client.authorizationCodeGrant(config, away, checks, { resource: API });

  await expect(early).rejects.toMatchObject({ error: "invalid_target" });
  // The code was not spent on it.
  const tokens = await exchange(config, away, asking);
  const later = client.refreshTokenGrant(config, String(tokens.refresh_token), { resource: API });
  await expect(later).rejects.toMatchObject({ error: "invalid_target" });
  const again = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  expect(again.access_token).not.toContain(".");
});

test("a refresh keeps the server, and gets none for another one", async () => {
  const caller = await anApiCaller({ apis: [API, OTHER_API] });
  const other = refresh(caller, { resource: OTHER_API });
  await expect(other).rejects.toMatchObject({ error: "invalid_target" });

  const again = await refresh(caller);

  const { payload } = await verify(again.access_token);
  expect(payload).toMatchObject({ aud: [API, USER_INFO], sub: caller.user.id });
  expect(again.expires_in).toBe(API_TOKEN_SECONDS);
  const named = await refresh({ ...caller, tokens: again }, { resource: API });
  await verify(named.access_token);
});

test("a token for two servers counts at both, and one of them may be chosen later", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API, OTHER_API] });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, { resource: API });
  asking.url.searchParams.append("resource", OTHER_API);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  await verify(tokens.access_token, API);
  await verify(tokens.access_token, OTHER_API);

  const { access_token } = await client.refreshTokenGrant(config, String(tokens.refresh_token), {
    resource: OTHER_API,
  });

  await verify(access_token, OTHER_API);
  await expect(verify(access_token, API)).rejects.toThrow(/aud/);
});

test("an app whose server was taken away gets no new token for it, and its tokens end here", async () => {
  const caller = await anApiCaller();
  await aParty(gatehouse, { apis: [API] });
  await run("DELETE FROM oauth_client_resource WHERE client_id = ?", caller.app.clientId);

  await expect(refresh(caller)).rejects.toMatchObject({ error: "invalid_target" });
  expect(await stateOf(caller, caller.tokens.access_token)).toEqual(ENDED);
  const asking = await ask(caller.config, caller.app, { resource: API });
  const { away } = await open(gatehouse, caller.browser, asking);
  expect(away?.searchParams.get("error")).toBe("invalid_target");
});

test("the server asks whether a token counts, as an app with the same URL; others hear nothing", async () => {
  const { user, app, tokens } = await anApiCaller();
  const server = await discover(gatehouse, await aParty(gatehouse, { apis: [API] }));
  const stranger = await discover(gatehouse, await aParty(gatehouse, { apis: [OTHER_API] }));
  const plain = await discover(gatehouse, await aParty(gatehouse));

  const told = await client.tokenIntrospection(server, tokens.access_token);

  expect(told).toMatchObject({ active: true, sub: user.id, client_id: app.clientId });
  for (const other of [stranger, plain]) {
    const refused = await client.tokenIntrospection(other, tokens.access_token);
    expect(refused).toEqual({ active: false });
  }
  await run("UPDATE user SET banned = 1 WHERE id = ?", user.id);
  expect(await client.tokenIntrospection(server, tokens.access_token)).toEqual({ active: false });
});

test("the token names the organization that the person chose, until the person leaves it", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, role: "admin", user_id: user.id });
  const app = await aParty(gatehouse, { apis: [API] });
  const config = await discover(gatehouse, app);
  const asking = await ask(config, app, { scope: "openid organization", resource: API });
  const away = await allow(gatehouse, browser, asking, { organization: organization.id });
  const { access_token } = await exchange(config, away, asking);

  const { payload } = await verify(access_token);

  expect(payload.organization).toBe(organization.id);
  expect(payload).not.toHaveProperty("role");
  expect(await stateOf({ config }, access_token)).toEqual(COUNTS);
  await run("DELETE FROM member WHERE user_id = ?", user.id);
  expect(await stateOf({ config }, access_token)).toEqual(ENDED);
});

const ENDINGS: Record<string, (caller: Caller) => Promise<unknown>> = {
  "a ban": async ({ user }) => {
    const { browser } = await anAdmin(gatehouse);
    await browser.submit(userPath(user.id), { intent: "ban", duration: "7" });
  },
  "a sign-out": ({ browser }) => browser.submit("/sign-out", {}),
  "a sign-out everywhere": ({ browser }) =>
    browser.submit("/app/account", { intent: "revoke-all" }),
  "the start of a deletion": ({ user }) =>
    run("UPDATE user SET deletion_due_at = ? WHERE id = ?", Date.now() + DAY_MS, user.id),
  "the end of the app's access": ({ browser, app }) =>
    browser.submit("/app/account/apps", { intent: "end-app", app: app.clientId }),
};

test.each(Object.keys(ENDINGS))(
  "introspection and userinfo refuse a token after: %s",
  async (name) => {
    const caller = await anApiCaller();
    const { access_token } = caller.tokens;
    expect(await stateOf(caller, access_token)).toEqual(COUNTS);

    await ENDINGS[name]?.(caller);

    expect(await stateOf(caller, access_token)).toEqual(ENDED);
    // What another server sees by itself: it is valid until it expires.
    await verify(access_token);
  },
);

test("introspection and userinfo refuse a token after: the app is switched off", async () => {
  const { tokens, app } = await anApiCaller();
  const server = await discover(gatehouse, await aParty(gatehouse, { apis: [API] }));

  await run("UPDATE oauth_client SET disabled = 1 WHERE client_id = ?", app.clientId);

  expect(await stateOf({ config: server }, tokens.access_token)).toEqual(ENDED);
});

test("a token that was made after the sign-out ends with the refresh token", async () => {
  const caller = await anApiCaller();
  await caller.browser.submit("/sign-out", {});
  const again = await refresh(caller);
  const { payload } = await verify(again.access_token);
  expect(payload.sid ?? undefined).toBeUndefined();
  expect(await stateOf(caller, again.access_token)).toEqual(COUNTS);

  await client.tokenRevocation(caller.config, String(again.refresh_token));

  expect(await stateOf(caller, again.access_token)).toEqual(ENDED);
});

test("while one key takes over from another both are known, and tokens of before count", async () => {
  const caller = await anApiCaller();
  const { access_token } = caller.tokens;
  await run("UPDATE jwks SET expires_at = ?", Date.now() - DAY_MS);

  const again = await refresh(caller);

  const kidOf = (token: string) => String(decodeProtectedHeader(token).kid);
  const [before, after] = [kidOf(access_token), kidOf(again.access_token)];
  expect(after).not.toBe(before);
  expect((await knownKeys()).sort()).toEqual([before, after].sort());
  await verify(access_token);
  await verify(again.access_token);
  expect(await stateOf(caller, access_token)).toEqual(COUNTS);

  const beyond = Date.now() - (KEY_GRACE_DAYS + 1) * DAY_MS;
  await run("UPDATE jwks SET expires_at = ? WHERE id = ?", beyond, before);
  expect(await knownKeys()).toEqual([after]);
  await expect(verify(access_token)).rejects.toThrow();
});

async function knownKeys(): Promise<unknown[]> {
  const answer = await fetch(`${gatehouse.origin}${PROVIDER.jwks}`);
  const { keys }: { keys: { kid: string }[] } = JSON.parse(await answer.text());
  return keys.map(({ kid }) => kid);
}
