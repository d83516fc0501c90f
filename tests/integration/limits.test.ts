import { afterAll, expect, test } from "vitest";
import { alertsOf, type Browser, locationOf, newBrowser } from "../support/client.ts";
import { aUser, aUserSignedInByCode, enterCode, newEmail, wrongCode } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function askByForm(email: string, browser = newBrowser(gatehouse)): Promise<Response> {
  return browser.submit("/login", { intent: "email", email });
}

function askByApi(email: string, browser = newBrowser(gatehouse)): Promise<Response> {
  return browser.api(SEND, { email, type: "sign-in" });
}

/** Moves the counted events of all limits into the past. The tests of this file run one after the other. */
async function pass(hours: number): Promise<void> {
  const ms = hours * 3_600_000;
  await gatehouse.d1.batch([
    gatehouse.d1.prepare("UPDATE code_event SET created_at = created_at - ?").bind(ms),
    gatehouse.d1.prepare("UPDATE code_failure SET last_failed_at = last_failed_at - ?").bind(ms),
    gatehouse.d1.prepare("UPDATE rate_limit SET window_start = window_start - ?").bind(ms),
  ]);
}

async function statuses(responses: Promise<Response>[]): Promise<number[]> {
  return (await Promise.all(responses)).map(({ status }) => status).sort();
}

async function failTimes(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await newBrowser(gatehouse).api(SIGN_IN, { email, otp: "000000" });
  }
}

test("an e-mail gets 5 codes an hour and 10 a day, by form and by API together", async () => {
  const email = newEmail();
  const ask = (count: number) => (count % 2 ? askByForm(email) : askByApi(email));
  for (let count = 0; count < 5; count++) expect((await ask(count)).status).toBeLessThan(400);

  const byForm = await askByForm(email.toUpperCase());
  expect(byForm.status).toBe(429);
  expect(alertsOf(await byForm.text())).toEqual([
    say("codes:TOO_MANY_CODES", { duration: "1 hour" }),
  ]);
  const byApi = await askByApi(` ${email} `);
  expect(byApi.status).toBe(429);
  expect(await byApi.json()).toMatchObject({ code: "TOO_MANY_CODES" });
  expect(Number(byApi.headers.get("retry-after"))).toBeGreaterThan(3_500);
  expect(Number(byApi.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);

  await pass(1);
  for (let count = 0; count < 5; count++) expect((await ask(count)).status).toBeLessThan(400);
  const eleventh = await askByApi(email);
  expect(eleventh.status).toBe(429);
  await pass(1);
  const nextHour = await askByApi(email);
  expect(nextHour.status).toBe(429);
  expect(Number(nextHour.headers.get("retry-after"))).toBeGreaterThan(21 * 3_600);

  await pass(22.1);
  expect((await askByApi(email)).status).toBe(200);
  await gatehouse.mailbox.attempted(11);
  expect(gatehouse.mailbox.mails.filter(({ to }) => to === email)).toHaveLength(11);
});

test("resending counts as a code", async () => {
  const email = newEmail();
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;
  for (let count = 0; count < 5; count++) {
    const response = await newBrowser(gatehouse).submit(verify, { intent: "resend" });
    expect(locationOf(response)).toBe(verify);
  }

  const sixth = await newBrowser(gatehouse).submit(verify, { intent: "resend" });

  expect(sixth.status).toBe(429);
  expect(alertsOf(await sixth.text())).toEqual([
    say("codes:TOO_MANY_CODES", { duration: "1 hour" }),
  ]);
});

test("50 requests at once send 5 codes", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail();
    const before = gatehouse.mailbox.mails.length;

    const answers = await statuses(Array.from({ length: 50 }, () => askByApi(email)));

    expect(answers).toEqual([...Array(5).fill(200), ...Array(45).fill(429)]);
    await gatehouse.mailbox.attempted(before + 5);
    expect(gatehouse.mailbox.mails.filter(({ to }) => to === email)).toHaveLength(5);
  }
});

test("a trusted device keeps a limit of its own when others use up the e-mail's limit", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  await browser.submit("/sign-out", {});
  for (let count = 0; count < 4; count++) await askByApi(user.email);
  expect((await askByApi(user.email)).status).toBe(429);
  const unread = gatehouse.mailbox.mails.filter(({ to }) => to === user.email).length;
  expect(unread).toBe(5);
  for (let count = 0; count < 4; count++) await gatehouse.mailbox.codeFor(user.email);

  expect((await askByForm(user.email, browser)).status).toBe(302);
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, user.email, code))).toBe("/app");
  await browser.submit("/sign-out", {});
  expect((await askByForm(user.email, browser)).status).toBe(302);
  expect((await askByForm(user.email, browser)).status).toBe(302);
  expect((await askByForm(user.email, browser)).status).toBe(429);
});

test.each([
  ["another user's", (cookie: string) => cookie],
  ["an invented", () => `${crypto.randomUUID()}.${"A".repeat(43)}`],
  ["a broken", () => "%E0%A4%A"],
])("%s device cookie gives no limit of its own", async (_name, forge) => {
  const { browser: other } = await aUserSignedInByCode(gatehouse);
  const { email } = await aUser(gatehouse);
  for (let count = 0; count < 5; count++) await askByApi(email);
  const browser = newBrowser(gatehouse);
  browser.cookies.set("gatehouse.device", forge(other.cookies.get("gatehouse.device") ?? ""));

  expect((await askByApi(email, browser)).status).toBe(429);
});

