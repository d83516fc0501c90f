import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { anAdmin, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse({ mail: "local" });
const secure = await startGatehouse({
  vars: {
    BASE_URL: "https://gatehouse.example",
    RESEND_API_KEY: "re_unused",
    SECURITY_CONTACT: "https://gatehouse.example/report",
  },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

/** URLs with and without an action: the origin is checked before routing. */
const URLS = [
  "/",
  "/login",
  "/login.data",
  "/login/verify?email=a%40example.com",
  "/onboarding",
  "/app",
  "/manager/dashboard",
  "/preferences",
  "/sign-out",
  "/api/auth/sign-out",
  "/api/auth/email-otp/send-verification-otp",
  "/_server/email-availability",
  "/health",
  "/nothing/here",
];

const FOREIGN: [name: string, headers: Record<string, string>][] = [
  ["another site's Origin", { origin: "https://evil.example" }],
  ["a null Origin", { origin: "null" }],
  ["another port's Origin", { origin: "http://localhost:1" }],
  ["https where http is served", { origin: gatehouse.origin.replace("http:", "https:") }],
  ["a subdomain's Origin", { origin: gatehouse.origin.replace("localhost", "x.localhost") }],
  ["our Origin as a prefix", { origin: `${gatehouse.origin}.evil.example` }],
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ["cross-site with our Origin", { origin: gatehouse.origin, "sec-fetch-site": "cross-site" }],
];

test.each(FOREIGN)("a mutation with %s is refused at every URL", async (_name, headers) => {
  const browser = newBrowser(gatehouse);
  browser.cookies.set("gatehouse.session_token", "x");
  for (const url of URLS) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const response = await fetch(gatehouse.url.origin + url, {
        method,
        redirect: "manual",
        headers: { cookie: "gatehouse.session_token=x", ...headers },
      });
      expect([url, method, response.status]).toEqual([url, method, 403]);
      expect(await response.json()).toMatchObject({ code: "FORBIDDEN_ORIGIN" });
    }
  }
});

test("a mutation with cookies but without Origin and Sec-Fetch-Site is refused", async () => {
  const response = await fetch(`${gatehouse.url.origin}/sign-out`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: "gatehouse.session_token=x" },
  });

  expect(response.status).toBe(403);
});

test("a request without cookies may call the API without an Origin", async () => {
  const response = await fetch(`${gatehouse.url.origin}/api/auth/email-otp/send-verification-otp`, {
    method: "POST",
    headers: { "content-type": "application/json", "cf-connecting-ip": "192.0.2.1" },
    body: JSON.stringify({ email: newEmail(), type: "sign-in" }),
  });

  expect(response.status).toBe(200);
});

test("a page may be opened from another site", async () => {
  const browser = newBrowser(gatehouse);

  const response = await browser.get("/login", {
    headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  });

  expect(response.status).toBe(200);
});

test("a mutation from another origin changes nothing", async () => {
  await using open = await startGatehouse();
  const { user, browser } = await anAdmin(open);

  await browser.submit("/sign-out", {}, { headers: { origin: "https://evil.example" } });
  await browser.api("/api/auth/revoke-sessions", {}, { headers: { origin: "null" } });

  const row = await open.d1
    .prepare("SELECT count(*) AS n FROM session WHERE user_id = ?")
    .bind(user.id)
    .first<{ n: number }>();
  expect(row?.n).toBe(1);
});

test("a client's Host and X-Forwarded headers have no effect", async () => {
  const browser = newBrowser(secure);
  const forwarded = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
    "x-forwarded-for": "203.0.113.9",
    forwarded: "host=evil.example",
  };

  const page = await browser.get("/login", { headers: forwarded });
  const text = await browser.get("/.well-known/security.txt", { headers: forwarded });
  const away = await browser.get("/manager", { headers: forwarded });

  expect(await page.text()).not.toContain("evil.example");
  expect(await text.text()).toContain(
    "Canonical: https://gatehouse.example/.well-known/security.txt",
  );
  expect(away.headers.get("location")).toBe("/login?redirect=%2Fmanager");
});

test("only the configured origin may post, at any URL of the worker", async () => {
  const browser = newBrowser(secure);
  const fields = { intent: "language", value: "fr" };

  const ours = await browser.submit("/preferences", fields);
  const where = await browser.submit("/preferences", fields, {
    headers: { origin: secure.url.origin },
  });

  expect(ours.status).toBe(303);
  expect(where.status).toBe(403);
});
