import { afterAll, beforeEach, expect, test } from "vitest";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { aUser, aUserSignedInByCode, enterCode, newEmail } from "../support/people.ts";
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

/** An e-mail whose codes of the hour that need no captcha are used up; the next mail could leave. */
async function anAskedEmail(target = gatehouse): Promise<string> {
  const { email } = await aUser(target);
  for (let count = 0; count < 5; count++) {
    expect((await newBrowser(target).api(SEND, { email })).status).toBe(200);
    await target.mailbox.codeFor(email);
  }
  await target.d1.exec("UPDATE sign_in_code SET sent_at = sent_at - 540001");
  return email;
}

async function countMails(email: string, target = gatehouse): Promise<number | null> {
  return target.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<number>("n");
}

test("the first five codes of an hour need no captcha, for known and unknown e-mails", async () => {
  for (const email of [(await aUser(gatehouse)).email, newEmail()]) {
    const browser = newBrowser(gatehouse);
    for (let count = 0; count < 5; count++) {
      expect((await browser.api(SEND, { email })).status).toBe(200);
    }
    const page = readText(await (await browser.get("/login")).text());
    expect(page).not.toContain(say("login:captchaNeedsScript"));

    const sixth = await browser.api(SEND, { email });
    expect([sixth.status, await sixth.json()]).toMatchObject([400, { code: "MISSING_RESPONSE" }]);
  }
});

test("then a solved captcha sends a code, by form and by API", async () => {
  const email = await anAskedEmail();
  const browser = newBrowser(gatehouse);

  const form = await browser.submit("/login", {
    intent: "email",
    email,
    [FIELD]: turnstile.solve(),
  });
  expect(locationOf(form)).toBe(`/login/verify?email=${encodeURIComponent(email)}`);
  await gatehouse.mailbox.codeFor(email);
  await gatehouse.d1.exec("UPDATE sign_in_code SET sent_at = sent_at - 540001");
  const api = await browser.api(
    SEND,
    { email, type: "sign-in" },
    { headers: { "x-captcha-response": turnstile.solve() } },
  );
  expect(await api.json()).toEqual({ success: true });
  const code = await gatehouse.mailbox.codeFor(email);

  expect(locationOf(await enterCode(browser, email, code))).toBe("/app");
});

test("a trusted device with codes of its own left needs no captcha", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  await browser.submit("/sign-out", {});
  for (let count = 0; count < 5; count++) {
    await newBrowser(gatehouse).api(SEND, { email: user.email });
  }

  expect((await browser.api(SEND, { email: user.email })).status).toBe(200);
});

test.each([
  ["missing", undefined, 400, say("codes:MISSING_RESPONSE")],
  ["wrong", "not a token", 403, say("codes:VERIFICATION_FAILED")],
])(
  "a captcha that is %s is refused with its own message and the captcha, and nothing is sent",
  async (_name, token, status, text) => {
    const email = await anAskedEmail();
    const fields = { intent: "email", email, ...(token && { [FIELD]: token }) };
    const headers: Record<string, string> = token ? { "x-captcha-response": token } : {};

    const form = await newBrowser(gatehouse).submit("/login", fields);
    const api = await newBrowser(gatehouse).api(SEND, { email, type: "sign-in" }, { headers });

    expect(form.status).toBe(status);
    expect(alertsOf(await form.text())).toEqual([text]);
    expect(api.status).toBe(status);
    expect(await countMails(email)).toBe(5);
  },
);

test.each([
  ["on another site", { hostname: "evil.example" }],
  ["for another action", { action: "newsletter" }],
])("a captcha that was solved %s is refused, and nothing is sent", async (_name, where) => {
  const email = await anAskedEmail();

  const form = await newBrowser(gatehouse).submit("/login", {
    intent: "email",
    email,
    [FIELD]: turnstile.solve(where),
  });

  expect(form.status).toBe(403);
  expect(alertsOf(await form.text())).toEqual([say("codes:VERIFICATION_FAILED")]);
  expect(await countMails(email)).toBe(5);
});

test("a token is valid once", async () => {
  const token = turnstile.solve();
  const email = await anAskedEmail();
  const submit = () =>
    newBrowser(gatehouse).submit("/login", { intent: "email", email, [FIELD]: token });

  expect((await submit()).status).toBe(302);
  expect((await submit()).status).toBe(403);
});

test.each(["failing", "down"] as const)(
  "while the captcha is %s no code is sent, and the screen says why",
  async (condition) => {
    await using broken = await startGatehouse({ vars: turnstile.vars });
    broken.expectErrors("auth.failed");
    const token = turnstile.solve();
    const email = await anAskedEmail(broken);
    turnstile.setCondition(condition);

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
    expect(await countMails(email, broken)).toBe(5);
  },
);

test("a failed captcha takes no mail", async () => {
  const email = await anAskedEmail();
  for (let count = 0; count < 8; count++) {
    await newBrowser(gatehouse).submit("/login", { intent: "email", email, [FIELD]: "wrong" });
  }

  const response = await newBrowser(gatehouse).api(
    SEND,
    { email },
    { headers: { "x-captcha-response": turnstile.solve() } },
  );

  expect(await response.json()).toEqual({ success: true });
});

test("resending asks for the captcha too", async () => {
  const email = await anAskedEmail();
  const browser = newBrowser(gatehouse);
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;

  const without = await browser.submit(verify, { intent: "resend" });
  const solved = await browser.submit(verify, { intent: "resend", [FIELD]: turnstile.solve() });

  expect(without.status).toBe(400);
  expect(alertsOf(await without.text())).toEqual([say("codes:MISSING_RESPONSE")]);
  expect(locationOf(solved)).toBe(verify);
});

test("the content policy allows the captcha's origin only when a captcha is configured", async () => {
  await using plain = await startGatehouse();
  const policyOf = async (target: typeof gatehouse) =>
    (await newBrowser(target).get("/login")).headers.get("content-security-policy");

  expect(await policyOf(gatehouse)).toContain("https://challenges.cloudflare.com");
  expect(await policyOf(plain)).not.toContain("challenges.cloudflare.com");
});
