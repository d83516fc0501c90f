import { afterAll, beforeEach, expect, test } from "vitest";
import { alertsOf, locationOf, newBrowser } from "../support/client.ts";
import { aUser, enterCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startTurnstile } from "../support/turnstile.ts";
import { startGatehouse } from "../support/worker.ts";

const FIELD = "cf-turnstile-response";
const SEND = "/api/auth/email-otp/send-verification-otp";

const say = translationsIn("en");
const turnstile = await startTurnstile();
const gatehouse = await startGatehouse({ vars: turnstile.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await turnstile[Symbol.asyncDispose]();
});
beforeEach(() => turnstile.setCondition("well"));

test("a solved captcha sends a code, by form and by API", async () => {
  const email = newEmail();
  const browser = newBrowser(gatehouse);

  const form = await browser.submit("/login", {
    intent: "email",
    email,
    [FIELD]: turnstile.solve(),
  });
  expect(locationOf(form)).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  await gatehouse.mailbox.codeFor(email);
  const api = await browser.api(
    SEND,
    { email, type: "sign-in" },
    { headers: { "x-captcha-response": turnstile.solve() } },
  );
  expect(api.status).toBe(200);
  const code = await gatehouse.mailbox.codeFor(email);

  expect(locationOf(await enterCode(browser, email, code))).toBe("/onboarding");
});

test.each([
  ["missing", undefined, 400, say("codes:MISSING_RESPONSE")],
  ["wrong", "not a token", 403, say("codes:VERIFICATION_FAILED")],
])(
  "a captcha that is %s is refused with its own message, and nothing is sent",
  async (_name, token, status, text) => {
    const email = newEmail();
    const fields = { intent: "email", email, ...(token && { [FIELD]: token }) };
    const headers: Record<string, string> = token ? { "x-captcha-response": token } : {};

    const form = await newBrowser(gatehouse).submit("/login", fields);
    const api = await newBrowser(gatehouse).api(SEND, { email, type: "sign-in" }, { headers });

    expect(form.status).toBe(status);
    expect(alertsOf(await form.text())).toEqual([text]);
    expect(api.status).toBe(status);
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM mail_outbox WHERE recipient = ?")
      .bind(email)
      .all();
    expect(results).toEqual([]);
  },
);

test.each([
  ["on another site", { hostname: "evil.example" }],
  ["for another action", { action: "newsletter" }],
])("a captcha that was solved %s is refused, and nothing is sent", async (_name, where) => {
  const email = newEmail();

  const form = await newBrowser(gatehouse).submit("/login", {
    intent: "email",
    email,
    [FIELD]: turnstile.solve(where),
  });

  expect(form.status).toBe(403);
  expect(alertsOf(await form.text())).toEqual([say("codes:VERIFICATION_FAILED")]);
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .all();
  expect(results).toEqual([]);
});

test("a token is valid once", async () => {
  const token = turnstile.solve();
  const submit = () =>
    newBrowser(gatehouse).submit("/login", { intent: "email", email: newEmail(), [FIELD]: token });

  expect((await submit()).status).toBe(302);
  expect((await submit()).status).toBe(403);
});

test.each(["failing", "down"] as const)(
  "while the captcha is %s no code is sent, and the screen says why",
  async (condition) => {
    await using broken = await startGatehouse({ vars: turnstile.vars });
    broken.expectErrors("auth.failed");
    const token = turnstile.solve();
    turnstile.setCondition(condition);
    const email = newEmail();

    const form = await newBrowser(broken).submit("/login", {
      intent: "email",
      email,
      [FIELD]: token,
    });
    const api = await newBrowser(broken).api(
      SEND,
      { email, type: "sign-in" },
      { headers: { "x-captcha-response": token } },
    );

    expect(form.status).toBe(503);
    expect(alertsOf(await form.text())).toEqual([say("codes:SERVICE_UNAVAILABLE")]);
    expect(api.status).toBe(503);
    expect(await api.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(broken.mailbox.attempts).toEqual([]);
  },
);

test("a failed captcha does not count against the code limit of an e-mail", async () => {
  const email = newEmail();
  for (let count = 0; count < 8; count++) {
    await newBrowser(gatehouse).submit("/login", { intent: "email", email, [FIELD]: "wrong" });
  }

  const response = await newBrowser(gatehouse).submit("/login", {
    intent: "email",
    email,
    [FIELD]: turnstile.solve(),
  });

  expect(response.status).toBe(302);
});

test("resending asks for the captcha too", async () => {
  const email = newEmail();
  const browser = newBrowser(gatehouse);
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;

  const without = await browser.submit(verify, { intent: "resend" });
  const solved = await browser.submit(verify, { intent: "resend", [FIELD]: turnstile.solve() });

  expect(without.status).toBe(400);
  expect(alertsOf(await without.text())).toEqual([say("codes:MISSING_RESPONSE")]);
  expect(locationOf(solved)).toBe(verify);
});

test("a solved captcha reopens an e-mail that wrong codes have closed", async () => {
  const { email } = await aUser(gatehouse);
  const guess = () =>
    newBrowser(gatehouse).api("/api/auth/sign-in/email-otp", { email, otp: "000000" });
  for (let count = 0; count < 100; count++) await guess();
  expect((await guess()).status).toBe(429);
  const browser = newBrowser(gatehouse);

  await browser.submit("/login", { intent: "email", email, [FIELD]: turnstile.solve() });
  const code = await gatehouse.mailbox.codeFor(email);

  expect(locationOf(await enterCode(browser, email, code))).toBe("/app");
});

test("the content policy allows the captcha's origin only when a captcha is configured", async () => {
  await using plain = await startGatehouse();
  const policyOf = async (target: typeof gatehouse) =>
    (await newBrowser(target).get("/login")).headers.get("content-security-policy");

  expect(await policyOf(gatehouse)).toContain("https://challenges.cloudflare.com");
  expect(await policyOf(plain)).not.toContain("challenges.cloudflare.com");
});
