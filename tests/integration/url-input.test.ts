import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../support/client.ts";
import { aSignedInUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: user } = await aSignedInUser(gatehouse);

test.each([
  "/login?redirect=%2Fapp&redirect=%2F%2Fevil.example",
  "/login?redirect[]=x&redirect[a]=y",
  "/login?lng=__proto__",
  "/login?lng=../../etc/passwd",
  "/login?lng=fr&lng=ar",
  "/login?%E0%A4%A=%E0%A4%A",
  `/login?redirect=${"x".repeat(10_000)}`,
  "/login/error?error=%3Cscript%3E&error=b",
  "/login/error?error=__proto__",
  "/login/error?error=constructor",
])("%s answers the normal page", async (url) => {
  const response = await newBrowser(gatehouse).get(url);

  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain("<script>alert");
});

test("the first value of a repeated `email` parameter counts", async () => {
  const email = newEmail();

  const page = await newBrowser(gatehouse).get(
    `/login/verify?email=${encodeURIComponent(email)}&email=b%40example.com`,
  );

  expect(readText(await page.text())).toContain(email);
});

test.each([
  "/%E0%A4%A",
  "/%00",
  "/a%0Ab",
  "/a%0Db",
  "/a%E2%80%A8b",
  "/..%2f..%2fetc%2fpasswd",
  "/app/%2e%2e/%2e%2e/x",
  "//evil.example/x",
  "/\\evil.example",
  "/app.data.data",
  "/login.data?_routes=routes%2Fmanager%2Fdashboard",
  "/login.data?_routes=__proto__",
  "/_.data?_routes=",
  "/__manifest?p=%2Fapp&version=x",
  "/assets/nothing.js",
  `/${"x".repeat(7_000)}`,
])("%s causes no server error", async (url) => {
  const response = await newBrowser(gatehouse).get(url);

  expect(response.status).toBeLessThan(500);
  expect(await response.text()).not.toMatch(/\bat .+:\d+:\d+|SyntaxError|TypeError/);
});

test("the data URL of one screen does not answer another's data", async () => {
  const response = await user.get("/app.data?_routes=routes%2Fmanager%2Fdashboard");

  expect(await response.text()).not.toMatch(/newUsers/);
});

test.each(["OPTIONS", "PROPFIND", "SEARCH"])("%s is no method of the product", async (method) => {
  for (const url of ["/", "/login", "/app", "/api/auth/sign-out", "/health", "/nothing"]) {
    const response = await newBrowser(gatehouse).request(url, { method });
    expect([url, response.status]).toEqual([url, 405]);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE");
  }
});

test("a huge header causes no server error", async () => {
  const response = await newBrowser(gatehouse).get("/login", {
    headers: {
      "accept-language": Array(500).fill("xx-YY;q=0.1").join(","),
      "user-agent": "\u00ff",
    },
  });

  expect(response.status).toBe(200);
});
