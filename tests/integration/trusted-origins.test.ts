import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { clientTest } from "../support/endpoints.ts";
import { FEATURE_TESTS } from "../support/feature-tests.ts";
import { outsideClientFor } from "../support/outside-client.ts";
import { anAdmin, aSignedInUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SITE = "https://app.example.com";
const APP = "myapp://";

const gatehouse = await startGatehouse({
  vars: {
    BASE_URL: "https://accounts.example.com",
    TRUSTED_ORIGINS: `${SITE}, ${APP}, capacitor://localhost`,
  },
});
const plain = await startGatehouse();
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

const SIGN_OUT = "/api/auth/sign-out";
const FROM_SITE = { origin: SITE, "sec-fetch-site": "same-site" };

const TRUSTED: [name: string, headers: Record<string, string>][] = [
  ["a program that names BASE_URL", { origin: gatehouse.origin }],
  ["a page of a trusted origin of the same site", FROM_SITE],
  ["a native app with a trusted scheme", { "expo-origin": APP }],
  ["an app whose web view has a trusted origin", { origin: "capacitor://localhost" }],
];

/** Signs in with a code, by the client of another program. */
async function aSignedInClient(headers: Record<string, string>) {
  const client = outsideClientFor(gatehouse, headers);
  const email = newEmail();
  await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" });
  const otp = await gatehouse.mailbox.codeFor(email);
  const { error } = await client.signIn.emailOtp({ email, otp });
  expect(error).toBeNull();
  return { client, email, otp };
}

test.each(TRUSTED)("better-auth's client signs in and out from %s", async (_name, headers) => {
  const { client, email } = await aSignedInClient(headers);

  const { data: current } = await client.getSession();
  const out = await client.signOut();
  const after = await client.getSession();

  expect(current?.user.email).toBe(email);
  expect([out.error, after.data]).toEqual([null, null]);
});

clientTest.each(TRUSTED)("better-auth's client changes things from %s", async (_name, headers) => {
  const { client, email, otp } = await aSignedInClient(headers);

  const named = await client.updateUser({ name: "Layla Haddad" });
  const created = await client.organization.create({ name: "Haddad", slug: `haddad-${otp}` });

  expect([named.error, created.error]).toEqual([null, null]);
  const { data: current } = await client.getSession();
  expect(current?.user).toMatchObject({ email, name: "Layla Haddad" });
});

test("better-auth's client works in a program at a site without trusted origins", async () => {
  const client = outsideClientFor(plain, { origin: plain.origin });
  const email = newEmail();

  await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" });
  const otp = await plain.mailbox.codeFor(email);
  await client.signIn.emailOtp({ email, otp });

  expect((await client.getSession()).data?.user.email).toBe(email);
});

test("a client with cookies and without an origin is refused, with a code that the documents name", async () => {
  const client = outsideClientFor(gatehouse, {});
  const email = newEmail();

  await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" });
  const otp = await gatehouse.mailbox.codeFor(email);
  const { error } = await client.signIn.emailOtp({ email, otp });

  expect(error).toMatchObject({ status: 403, code: "FORBIDDEN_ORIGIN" });
});

const REFUSED: [name: string, headers: Record<string, string>][] = [
  ["another site", { origin: "https://evil.example" }],
  ["a null origin", { origin: "null" }],
  ["a subdomain of a trusted origin", { origin: "https://x.app.example.com" }],
  ["a trusted origin as a prefix", { origin: `${SITE}.evil.example` }],
  ["a trusted origin with another port", { origin: `${SITE}:8443` }],
  ["a trusted origin over http", { origin: "http://app.example.com" }],
  ["a trusted origin in capitals", { origin: SITE.toUpperCase() }],
  ["two origins", { origin: `${SITE}, https://evil.example` }],
  ["another app's scheme", { "expo-origin": "otherapp://" }],
  ["a longer app's scheme", { "expo-origin": "myapp://evil" }],
  ["a null scheme", { "expo-origin": "null" }],
  ["a website in the header of apps", { "expo-origin": SITE }],
  ["an app's scheme beside another origin", { "expo-origin": APP, origin: "https://evil.example" }],
  ["an app's scheme beside a null origin", { "expo-origin": APP, origin: "null" }],
  ["an app's scheme from a browser", { "expo-origin": APP, "sec-fetch-site": "cross-site" }],
];

/** Sends a request with a session's cookie and these headers alone. */
function send(cookies: Map<string, string>, path: string, init: RequestInit): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, "content-type": "application/json", connection: "close" };
  return fetch(gatehouse.url.origin + path, {
    redirect: "manual",
    ...init,
    headers: { ...headers, ...init.headers },
  });
}

