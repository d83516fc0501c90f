import { afterAll, expect, test } from "vitest";
import { readLink } from "../../app/features/auth/codes/code.ts";
import { ENDPOINT_LIMITS, TRUSTED_WRONG_CODES } from "../../app/values/rate-limits.ts";
import { alertsOf, type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aUser, aUserSignedInByCode, enterCode, newEmail, wrongCode } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const SEND = "/api/auth/email-otp/send-verification-otp";
const SIGN_IN = "/api/auth/sign-in/email-otp";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1, mailbox } = gatehouse;

function askByForm(email: string, browser = newBrowser(gatehouse)): Promise<Response> {
  return browser.submit("/login", { intent: "email", email });
}

function askByApi(email: string, browser = newBrowser(gatehouse)): Promise<Response> {
  return browser.api(SEND, { email, type: "sign-in" });
}

/** Moves the counted events of all limits into the past. The tests of this file run one after the other. */
async function pass(minutes: number): Promise<void> {
  const ms = minutes * 60_000;
  await d1.batch([
    d1
      .prepare(
        `UPDATE sign_in_code SET sent_at = sent_at - ?1, expires_at = expires_at - ?1,
          key_expires_at = key_expires_at - ?1, spent_at = spent_at - ?1`,
      )
      .bind(ms),
    d1.prepare("UPDATE code_event SET created_at = created_at - ?").bind(ms),
    d1.prepare("UPDATE rate_limit SET window_start = window_start - ?").bind(ms),
  ]);
}

async function answersOf(responses: Promise<Response>[]): Promise<unknown[]> {
  return await Promise.all(responses.map(async (response) => (await response).json()));
}

async function failTimes(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await newBrowser(gatehouse).api(SIGN_IN, { email, otp: "000000" });
  }
}

/** Enters the link of a mail as its verify screen does. */
function enterLink(browser: Browser, email: string, link: string): Promise<Response> {
  const search = new URLSearchParams({ email });
  return browser.submit(`/login/verify?${search}`, { intent: "verify", ...readLink(link) });
}

function mailsTo(email: string) {
  return mailbox.mails.filter(({ to }) => to === email);
}

/** Asks for the last code that leaves at once, and for one more. Returns the answer to that. */
async function useUp(email: string): Promise<Response> {
  for (let count = 0; count < 5; count++) await askByApi(email);
  await expect.poll(() => mailsTo(email).length).toBeGreaterThanOrEqual(5);
  return askByApi(email);
}

test("after 5 codes at once the next leaves after 9 minutes; until then the newest one is accepted", async () => {
  const { email } = await aUser(gatehouse);
  await useUp(email);
  const sixth = await askByApi(` ${email.toUpperCase()} `);

  expect(sixth.status).toBe(200);
  expect(await sixth.json()).toEqual({
    success: true,
    mailed: false,
    retryAfter: expect.toSatisfy((seconds: number) => seconds > 530 && seconds <= 540),
  });
  const browser = newBrowser(gatehouse);
  const asked = await askByForm(email, browser);
  const page = readText(await (await browser.follow(asked)).text());
  expect(page).toContain(say("login:noNewMail", { duration: "9 minutes" }));
  expect(page).toContain(say("login:newestWorks", { code: "5 minutes", link: "11 minutes" }));
  expect(page).toContain(say("login:resendInMinutes", { count: 9 }));
  expect(page).not.toMatch(/\d{3} seconds/);
  expect(page).not.toContain(say("login:sent", { email }));
  await pass(8.9);
  expect(await (await askByApi(email)).json()).toMatchObject({ mailed: false });
  expect(mailsTo(email)).toHaveLength(5);

  // The code has expired, but not the link.
  const { code, link = "" } = mailsTo(email).at(-1) ?? {};
  expect((await enterCode(newBrowser(gatehouse), email, String(code))).status).toBe(400);
  expect(locationOf(await enterLink(newBrowser(gatehouse), email, link))).toBe("/app");
  // The code that signed in gives its place back.
  expect(await (await askByApi(email)).json()).toEqual({ success: true });
  await expect.poll(() => mailsTo(email).length).toBe(6);
  expect(await (await askByApi(email)).json()).toMatchObject({ mailed: false });
  await pass(9.1);
  expect(await (await askByApi(email)).json()).toEqual({ success: true });
});

