import { SignJWT } from "jose";
import * as client from "openid-client";
import { afterAll, describe, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { newSecret } from "../client-secret.ts";
import {
  type App,
  type Asking,
  allow,
  aParty,
  ask,
  discover,
  exchange,
  open,
  REDIRECT_URI,
  walk,
} from "./relying-party.ts";

// What a hostile app, a hostile page or a thief sends. Source: RFC 9700, RFC 6749, 10.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { user, browser } = await aSignedInUser(gatehouse);
const app = await aParty(gatehouse, { isFirstParty: true });
const native = await aParty(gatehouse, {
  isPublic: true,
  isFirstParty: true,
  redirectUris: ["http://127.0.0.1/callback", "com.example.shop:/callback"],
});
const config = await discover(gatehouse, app);

/** Sends a request of the app with some parameters in another way; undefined leaves one out. */
async function sendChanged(changes: Record<string, string | undefined>, of: App = app) {
  const asking = await ask(await discover(gatehouse, of), of);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) asking.url.searchParams.delete(name);
    else asking.url.searchParams.set(name, value);
  }
  return { ...(await open(gatehouse, browser, asking)), asking };
}

describe("a redirect URI that is not the registered one gets nothing", () => {
  test.each([
    "https://evil.example.com/callback",
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?next=https://evil.example.com`,
    `${REDIRECT_URI}#fragment`,
    `${REDIRECT_URI}#`,
    `${REDIRECT_URI}/../other`,
    `${REDIRECT_URI}%2f..%2fother`,
    "https://shop.example.com:8443/callback",
    "http://shop.example.com/callback",
    "HTTPS://SHOP.EXAMPLE.COM/callback",
    "https://user@shop.example.com/callback",
    "https://shop.example.com@evil.example.com/callback",
    "https://shop.example.com.evil.example.com/callback",
    "https://shop.example.com\\@evil.example.com/callback",
    "https://shop.example.com/callback\r\nLocation: https://evil.example.com",
    "//shop.example.com/callback",
    "/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "",
  ])("%s", async (redirect_uri) => {
    const { away, path } = await sendChanged({ redirect_uri });
    expect(away).toBeUndefined();
    expect(path).toMatch(/^\/app\/connect\/error\?error=invalid_re(direct|quest)$/);
  });

  test.each([
    "http://127.0.0.1.evil.example.com:5000/callback",
    "http://localhost:5000/callback",
    "http://127.0.0.1:5000/other",
    "https://127.0.0.1:5000/callback",
    "com.example.shop://callback",
    "com.example.shop.evil:/callback",
  ])("%s of an app on a device", async (redirect_uri) => {
    const { away, path } = await sendChanged({ redirect_uri }, native);
    expect(away).toBeUndefined();
    expect(path).toMatch(/^\/app\/connect\/error\?error=invalid_re(direct|quest)$/);
  });
});

test("a parameter that is there twice gets nothing", async () => {
  for (const name of ["redirect_uri", "client_id", "state", "code_challenge", "scope"]) {
    const asking = await ask(config, app);
    asking.url.searchParams.append(name, "https://evil.example.com/callback");
    const { away } = await open(gatehouse, browser, asking);
    expect(away?.searchParams.has("code") ?? false).toBe(false);
    expect(away?.host ?? "").not.toContain("evil");
  }
});

test.each([
  ["no challenge", { code_challenge: undefined }, "invalid_request"],
  ["no method", { code_challenge_method: undefined }, "invalid_request"],
  ["neither", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
  ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ["a scope that there is not", { scope: "openid admin" }, "invalid_scope"],
  ["the implicit flow", { response_type: "token" }, undefined],
  ["the hybrid flow", { response_type: "code id_token" }, undefined],
  [
    "an answer in the fragment",
    { response_type: "id_token", response_mode: "fragment" },
    undefined,
  ],
  ["a request object", { request: "a.b.c" }, "request_not_supported"],
  [
    "a request elsewhere",
    { request_uri: "https://evil.example.com/r" },
    "request_uri_not_supported",
  ],
])("%s is refused", async (_what, changes, error) => {
  const { away } = await sendChanged(changes);

  expect(away?.searchParams.has("code") ?? false).toBe(false);
  if (error) expect(away?.searchParams.get("error")).toBe(error);
});

test("an app that is not known or switched off gets nothing", async () => {
  const off = await aParty(gatehouse, { isFirstParty: true, isDisabled: true });

  expect((await sendChanged({ client_id: "nobody" })).path).toContain("error=invalid_client");
  expect((await sendChanged({}, off)).path).toContain("error=client_disabled");
});

test("parameters without measure are refused, and break nothing", async () => {
  const long = "x".repeat(7_000);
  for (const name of ["state", "nonce", "scope", "redirect_uri", "client_id", "login_hint"]) {
    const answer = await sendChanged({ [name]: long });
    expect(answer.page?.status ?? 302).toBeLessThan(500);
  }
});

/** Makes the request of an app that the person has not allowed. */
async function askOfStranger(): Promise<Asking> {
  const stranger = await aParty(gatehouse);
  return ask(await discover(gatehouse, stranger), stranger);
}

test("a request that the sign-in cannot lead back to is refused at the app", async () => {
  const asking = await askOfStranger();
  asking.url.searchParams.set("state", "x".repeat(1_800));

  const { away } = await open(gatehouse, browser, asking);

  expect(away?.searchParams.get("error")).toBe("invalid_request");
  expect(away?.searchParams.get("state")).toBe("x".repeat(1_800));
});

test("one person cannot fill the database with tokens of an app", async () => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const copy = (table: string, columns: string, more: string) =>
    gatehouse.d1.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) INSERT INTO ${table} (id, token, client_id, user_id, scopes, expires_at, created_at${columns}) SELECT '${table}' || i, '${table}' || i, '${app.clientId}', '${user.id}', '["openid"]', 9e12, 1${more} FROM n`,
    );
  await copy("oauth_access_token", "", "");
  await copy("oauth_refresh_token", ", revoked", ", 1");

  for (const table of ["oauth_access_token", "oauth_refresh_token"]) {
    const kept = await gatehouse.d1
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE user_id = ? AND client_id = ?`)
      .bind(user.id, app.clientId)
      .first();
    expect(kept).toEqual({ n: 200 });
  }
  // What is in use stays.
  await client.fetchUserInfo(config, tokens.access_token, user.id);
  await client.refreshTokenGrant(config, String(tokens.refresh_token));
});

