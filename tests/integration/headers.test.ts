import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, newEmail } from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const asset = `/assets/${readdirSync(resolve("build/client/assets")).find((name) => name.endsWith(".js"))}`;

/** Expects the security headers that every response has. */
function expectSecureHeaders(response: Response): void {
  const { headers } = response;
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("permissions-policy")).toContain("camera=()");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}; includeSubDomains/);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("frame-ancestors 'none'");
  // A file may load nothing; a page may load the product's own files.
  if (!policy.includes("default-src 'none'")) {
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
  }
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  expect(scripts).not.toContain("unsafe");
  expect(headers.get("server")).toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
}

const { browser: manager } = await anAdmin(gatehouse);
const { browser: user } = await aSignedInUser(gatehouse);
const anonymous = newBrowser(gatehouse);
const picture = crypto.randomUUID();
await (await gatehouse.getBucket("AVATARS")).put(picture, aPicture());

test.each<[string, () => Promise<Response>, number]>([
  ["a page", () => anonymous.get("/login"), 200],
  ["a page behind the sign-in", () => manager.get("/manager/dashboard"), 200],
  ["data", () => manager.get("/manager/dashboard.data"), 200],
  ["a redirect", () => anonymous.get("/"), 302],
  ["a redirect of a guard", () => anonymous.get("/app"), 302],
  ["a redirect as data", () => anonymous.get("/app.data"), 202],
  ["a form with an error", () => anonymous.submit("/login", { intent: "email", email: "x" }), 400],
  ["a call with an error", () => anonymous.api("/api/auth/sign-in/email-otp", {}), 400],
  ["a forbidden page", () => user.get("/manager"), 403],
  ["a foreign post", () => anonymous.submit("/login", {}, { headers: { origin: "null" } }), 403],
  ["an unknown page", () => anonymous.get("/nothing"), 404],
  ["an unknown URL", () => anonymous.get("/api/auth/nothing"), 404],
  ["a wrong method", () => anonymous.submit("/health", {}), 405],
  ["a wrong method of the API", () => anonymous.get("/api/auth/sign-out"), 405],
  ["a body too large", () => anonymous.api("/api/auth/sign-out", { x: "x".repeat(20_000) }), 413],
  ["a JSON answer", () => anonymous.get("/api/auth/get-session"), 200],
  ["health", () => anonymous.get("/health"), 200],
  ["robots.txt", () => anonymous.get("/robots.txt"), 200],
  ["a picture", () => user.get(`/avatars/${picture}`), 200],
  ["an unknown picture", () => anonymous.get("/avatars/nobody"), 404],
  ["a HEAD", () => anonymous.request("/login", { method: "HEAD" }), 200],
])("%s has the security headers", async (_name, ask, status) => {
  const response = await ask();

  expect(response.status).toBe(status);
  expectSecureHeaders(response);
  expect(response.headers.get("x-request-id")).toMatch(/\S/);
});

test.each([asset, "/icon.svg", "/manifest.webmanifest"])(
  "the file %s has the security headers",
  async (path) => {
    const response = await anonymous.get(path);

    expect(response.status).toBe(200);
    expectSecureHeaders(response);
  },
);

test("hashed files are cached for ever, and pages are not cached", async () => {
  const file = await anonymous.get(asset);
  const page = await anonymous.get("/login");

  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(page.headers.get("cache-control")).toBe("no-store");
});

test.each([
  "/robots.txt?lng=fr",
  "/llms.txt?lng=fr",
  "/.well-known/security.txt?lng=fr",
  "/.well-known/passkey-endpoints?lng=fr",
])("%s has no cookie while it is publicly cacheable", async (path) => {
  const { headers } = await newBrowser(gatehouse).get(path);

  const isPublic = headers.get("cache-control")?.includes("public") ?? false;
  expect(isPublic && headers.get("set-cookie")).toBeFalsy();
});

test("a picture with a cookie is not publicly cacheable", async () => {
  const { headers } = await user.get(`/avatars/${picture}?lng=fr`);

  expect(headers.get("cache-control")).toMatch(/^private,/);
});