/** Moves the browser's time of its code into the past. */
function passInBrowser(browser: Browser, minutes: number): void {
  const name = "gatehouse.code-sent";
  const [at, ...rest] = (browser.cookies.get(name) ?? "").split(".");
  browser.cookies.set(name, [Number(at) - minutes * 60_000, ...rest].join("."));
}

test("a screen at the limit says at each time what still works, and takes the link", async () => {
  const { email } = await aUser(gatehouse);
  await useUp(email);
  const browser = newBrowser(gatehouse);
  const verify = locationOf(await askByForm(email, browser));
  const shown = async () => readText(await (await browser.get(String(verify))).text());

  passInBrowser(browser, 6);
  const afterCode = await shown();
  passInBrowser(browser, 4);
  const afterWait = await shown();
  passInBrowser(browser, 11);
  const afterAll = await shown();

  expect(afterCode).toContain(say("login:noNewMail", { duration: "3 minutes" }));
  expect(afterCode).toContain(say("login:newestLinkWorks", { duration: "5 minutes" }));
  expect(afterCode).toContain(say("login:mailLink"));
  expect(afterWait).toContain(say("login:mayAskAgain"));
  expect(afterWait).toContain(say("login:newestLinkWorks", { duration: "1 minute" }));
  expect(afterAll).toContain(say("login:mayAskAgain"));
  for (const over of ["login:mailLink", "login:linkTitle"] as const) {
    expect(afterAll).not.toContain(say(over));
  }
  const { link = "" } = mailsTo(email).at(-1) ?? {};
  const pasted = await browser.submit(String(verify), { intent: "link", mailLink: link });
  expect(locationOf(pasted)).toBe("/app");
});

test("a screen at the limit says when its code is used up, and that the link still signs in", async () => {
  const { email } = await aUser(gatehouse);
  await useUp(email);
  const browser = newBrowser(gatehouse);
  const verify = String(locationOf(await askByForm(email, browser)));
  const code = mailsTo(email).at(-1)?.code ?? "";

  for (let count = 0; count < 2; count++) await enterCode(browser, email, wrongCode(code));
  const last = await (await enterCode(browser, email, wrongCode(code))).text();
  const later = await (await browser.get(verify)).text();

  for (const page of [last, later]) {
    expect(alertsOf(page)).toContain(say("codes:TOO_MANY_ATTEMPTS"));
    expect(readText(page)).toContain(say("login:linkStillWorks", { duration: "11 minutes" }));
    expect(readText(page)).not.toContain("its code works");
  }
});

test("after the wrong codes of others the screen offers the link, and says why a pasted one is refused", async () => {
  const { email } = await aUser(gatehouse);
  await askByForm(email);
  const { link = "" } = await mailbox.mailFor(email);
  const { key, code } = readLink(link) ?? { key: "", code: "" };
  // A browser that has asked for no code, such as another device of the owner.
  const browser = newBrowser(gatehouse);
  const verify = `/login/verify?${new URLSearchParams({ email })}`;
  for (let count = 0; count < 3; count++) await failTimes(email, 1);

  const refused = await (await enterCode(browser, email, code)).text();
  const later = readText(await (await browser.get(verify)).text());
  const wrong = await browser.submit(verify, { intent: "link", mailLink: "B".repeat(32) });
  const notLink = await browser.submit(verify, { intent: "link", mailLink: "hello" });

  expect(alertsOf(refused)).toContain(say("codes:TOO_MANY_ATTEMPTS"));
  for (const page of [readText(refused), later]) {
    expect(page).toContain(say("login:linkIfNew", { duration: "11 minutes" }));
    expect(page).toContain(say("login:mailLink"));
  }
  expect(wrong.status).toBe(400);
  expect(alertsOf(await wrong.text())).toContain(say("validation:mailLink.old", { count: 11 }));
  expect(alertsOf(await notLink.text())).toContain(say("validation:mailLink.invalid"));
  // The key of the link is enough.
  const pasted = await browser.submit(verify, { intent: "link", mailLink: ` ${key} ` });
  expect(locationOf(pasted)).toBe("/app");
});