/** Gets a code, and exchanges it in another way than the app would. */
async function exchangeChanged(
  change: (fields: URLSearchParams) => void,
  headers: HeadersInit = {},
) {
  const asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);
  const fields = new URLSearchParams({
    grant_type: "authorization_code",
    code: away.searchParams.get("code") ?? "",
    redirect_uri: REDIRECT_URI,
    code_verifier: asking.verifier,
    client_id: app.clientId,
    client_secret: String(app.secret),
  });
  change(fields);
  return post("/api/auth/oauth2/token", fields, headers);
}

async function post(path: string, fields: URLSearchParams, headers: HeadersInit = {}) {
  const response = await fetch(gatehouse.url.origin + path, {
    method: "POST",
    body: fields,
    headers: { connection: "close", ...headers },
  });
  const body = (await response.json()) as { error?: string; access_token?: string };
  return { status: response.status, headers: response.headers, body };
}

test.each([
  ["another verifier", { code_verifier: client.randomPKCECodeVerifier() }, 400, "invalid_grant"],
  ["no verifier", { code_verifier: undefined }, 400, "invalid_request"],
  ["another address", { redirect_uri: "https://evil.example.com/" }, 400, "invalid_grant"],
  ["no address", { redirect_uri: undefined }, 400, "invalid_request"],
  ["another secret", { client_secret: newSecret() }, 401, "invalid_client"],
  ["no secret", { client_secret: undefined }, 401, "invalid_client"],
  ["another app", { client_id: "nobody" }, 400, "invalid_grant"],
  ["another code", { code: "nothing" }, 400, "invalid_grant"],
  ["no code", { code: undefined }, 400, "invalid_request"],
  ["no grant", { grant_type: undefined }, 400, undefined],
  ["a password", { grant_type: "password" }, 400, "unsupported_grant_type"],
  ["an app's own access", { grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
])("a code with %s gets nothing", async (_what, changes, status, error) => {
  const answer = await exchangeChanged((fields) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) fields.delete(name);
      else fields.set(name, value);
    }
  });

  expect(answer.body.access_token).toBeUndefined();
  expect(answer).toMatchObject({ status, body: error ? { error } : {} });
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("a code of another app gets nothing", async () => {
  const other = await aParty(gatehouse);
  const answer = await exchangeChanged((fields) => {
    fields.set("client_id", other.clientId);
    fields.set("client_secret", String(other.secret));
  });

  expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("a secret in two places, and a parameter twice, are refused", async () => {
  const basic = `Basic ${btoa(`${app.clientId}:${app.secret}`)}`;

  const twice = await exchangeChanged(() => {}, { authorization: basic });
  const repeated = await exchangeChanged((fields) => fields.append("code", "x"));

  expect(twice).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  expect(repeated).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});

test("a code that is used twice ends what it gave", async () => {
  const asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);
  const tokens = await exchange(config, away, asking);

  await expect(exchange(config, away, asking)).rejects.toThrow();

  await expect(client.fetchUserInfo(config, tokens.access_token, user.id)).rejects.toThrow();
  await expect(client.refreshTokenGrant(config, String(tokens.refresh_token))).rejects.toThrow();
});

test("of many uses of a code at once at most one counts", async () => {
  const asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);

  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => exchange(config, away, asking)),
  );

  expect(answers.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
});

test("a refresh token of another app gets nothing, and stays", async () => {
  const other = await aParty(gatehouse);
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const ofOther = await discover(gatehouse, other);

  await expect(client.refreshTokenGrant(ofOther, String(tokens.refresh_token))).rejects.toThrow();
  await client.tokenRevocation(ofOther, String(tokens.refresh_token)).catch(() => undefined);
  expect(await client.tokenIntrospection(ofOther, tokens.access_token)).toEqual({ active: false });

  await client.refreshTokenGrant(config, String(tokens.refresh_token));
});