test("100 wrong codes in a row stop the e-mail for a day, except for a trusted device", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  await browser.submit("/sign-out", {});
  await failTimes(user.email, 99);
  expect((await askByApi(user.email)).status).toBe(200);
  const code = await gatehouse.mailbox.codeFor(user.email);
  await failTimes(user.email, 1);

  const right = await newBrowser(gatehouse).api(SIGN_IN, { email: user.email, otp: code });
  expect(right.status).toBe(429);
  expect(await right.json()).toMatchObject({ code: "MAILBOX_STOPPED" });
  const screen = await enterCode(newBrowser(gatehouse), user.email, code);
  expect(screen.status).toBe(429);
  expect(alertsOf(await screen.text())).toEqual([say("codes:MAILBOX_STOPPED")]);
  const another = await askByApi(user.email);
  expect(another.status).toBe(429);
  expect(Number(another.headers.get("retry-after"))).toBeGreaterThan(23 * 3_600);

  expect((await askByForm(user.email, browser)).status).toBe(302);
  const own = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, user.email, own))).toBe("/app");

  expect((await askByApi(user.email)).status).toBe(200);
});

test("a stopped e-mail opens again after a day", async () => {
  const { email } = await aUser(gatehouse);
  await failTimes(email, 100);
  expect((await askByApi(email)).status).toBe(429);

  await pass(24);

  const browser = newBrowser(gatehouse);
  expect((await askByForm(email, browser)).status).toBe(302);
  const code = await gatehouse.mailbox.codeFor(email);
  expect(locationOf(await enterCode(browser, email, code))).toBe("/app");
});

test("the right code resets the count of wrong codes", async () => {
  const { email } = await aUser(gatehouse);
  await failTimes(email, 98);
  const browser = newBrowser(gatehouse);
  await askByForm(email, browser);
  const code = await gatehouse.mailbox.codeFor(email);
  await enterCode(browser, email, wrongCode(code));
  await enterCode(browser, email, code);

  await failTimes(email, 2);

  expect((await askByApi(email)).status).toBe(200);
});

test("one IP address gets 10 codes a minute, for any e-mails and forwarded IP addresses", async () => {
  const ipAddress = "192.0.2.10";
  const ask = (index: number) =>
    newBrowser(gatehouse, { ipAddress }).api(
      SEND,
      { email: newEmail(), type: "sign-in" },
      { headers: { "x-forwarded-for": `203.0.113.${index}`, "x-real-ip": `203.0.113.${index}` } },
    );
  for (let index = 0; index < 10; index++) expect((await ask(index)).status).toBe(200);

  const refused = await ask(11);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  const form = await askByForm(newEmail(), newBrowser(gatehouse, { ipAddress }));
  expect(form.status).toBe(429);
  expect(alertsOf(await form.text())).toEqual([say("codes:TOO_MANY_REQUESTS")]);
  const byScript = newBrowser(gatehouse, { ipAddress });
  const data = await byScript.submit("/login.data", { intent: "email", email: newEmail() });
  for (const answer of [form, data]) {
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  }
  expect((await askByApi(newEmail())).status).toBe(200);

  await pass(1 / 60);
  expect((await ask(12)).status).toBe(200);
});

test("three wrong codes at once use up the code, and a response says so", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    await askByApi(email);
    const code = await gatehouse.mailbox.codeFor(email);

    const answers = await Promise.all(
      Array.from({ length: 3 }, () => enterCode(newBrowser(gatehouse), email, wrongCode(code))),
    );

    const spent = say("codes:TOO_MANY_ATTEMPTS");
    const alerts = await Promise.all(answers.map(async (answer) => alertsOf(await answer.text())));
    expect(alerts.flat()).toContain(spent);
    const right = await enterCode(newBrowser(gatehouse), email, code);
    expect(alertsOf(await right.text())).toEqual([spent]);
  }
});

test("one IP address may enter 20 codes a minute", async () => {
  const browser: Browser = newBrowser(gatehouse, { ipAddress: "192.0.2.20" });
  for (let count = 0; count < 20; count++) {
    const response = await browser.api(SIGN_IN, { email: newEmail(), otp: "000000" });
    expect(response.status).toBe(400);
  }

  expect((await browser.api(SIGN_IN, { email: newEmail(), otp: "000000" })).status).toBe(429);
});

test("40 requests of one IP address at once are counted one by one", async () => {
  const ipAddress = "192.0.2.30";

  const answers = await statuses(
    Array.from({ length: 40 }, () => askByApi(newEmail(), newBrowser(gatehouse, { ipAddress }))),
  );

  expect(answers).toEqual([...Array(10).fill(200), ...Array(30).fill(429)]);
});

test("the tables of the limits contain no e-mail", async () => {
  const { email } = await aUser(gatehouse);
  await askByApi(email);
  await failTimes(email, 1);

  const tables = ["code_event", "code_failure"];
  const rows = await Promise.all(
    tables.map((table) => gatehouse.d1.prepare(`SELECT * FROM ${table}`).all()),
  );

  expect(JSON.stringify(rows)).not.toMatch(/@|example\.com/);
});