test("a code that does not leave at once changes nothing in the one that left", async () => {
  const { email } = await aUser(gatehouse);
  await useUp(email);

  const code = mailsTo(email).at(-1)?.code ?? "";

  expect(locationOf(await enterCode(newBrowser(gatehouse), email, code))).toBe("/app");
});

test("resending counts as a code", async () => {
  const email = newEmail();
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;
  for (let count = 0; count < 5; count++) {
    const response = await newBrowser(gatehouse).submit(verify, { intent: "resend" });
    expect(locationOf(response)).toBe(verify);
  }
  const browser = newBrowser(gatehouse);

  const sixth = await browser.submit(verify, { intent: "resend" });

  expect(locationOf(sixth)).toBe(verify);
  const page = await (await browser.get(verify)).text();
  expect(readText(page)).toContain(say("login:noNewMail", { duration: "9 minutes" }));
  expect(readText(page)).not.toContain(say("login:resent"));
});

test("50 requests at once send 5 codes", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail();
    const before = mailbox.mails.length;

    const answers = await answersOf(Array.from({ length: 50 }, () => askByApi(email)));

    const mailed = answers.filter((answer) => !JSON.stringify(answer).includes("mailed"));
    expect(mailed).toEqual(Array(5).fill({ success: true }));
    await mailbox.attempted(before + 5);
    expect(mailsTo(email)).toHaveLength(5);
  }
});

test("a trusted device has limits of its own", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const { email } = user;
  await browser.submit("/sign-out", {});
  await useUp(email);
  const codes = () => mailsTo(email).filter(({ code }) => code !== "");

  for (let count = 0; count < 6; count++) {
    const before = codes().length;
    expect((await askByForm(email, browser)).status).toBe(302);
    await expect.poll(() => codes().length).toBe(before + 1);
    const code = codes().at(-1)?.code ?? "";
    expect(locationOf(await enterCode(browser, email, code))).toBe("/app");
    await browser.submit("/sign-out", {});
  }
});

test.each([
  ["another user's", (cookie: string) => cookie],
  ["an invented", () => `${crypto.randomUUID()}.${"A".repeat(43)}`],
  ["a broken", () => "%E0%A4%A"],
])("%s device cookie gives no limits of its own", async (_name, forge) => {
  const { browser: other } = await aUserSignedInByCode(gatehouse);
  const { email } = await aUser(gatehouse);
  await useUp(email);
  const browser = newBrowser(gatehouse);
  browser.cookies.set("gatehouse.device", forge(other.cookies.get("gatehouse.device") ?? ""));

  expect(await (await askByApi(email, browser)).json()).toMatchObject({ mailed: false });
});

test("wrong codes and requests of strangers do not void the code of the browser that asked", async () => {
  const { email } = await aUser(gatehouse);
  const { user: known, browser: trusted } = await aUserSignedInByCode(gatehouse);
  await trusted.submit("/sign-out", {});
  for (const [address, browser] of [
    [email, newBrowser(gatehouse)],
    [known.email, trusted],
  ] as const) {
    await askByForm(address, browser);
    const code = await mailbox.codeFor(address);
    await failTimes(address, 4);
    for (let count = 0; count < 3; count++) await askByApi(address);
    await failTimes(address, 4);

    expect(locationOf(await enterCode(browser, address, code))).toBe("/app");
  }
});

test("a browser's own wrong codes leave the shared tries", async () => {
  const { email } = await aUser(gatehouse);
  const asking = newBrowser(gatehouse);
  await askByForm(email, asking);
  const code = await mailbox.codeFor(email);
  for (let count = 0; count < 3; count++) await enterCode(asking, email, wrongCode(code));
  expect((await enterCode(asking, email, code)).status).toBe(400);

  expect(locationOf(await enterCode(newBrowser(gatehouse), email, code))).toBe("/app");
});