test("a token in the URL, of another kind or signed by a stranger tells nothing", async () => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const [header, payload] = String(tokens.id_token).split(".");
  const none = `${btoa('{"alg":"none"}').replaceAll("=", "")}.${payload}.`;
  const stranger = await new SignJWT({ sub: user.id, scope: "openid", azp: app.clientId })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(gatehouse.origin)
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(String(app.secret)));
  const asUser = (authorization: string, search = "") =>
    fetch(`${gatehouse.url.origin}/api/auth/oauth2/userinfo${search}`, {
      headers: { authorization, connection: "close" },
    });

  const byUrl = await fetch(
    `${gatehouse.url.origin}/api/auth/oauth2/userinfo?access_token=${tokens.access_token}`,
    { headers: { connection: "close" } },
  );
  expect(byUrl.status).toBe(401);
  for (const token of [none, stranger]) {
    expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
    await client.tokenRevocation(config, token);
  }
  for (const token of [
    tokens.refresh_token,
    tokens.id_token,
    none,
    stranger,
    `${header}.x.y`,
    "",
  ]) {
    const answer = await asUser(`Bearer ${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain("Bearer");
  }
});

test("a page of another site cannot answer for the person, and reads nothing with their cookies", async () => {
  const asking = await askOfStranger();
  const { path } = await open(gatehouse, browser, asking);
  const headers = { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" };

  const posted = await browser.submit(path, { intent: "allow" }, { headers });
  const read = await browser.get("/api/auth/oauth2/userinfo", { headers });

  expect(posted.status).toBe(403);
  expect(read.status).toBe(401);
  expect(read.headers.get("access-control-allow-origin")).toBe("*");
  expect(read.headers.has("access-control-allow-credentials")).toBe(false);
});

test("a form of another site begins a sign-in, and nothing more", async () => {
  const { url } = await ask(config, app);
  const fields = Object.fromEntries(url.searchParams);
  const headers = { origin: "https://shop.example.com", "sec-fetch-site": "cross-site" };

  const posted = await browser.submit("/api/auth/oauth2/authorize", fields, { headers });

  expect(posted.status).toBe(303);
  const { away } = await walk(gatehouse, browser, posted);
  expect(away?.searchParams.has("code")).toBe(true);
});

test("a page of the web may call what needs no cookie", async () => {
  const response = await fetch(`${gatehouse.url.origin}/api/auth/oauth2/token`, {
    method: "OPTIONS",
    headers: {
      origin: "https://shop.example.com",
      "access-control-request-method": "POST",
      connection: "close",
    },
  });

  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("the page that asks cannot be framed, and its form leads to the app alone", async () => {
  const asking = await askOfStranger();
  const { page } = await open(gatehouse, browser, asking);
  const policy = page?.headers.get("content-security-policy") ?? "";

  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toMatch(/form-action 'self' https:\/\/shop\.example\.com(;|$)/);
});

test("better-auth's own calls for clients and consents stay closed", async () => {
  for (const path of [
    ...["oauth2/register", "oauth2/create-client", "oauth2/get-clients", "oauth2/consent"],
    ...["admin/oauth2/create-client", "oauth2/delete-consent", "oauth2/continue", "token"],
  ]) {
    expect((await browser.api(`/api/auth/${path}`)).status).toBe(404);
  }
});

test("of a refresh at once by many, all that succeed have the same answer", async () => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const token = String(tokens.refresh_token);

  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.refreshTokenGrant(config, token)),
  );

  const given = answers.flatMap((one) =>
    one.status === "fulfilled" ? [one.value.refresh_token] : [],
  );
  expect(new Set(given).size).toBe(1);
  const again = await client.refreshTokenGrant(config, token);
  expect(again.refresh_token).toBe(given[0]);
});

test("a refresh token that is used long after its rotation ends the app's access", async () => {
  const asking = await ask(config, app);
  const tokens = await exchange(config, await allow(gatehouse, browser, asking), asking);
  const next = await client.refreshTokenGrant(config, String(tokens.refresh_token));
  await gatehouse.d1
    .prepare(
      "UPDATE oauth_refresh_token SET rotation_replay_expires_at = 1 WHERE revoked IS NOT NULL",
    )
    .run();

  await expect(client.refreshTokenGrant(config, String(tokens.refresh_token))).rejects.toThrow();

  await expect(client.refreshTokenGrant(config, String(next.refresh_token))).rejects.toThrow();
});

test("somebody else's browser gets nothing by the code's URL", async () => {
  const asking: Asking = await ask(config, app);
  const away = await allow(gatehouse, browser, asking);
  const thief = newBrowser(gatehouse);

  // Without the verifier, which never left the app.
  const stolen = { ...asking, verifier: client.randomPKCECodeVerifier() };

  await expect(exchange(config, away, stolen)).rejects.toThrow();
  expect((await thief.get("/api/auth/oauth2/userinfo")).status).toBe(401);
});
