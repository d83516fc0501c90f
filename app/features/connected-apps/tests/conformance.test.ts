import { decodeJwt } from "jose";
import * as client from "openid-client";
import { afterAll, expect, test } from "vitest";
import { isSignedIn, newBrowser } from "../../../../tests/support/client.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { PROVIDER } from "../provider-paths.ts";
import { AFTER_SIGN_OUT, allow, aParty, ask, discover, exchange, open } from "./relying-party.ts";

// What the OpenID Foundation's conformance suite asks of a provider, and no other test here does.
// docs/security.md lists its modules.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { user, browser } = await aSignedInUser(gatehouse, { name: "Zawadi Achieng" });
const app = await aParty(gatehouse, { isFirstParty: true });
const config = await discover(gatehouse, app);

/** Signs the person in to the app. Returns the tokens, and what the ID token says. */
async function signInTo(parameters: Record<string, string> = {}) {
  const asking = await ask(config, app, parameters);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  return { tokens, claims: tokens.claims() };
}

test("oidcc-discovery-endpoint-verification", async () => {
  const answer = await fetch(`${gatehouse.origin}${PROVIDER.openId}`);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const metadata = (await answer.json()) as Record<string, unknown>;
  expect(metadata).toMatchObject({
    issuer: gatehouse.origin,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
  for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"]) {
    expect(String(metadata[name]).startsWith(`${gatehouse.origin}/`)).toBe(true);
  }
  await signInTo();
  const { keys } = (await (await fetch(String(metadata.jwks_uri))).json()) as {
    keys: Record<string, string>[];
  };
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig" });
    expect(key.kid).toBeTruthy();
    for (const secret of ["d", "p", "q", "dp", "dq", "qi"]) expect(key).not.toHaveProperty(secret);
  }
});

test("oidcc-response-type-missing", async () => {
  const asking = await ask(config, app);
  asking.url.searchParams.delete("response_type");

  const { away } = await open(gatehouse, browser, asking);

  expect(away?.searchParams.get("error")).toBe("invalid_request");
  expect(away?.searchParams.get("state")).toBe(asking.state);
});

test("oidcc-userinfo-get, -post-header, -post-body", async () => {
  const { tokens } = await signInTo();
  const endpoint = gatehouse.origin + PROVIDER.userinfo;
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  for (const init of [
    { headers },
    { method: "POST", headers: { ...headers, ...form } },
    { method: "POST", body: new URLSearchParams({ access_token: tokens.access_token }) },
  ]) {
    const answer = await fetch(endpoint, init);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ sub: user.id, email: user.email });
  }
});

test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
  const asking = await ask(config, app);
  asking.url.searchParams.delete("nonce");
  const away = await allow(gatehouse, browser, asking);

  const tokens = await client.authorizationCodeGrant(config, away, {
    pkceCodeVerifier: asking.verifier,
    expectedState: asking.state,
    idTokenExpected: true,
  });

  expect(tokens.claims()).not.toHaveProperty("nonce");
});

test("oidcc-scope-profile, -scope-email", async () => {
  const byProfile = await signInTo({ scope: "openid profile" });
  const profile = await client.fetchUserInfo(config, byProfile.tokens.access_token, user.id);
  expect(profile).toMatchObject({
    name: "Zawadi Achieng",
    given_name: "Zawadi",
    family_name: "Achieng",
  });
  expect(profile).not.toHaveProperty("email");
  const byEmail = await signInTo({ scope: "email openid" });
  const email = await client.fetchUserInfo(config, byEmail.tokens.access_token, user.id);
  expect(email).toEqual({ sub: user.id, email: user.email, email_verified: true });
});