test("a forged asker cookie shares the tries of all others", async () => {
  const { email } = await aUser(gatehouse);
  const asking = newBrowser(gatehouse);
  await askByForm(email, asking);
  const code = await mailbox.codeFor(email);
  const [id] = (asking.cookies.get("gatehouse.asker") ?? "").split(".");
  const forged = newBrowser(gatehouse);
  forged.cookies.set("gatehouse.asker", `${id}.${"A".repeat(43)}`);

  for (let count = 0; count < 3; count++) await enterCode(forged, email, wrongCode(code));

  expect(alertsOf(await (await enterCode(forged, email, code)).text())).toEqual([
    say("codes:TOO_MANY_ATTEMPTS"),
  ]);
  expect(locationOf(await enterCode(asking, email, code))).toBe("/app");
});

test("after 24 wrong codes in a day only the link of the mail signs in, but a trusted device types", async () => {
  const { user, browser: trusted } = await aUserSignedInByCode(gatehouse);
  const { email } = user;
  await trusted.submit("/sign-out", {});
  await d1.exec("DELETE FROM sign_in_code");
  await d1.exec(`DELETE FROM mail_outbox`);
  const before = mailsTo(email).length;
  for (let code = 0; code < 8; code++) {
    await askByApi(email);
    await failTimes(email, 3);
    await pass(9.1);
  }
  await askByApi(email);
  await expect.poll(() => mailsTo(email).length).toBe(before + 9);
  const { code, link } = mailsTo(email).at(-1) ?? { code: "", link: "" };

  const byApi = await newBrowser(gatehouse).api(SIGN_IN, { email, otp: code });
  expect([byApi.status, await byApi.json()]).toMatchObject([403, { code: "LINK_REQUIRED" }]);
  const browser = newBrowser(gatehouse);
  const refused = readPage(await (await enterCode(browser, email, code)).text());
  expect(refused.text()).toContain(say("codes:LINK_REQUIRED"));
  expect(refused.find("button", "Sign in with the link")).toBeDefined();
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;
  expect(readText(await (await browser.get(verify)).text())).toContain(say("codes:LINK_REQUIRED"));

  // Without JavaScript the whole link is pasted.
  const wrong = await browser.submit(verify, { intent: "link", mailLink: "https://example.com/" });
  expect(alertsOf(await wrong.text())).toContain(say("validation:mailLink.invalid"));
  await askByForm(email, trusted);
  await expect.poll(() => mailsTo(email).length).toBe(before + 10);
  const own = mailsTo(email).at(-1)?.code ?? "";
  expect(locationOf(await enterCode(trusted, email, own))).toBe("/app");
  const pasted = await browser.submit(verify, { intent: "link", mailLink: link });
  expect(locationOf(pasted)).toBe("/app");
});

test("programs may send the key of the link in place of the code, once", async () => {
  const { email } = await aUser(gatehouse);
  await askByApi(email);
  const key = readLink(await mailbox.linkFor(email))?.key ?? "";
  const signIn = () => newBrowser(gatehouse).api(SIGN_IN, { email, otp: key });

  expect((await signIn()).status).toBe(200);
  const again = await signIn();
  expect([again.status, await again.json()]).toMatchObject([400, { code: "OTP_EXPIRED" }]);
});

test("60 wrong codes at once are compared 3 times, and no more than 24 in a day", async () => {
  const { email } = await aUser(gatehouse);
  const wrongOf = async () =>
    (await d1
      .prepare(
        "SELECT count(*) AS n FROM code_event WHERE kind = 'failed' AND budget = (SELECT mailbox FROM sign_in_code ORDER BY sent_at DESC LIMIT 1)",
      )
      .first<number>("n")) ?? -1;
  const counts: number[] = [];
  for (let code = 0; code < 10; code++) {
    await askByApi(email);
    const right = await mailbox.codeFor(email);
    await Promise.all(
      Array.from({ length: 60 }, () =>
        newBrowser(gatehouse).api(SIGN_IN, { email, otp: wrongCode(right) }),
      ),
    );
    counts.push(await wrongOf());
    await pass(9.1);
  }

  expect(counts).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 24, 24]);
});

test("wrong codes while none can be entered count against nobody's mailbox", async () => {
  const { email } = await aUser(gatehouse);
  await failTimes(email, 30);
  const browser = newBrowser(gatehouse);
  await askByForm(email, browser);

  const entered = await enterCode(browser, email, await mailbox.codeFor(email));

  expect(locationOf(entered)).toBe("/app");
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

  await pass(1);
  expect((await ask(12)).status).toBe(200);
});