test.each(REFUSED)(
  "a call from %s is refused, and its answer cannot be read",
  async (_name, headers) => {
    const { browser } = await aSignedInUser(gatehouse);

    const call = { method: "POST", body: "{}", headers };
    const answer = await send(browser.cookies, SIGN_OUT, call);
    const asked = await send(browser.cookies, "/api/auth/get-session", { headers });
    const preflight = await send(new Map(), SIGN_OUT, {
      method: "OPTIONS",
      headers: { ...headers, "access-control-request-method": "POST" },
    });

    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "FORBIDDEN_ORIGIN" });
    expect((await browser.get("/api/auth/get-session")).status).toBe(200);
    expect(preflight.status).toBe(405);
    for (const { headers: sent } of [answer, asked, preflight]) {
      expect(sent.get("access-control-allow-origin")).toBeNull();
      expect(sent.get("access-control-allow-credentials")).toBeNull();
      expect(sent.get("vary")).toContain("Origin");
    }
  },
);

test("a page of a trusted origin reads answers and refusals, with its user's cookies", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);

  const session = await send(browser.cookies, "/api/auth/get-session", { headers: FROM_SITE });
  const refused = await send(browser.cookies, "/api/auth/link-social", {
    method: "POST",
    body: "{}",
    headers: FROM_SITE,
  });

  expect(await session.json()).toMatchObject({ user: { id: user.id } });
  expect(refused.status).toBe(400);
  for (const { headers } of [session, refused]) {
    expect(headers.get("access-control-allow-origin")).toBe(SITE);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("vary")).toContain("Origin");
  }
});

test("a browser that asks first may send what better-auth's client sends, and nothing else", async () => {
  const asked = { "access-control-request-method": "POST", ...FROM_SITE };
  const { status, headers } = await send(new Map(), SIGN_OUT, {
    method: "OPTIONS",
    headers: { ...asked, "access-control-request-headers": "content-type" },
  });

  expect(status).toBe(204);
  expect(Object.fromEntries(headers)).toMatchObject({
    "access-control-allow-origin": SITE,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "content-type, x-captcha-response",
    vary: "Origin",
  });
  expect(headers.getSetCookie()).toEqual([]);
});

/** What lies beside `/api/auth/`, and looks like it. */
const ELSEWHERE = [
  ...["/", "/login", "/app", "/manager/users", "/preferences", "/sign-out", "/onboarding.data"],
  ...["/_server/email-availability", "/api/openapi.json"],
  ...FEATURE_TESTS.flatMap(({ access = {} }) => Object.keys(access)).filter((url) =>
    /^\/api\/v1\/\w+$/.test(url),
  ),
  ...["/api/auth", "/api/authx/sign-out", "/api/auth/../v1/anything", "/API/AUTH/sign-out"],
  ...["/api/auth/..%2f..%2fsign-out", "/api%2fauth/sign-out", "//api/auth/sign-out", "/health"],
];

test.each(ELSEWHERE)("a trusted origin gets nothing at %s", async (path) => {
  const { browser } = await anAdmin(gatehouse);

  const read = await send(browser.cookies, path, { headers: FROM_SITE });
  const changed = await send(browser.cookies, path, { method: "POST", headers: FROM_SITE });
  const fromApp = await send(browser.cookies, path, {
    method: "POST",
    headers: { "expo-origin": APP },
  });
  const preflight = await send(new Map(), path, {
    method: "OPTIONS",
    headers: { ...FROM_SITE, "access-control-request-method": "POST" },
  });

  // A path below `/api/auth/` that no endpoint has is an unknown one.
  const isBelow = new URL(path, gatehouse.origin).pathname.startsWith("/api/auth/");
  const status = isBelow ? 404 : 403;
  expect([changed.status, fromApp.status]).toEqual([status, status]);
  if (isBelow) return;
  for (const { headers } of [read, changed, preflight]) {
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("a trusted origin passes no other guard: an e-mail that is not proven adds no passkey", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const unprove = "UPDATE user SET email_verified = 0 WHERE id = ?";
  await gatehouse.d1.prepare(unprove).bind(user.id).run();

  const options = "/api/auth/passkey/generate-register-options";
  const refused = await send(browser.cookies, options, { headers: FROM_SITE });
  const closed = await send(browser.cookies, "/api/auth/get-access-token", {
    method: "POST",
    body: "{}",
    headers: FROM_SITE,
  });

  expect([refused.status, closed.status]).toEqual([403, 404]);
});

test("without the setting a preflight is answered as every other OPTIONS", async () => {
  const response = await fetch(plain.url.origin + SIGN_OUT, {
    method: "OPTIONS",
    headers: { origin: SITE, "access-control-request-method": "POST", connection: "close" },
  });

  expect(response.status).toBe(405);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  await newBrowser(plain).get("/health");
});