test.each<[string, Record<string, string>]>([
  ["oidcc-display-page", { display: "page" }],
  ["oidcc-display-popup", { display: "popup" }],
  ["oidcc-ui-locales", { ui_locales: "se xx" }],
  ["oidcc-claims-locales", { claims_locales: "se" }],
  ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
  ["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "phr 0" }],
  ["oidcc-claims-essential", { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ["oidcc-login-hint", { login_hint: "zawadi@example.com" }],
])("%s", async (_module, parameters) => {
  const { claims } = await signInTo(parameters);

  expect(claims?.sub).toBe(user.id);
  expect(["phr", "0"]).toContain(claims?.acr);
});

test("oidcc-prompt-none-logged-in, oidcc-id-token-hint, oidcc-max-age-10000", async () => {
  const { tokens, claims } = await signInTo();
  const wishes: Record<string, string>[] = [
    { prompt: "none" },
    { prompt: "none", id_token_hint: String(tokens.id_token) },
    { max_age: "10000" },
  ];
  for (const parameters of wishes) {
    const again = await signInTo(parameters);
    expect(again.claims?.sub).toBe(claims?.sub);
    expect(again.claims?.auth_time).toBe(claims?.auth_time);
  }
});

test("oidcc-ensure-post-request-succeeds", async () => {
  const asking = await ask(config, app);
  const posted = await browser.submit(
    PROVIDER.authorize,
    Object.fromEntries(asking.url.searchParams),
  );
  const url = new URL(posted.headers.get("location") ?? "", gatehouse.origin);

  const { away } = await open(gatehouse, browser, { url });

  await exchange(config, away ?? url, asking);
});

test("oidcc-ensure-request-object-with-redirect-uri", async () => {
  const asking = await ask(config, app);
  const evil = { redirect_uri: "https://evil.example.com/" };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  asking.url.searchParams.set("request", `${part({ alg: "none" })}.${part(evil)}.`);

  const { away } = await open(gatehouse, browser, asking);

  expect(away?.origin).toBe("https://shop.example.com");
  expect(away?.searchParams.get("error")).toBe("request_not_supported");
});

/** Signs a new person in to the app, and lets the app sign them out by parameters made of their ID token. */
async function signOut(parametersOf: (idToken: string) => Record<string, string>) {
  const person = await aSignedInUser(gatehouse);
  const asking = await ask(config, app);
  const away = await allow(gatehouse, person.browser, asking);
  const { id_token } = await exchange(config, away, asking);
  const url = new URL(gatehouse.origin + PROVIDER.endSession);
  url.search = String(new URLSearchParams(parametersOf(String(id_token))));
  const ended = await open(gatehouse, person.browser, { url });
  return { ...ended, isOut: !(await isSignedIn(person.browser)) };
}

const GOOD = { post_logout_redirect_uri: AFTER_SIGN_OUT, state: "bye" };

test("oidcc-rp-initiated-logout, -no-state", async () => {
  const withState = await signOut((id_token_hint) => ({ id_token_hint, ...GOOD }));
  expect(withState).toMatchObject({ isOut: true });
  expect(withState.away?.href).toBe(`${AFTER_SIGN_OUT}?state=bye`);
  const without = await signOut((id_token_hint) => ({
    id_token_hint,
    post_logout_redirect_uri: AFTER_SIGN_OUT,
  }));
  expect(without).toMatchObject({ isOut: true });
  expect(without.away?.href).toBe(AFTER_SIGN_OUT);
});

test.each<[string, (hint: string) => Record<string, string>]>([
  ["no-id-token-hint", () => GOOD],
  ["no-params", () => ({})],
  ["only-state", () => ({ state: "bye" })],
  [
    "modified-id-token-hint",
    (hint) => {
      const [header, , signature] = hint.split(".");
      const claims = { ...decodeJwt(hint), extra: true };
      const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
      return { id_token_hint: `${header}.${payload}.${signature}`, ...GOOD };
    },
  ],
  [
    "bad-id-token-hint",
    (hint) => {
      const payload = hint.split(".")[1];
      const header = Buffer.from('{"alg":"none"}').toString("base64url");
      return { id_token_hint: `${header}.${payload}.`, ...GOOD };
    },
  ],
])("oidcc-rp-initiated-logout-%s: the person is asked first", async (_module, parametersOf) => {
  const { isOut, path, away, page } = await signOut(parametersOf);

  expect(isOut).toBe(false);
  expect(away).toBeUndefined();
  expect(path).toMatch(/^\/app\/connect\/sign-out/);
  expect(page?.status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ["no-post-logout-redirect-uri", {}],
  ["bad-post-logout-redirect-uri", { post_logout_redirect_uri: "https://evil.example.com/" }],
  [
    "query-added-to-post-logout-redirect-uri",
    { post_logout_redirect_uri: `${AFTER_SIGN_OUT}?foo=bar` },
  ],
])("oidcc-rp-initiated-logout-%s: the person is led nowhere else", async (_module, parameters) => {
  const { isOut, path, away } = await signOut((id_token_hint) => ({
    id_token_hint,
    ...parameters,
  }));

  expect(isOut).toBe(true);
  expect(away).toBeUndefined();
  expect(path).toBe("/login");
});

test("oidcc-backchannel-rp-initiated-logout: after it, nobody is signed in silently", async () => {
  const person = await aSignedInUser(gatehouse);
  const asking = await ask(config, app);
  const away = await allow(gatehouse, person.browser, asking);
  const { id_token } = await exchange(config, away, asking);
  const url = client.buildEndSessionUrl(config, { id_token_hint: String(id_token), ...GOOD });
  await open(gatehouse, person.browser, { url });

  const silent = await open(
    gatehouse,
    person.browser,
    await ask(config, app, { prompt: "none", id_token_hint: String(id_token) }),
  );

  expect(silent.away?.searchParams.get("error")).toBe("login_required");
  expect(await isSignedIn(newBrowser(gatehouse))).toBe(false);
});