/** Returns the `form-action` sources of the login page. */
async function formTargets(of: Pick<typeof gatehouse, "url" | "origin">): Promise<string> {
  const policy = (await newBrowser(of).get("/login")).headers.get("content-security-policy");
  return /form-action ([^;]*)/.exec(policy ?? "")?.[1] ?? "";
}

test("a form may post to the product and be redirected to the configured providers only", async () => {
  await using social = await startGatehouse({
    vars: {
      GITHUB_CLIENT_ID: "id",
      GITHUB_CLIENT_SECRET: "secret",
      OIDC_DISCOVERY_URL: "https://id.example:8443/realm/.well-known/openid-configuration",
      OIDC_CLIENT_ID: "id",
      OIDC_CLIENT_SECRET: "secret",
    },
  });

  expect(await formTargets(gatehouse)).toBe("'self'");
  expect(await formTargets(social)).toBe("'self' https://github.com https://id.example:8443");
});

test.each([
  ["/", { html: true }],
  ["/login/error", { html: true }],
  ["/health", { html: false }],
  ["/robots.txt", { html: false }],
])(
  "a POST to %s is answered with 405, the allowed methods and a message",
  async (path, { html }) => {
    const response = await newBrowser(gatehouse, { language: "fr" }).submit(path, {});

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    if (html) {
      const page = await response.text();
      expect(readPage(page).rootAttribute("lang")).toBe("fr");
      expect(readText(page)).toContain(translationsIn("fr")("common:errors.generic"));
    } else {
      expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    }
  },
);

test("a rate limit's response has the security headers", async () => {
  const browser = newBrowser(gatehouse, { ipAddress: "192.0.2.99" });
  const guess = () =>
    browser.api("/api/auth/sign-in/email-otp", { email: newEmail(), otp: "000000" });
  for (let count = 0; count < 20; count++) await guess();

  const response = await guess();

  expect(response.status).toBe(429);
  expectSecureHeaders(response);
});

test("a failure's response has the security headers and no internal details", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("request.failed");
  const { browser } = await anAdmin(broken);
  await broken.d1.exec("ALTER TABLE mail_outbox RENAME TO elsewhere");

  const response = await browser.get("/manager/mail");

  expect(response.status).toBe(500);
  expectSecureHeaders(response);
  const page = await response.text();
  expect(page).not.toMatch(/SQLITE|D1_|no such table|\bat .*\.js:\d/);
  const data = await browser.get("/manager/mail.data");
  expect(data.status).toBe(500);
  expect(await data.text()).not.toMatch(/SQLITE|D1_|no such table|select .*mail_outbox/i);
});

test("a configuration error's response has the security headers", async () => {
  await using unfinished = await startGatehouse({ vars: { BETTER_AUTH_SECRET: "short" } });
  unfinished.expectErrors("configuration.incomplete");

  const response = await newBrowser(unfinished).get("/login");

  expect(response.status).toBe(503);
  expectSecureHeaders(response);
});

test.each([
  ["a page", () => manager.get("/manager/dashboard")],
  ["its data", () => manager.get("/manager/dashboard.data")],
  ["the session", () => manager.get("/api/auth/get-session")],
  ["a refusal", () => user.get("/manager")],
  ["the redirect to the login screen", () => anonymous.get("/app")],
  ["a server function", () => manager.get("/_server/email-availability?payload=%7B%7D")],
])("%s is not cached", async (_name, ask) => {
  expect((await ask()).headers.get("cache-control")).toBe("no-store");
});

test("each response has a nonce of its own, and every script of the page uses it", async () => {
  const nonces = new Set<string>();
  for (const path of ["/login", "/login", "/nothing"]) {
    const response = await anonymous.get(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const scripts = readPage(await response.text()).document.querySelectorAll("script");
    const used = new Set([...scripts].map((script) => script.getAttribute("nonce")));
    expect(used).toEqual(new Set([nonce]));
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

test("a client's own request id is not used", async () => {
  const response = await anonymous.get("/login", { headers: { "x-request-id": "mine" } });

  expect(response.headers.get("x-request-id")).not.toBe("mine");
});

test("on https a page upgrades insecure requests", async () => {
  await using secure = await startGatehouse({ vars: { BASE_URL: "https://gatehouse.example" } });

  const response = await newBrowser(secure).get("/login");

  expectSecureHeaders(response);
  expect(response.headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
});