test("three wrong codes at once use up the code, and a response says so", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { email } = await aUser(gatehouse);
    await askByApi(email);
    const code = await mailbox.codeFor(email);

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

  const answers = await Promise.all(
    Array.from({ length: 40 }, () => askByApi(newEmail(), newBrowser(gatehouse, { ipAddress }))),
  );

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(30).fill(429)]);
});

test("the addresses of one IPv6 /64 share a limit, and those of another do not", async () => {
  const ask = (ipAddress: string) => askByApi(newEmail(), newBrowser(gatehouse, { ipAddress }));
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) {
    statuses.push((await ask(`2001:db8:64:2:${count}::${count}`)).status);
  }

  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect((await ask("2001:db8:64:3::1")).status).toBe(200);
});

test("a mailbox that got 300 mails in a day that others caused still gets its code", async () => {
  const { email } = await aUser(gatehouse);
  const now = Date.now();
  await d1
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
      INSERT INTO mail_outbox (id, kind, recipient, language, state, tries, next_try_at, expires_at, sent_at, created_at)
      SELECT 'mail-' || i, 'user-added', ?1, 'en', 'sent', 1, ?2, ?2, ?2, ?2 FROM n`,
    )
    .bind(email, now - 60_000)
    .run();

  expect(await (await askByApi(email)).json()).toEqual({ success: true });

  const { results } = await d1
    .prepare("SELECT id FROM mail_outbox WHERE recipient = ? AND kind = 'login-code'")
    .bind(email)
    .all();
  expect(results).toHaveLength(1);
});

test("the tables of the limits contain no e-mail and no code", async () => {
  const { email } = await aUser(gatehouse);
  await askByApi(email);
  const { code, link } = await mailbox.mailFor(email);
  await failTimes(email, 1);

  const tables = ["code_event", "sign_in_code"];
  const rows = await Promise.all(tables.map((table) => d1.prepare(`SELECT * FROM ${table}`).all()));

  const stored = JSON.stringify(rows.map(({ results }) => results));
  expect(stored).not.toMatch(/@|example\.com/);
  expect(stored).not.toContain(`"${code}"`);
  expect(stored).not.toContain(readLink(link)?.key);
});

test("a request over a limit by IP address is refused without a written row", async () => {
  const client = newBrowser(gatehouse, { ipAddress: "198.51.100.77" });
  const enter = async () => {
    const answer = await client.api(SIGN_IN, { email: newEmail("none"), otp: "000000" });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get("x-d1-rows-written")];
  };
  for (let count = 0; count <= ENDPOINT_LIMITS["/sign-in/email-otp"].max; count++) await enter();

  expect(await enter()).toEqual([429, "0"]);
});

test("after 24 wrong codes in a day from trusted devices only the link of the mail signs them in", async () => {
  const { user, browser: trusted } = await aUserSignedInByCode(gatehouse);
  await trusted.submit("/sign-out", {});
  const codes = new Set<unknown>();
  for (let round = 0; round < TRUSTED_WRONG_CODES.max / 3; round++) {
    await pass(61);
    await askByApi(user.email, trusted);
    const { code } = await mailbox.mailFor(user.email);
    for (let guess = 0; guess < 3; guess++) {
      const answer = await trusted.api(SIGN_IN, { email: user.email, otp: wrongCode(code) });
      const { code: refusal } = JSON.parse(await answer.text());
      if (guess === 0) codes.add(refusal);
    }
  }
  expect([...codes]).toEqual(["INVALID_OTP"]);

  await pass(61);
  await askByApi(user.email, trusted);
  const { code, link } = await mailbox.mailFor(user.email);
  const typed = await trusted.api(SIGN_IN, { email: user.email, otp: code });
  expect(await typed.json()).toMatchObject({ code: "LINK_REQUIRED" });
  // A stranger's browser has a number of its own.
  const guess = { email: user.email, otp: wrongCode(code) };
  const stranger = await newBrowser(gatehouse).api(SIGN_IN, guess);
  expect(await stranger.json()).not.toMatchObject({ code: "LINK_REQUIRED" });
  expect(locationOf(await enterLink(trusted, user.email, link))).toBe("/app");
});
