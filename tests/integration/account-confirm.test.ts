import { afterAll, expect, test } from "vitest";
import {
  ACCOUNT,
  accountChangesIn,
  DELETION,
  otherDevices,
  useUpOwnCodes,
} from "../support/account.ts";
import { CONFIRM, confirmations, enterCode, sendCode } from "../support/account-confirm.ts";
import { accessibleError, alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { statementsOn } from "../support/insert.ts";
import { settled, tryAgain } from "../support/outbox.ts";
import {
  aSignedInUser,
  askForCode,
  aUserSignedInByCode,
  newEmail,
  wrongCode,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;

const say = translationsIn("en");
const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const change = statementsOn(gatehouse);

const changesOf = accountChangesIn(gatehouse);

const anotherDevice = otherDevices(gatehouse);

const { askToConfirm, provedAt, letPass } = confirmations(gatehouse);

async function errorsIn(response: Response): Promise<string[]> {
  return alertsOf(await response.text());
}

test("a code confirms a session once, updates its time and leads to the next page", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const before = Date.now();
  const asked = await browser.get(`${CONFIRM}?next=%2Fapp%2Forganizations%3FsearchTerm%3Dx`);
  expect(readText(await asked.text())).toContain(`We'll send a code to ${user.email}`);
  await sendCode(browser);
  const mail = await gatehouse.mailbox.mailFor(user.email);
  expect(mail.text).toContain("Enter this code to confirm that it is you.");
  expect(readText(await (await browser.get(CONFIRM)).text())).toContain(
    `We have sent a code to ${user.email}`,
  );

  const response = await browser.submit(`${CONFIRM}?next=%2Fapp%2Forganizations%3FsearchTerm%3Dx`, {
    intent: "verify",
    code: mail.code,
  });

  expect(locationOf(response)).toBe("/app/organizations?searchTerm=x");
  expect(await provedAt(user.id)).toBeGreaterThanOrEqual(before);
  expect(await errorsIn(await enterCode(browser, mail.code))).toEqual([say("codes:OTP_EXPIRED")]);
  expect((await changesOf(user.id)).map(({ action }) => action)).toEqual(["session.confirmed"]);
});

test.each([
  "https://evil.example",
  "//evil.example/app",
  "/app/../../evil",
  "/login",
  "/app/account/confirm?next=%2Fapp",
])("a next page of %j is ignored", async (next) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const response = await browser.submit(`${CONFIRM}?next=${encodeURIComponent(next)}`, {
    intent: "verify",
    code,
  });

  expect(locationOf(response)).toBe(ACCOUNT);
});

test("after three wrong codes the right one is locked too", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  for (const message of ["Code is invalid", "Code is invalid", say("codes:TOO_MANY_ATTEMPTS")]) {
    const response = await enterCode(browser, wrongCode(code));
    expect([response.status, await errorsIn(response)]).toEqual([400, [message]]);
  }
  expect(await errorsIn(await enterCode(browser, code))).toEqual([say("codes:TOO_MANY_ATTEMPTS")]);
  expect(await provedAt(user.id)).toBeNull();

  await letPass(user.id, MINUTE_MS);
  expect(locationOf(await enterCode(browser, await askToConfirm(browser, user.email)))).toBe(
    ACCOUNT,
  );
});

test.each([
  ["", "Code is required"],
  ["12345", "Code should be 6 characters"],
  ["abcdef", "Code is invalid"],
])("the malformed code %j is refused beside the field, and costs no try", async (code, message) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const right = await askToConfirm(browser, user.email);

  for (let count = 0; count < 3; count++) {
    const response = await enterCode(browser, code);
    expect(response.status).toBe(400);
    expect(accessibleError(await response.text(), "code")).toBe(message);
  }
  expect(locationOf(await enterCode(browser, right))).toBe(ACCOUNT);
});

test("a code expires after five minutes, and the screen offers another", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);
  await letPass(user.id, 5 * MINUTE_MS);

  const response = await enterCode(browser, code);

  expect(response.status).toBe(400);
  const page = readText(await response.text());
  expect(page).toContain(say("codes:OTP_EXPIRED"));
  expect(page).toContain(say("account:code.send"));
  expect(await provedAt(user.id)).toBeNull();
});

test("a code is valid only for its session, its user and its purpose", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = await anotherDevice(user.email);
  const { user: otherUser, browser: ofOtherUser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  expect(await errorsIn(await enterCode(other, code))).toEqual([say("codes:OTP_EXPIRED")]);
  expect(await errorsIn(await enterCode(ofOtherUser, code))).toEqual([say("codes:OTP_EXPIRED")]);
  await askToConfirm(ofOtherUser, otherUser.email);
  await change(
    "UPDATE account_code SET code_hash = (SELECT code_hash FROM account_code WHERE user_id = ?) WHERE user_id = ?",
    user.id,
    otherUser.id,
  );
  expect(await errorsIn(await enterCode(ofOtherUser, code))).toEqual(["Code is invalid"]);
  await change("UPDATE account_code SET purpose = 'delete' WHERE user_id = ?", user.id);
  expect(await errorsIn(await enterCode(browser, code))).toEqual([say("codes:OTP_EXPIRED")]);
});

test("another code can be sent after a minute, and replaces the one before", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const first = await askToConfirm(browser, user.email);

  const tooSoon = await sendCode(browser);
  expect(tooSoon.status).toBe(429);
  expect(readText(await tooSoon.text())).toMatch(/You can ask for another code in \d+ seconds/);
  await letPass(user.id, MINUTE_MS);
  const second = await askToConfirm(browser, user.email);

  expect(await errorsIn(await enterCode(browser, first))).toEqual(["Code is invalid"]);
  expect(locationOf(await enterCode(browser, second))).toBe(ACCOUNT);
});

test("signed-in users get 15 codes a day for their own mailbox, and sign-in codes have other limits", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  for (let count = 0; count < 15; count++) {
    await askToConfirm(browser, user.email);
    await letPass(user.id, MINUTE_MS);
  }

  const response = await sendCode(browser);

  expect(response.status).toBe(429);
  expect(readText(await response.text())).toContain("Too many codes were requested");
  for (let count = 0; count < 5; count++) {
    await askForCode(newBrowser(gatehouse), user.email);
    await gatehouse.mailbox.codeFor(user.email);
  }
});

test("strangers who ask for sign-in codes take no code from a signed-in user", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  for (let count = 0; count < 6; count++) await askForCode(newBrowser(gatehouse), user.email);

  expect((await sendCode(browser)).status).toBe(302);
});

test.each([
  [CONFIRM, { intent: "resend" }],
  [DELETION, { intent: "resend" }],
  [ACCOUNT, { intent: "request-deletion" }],
  [ACCOUNT, { intent: "change-email", email: newEmail("new") }],
])(
  "%s answers one code too many, requested with %j, with a Retry-After header",
  async (screen, form) => {
    const { user, browser } = await aUserSignedInByCode(gatehouse);
    await useUpOwnCodes(gatehouse, user.email);

    for (const path of [screen, `${screen}.data`]) {
      const response = await browser.submit(path, form);
      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(23 * 3_600);
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(24 * 3_600);
    }
  },
);

test("each code has a row in the outbox, and waits there while the provider fails", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  gatehouse.mailbox.answerNext({ status: 500 });

  expect((await sendCode(browser)).status).toBe(302);

  const row = () =>
    gatehouse.d1
      .prepare(
        "SELECT kind, state, payload FROM mail_outbox WHERE recipient = ? AND kind = 'account-code'",
      )
      .bind(user.email)
      .first<{ kind: string; state: string; payload: string | null }>();
  expect(await row()).toMatchObject({ state: "waiting" });
  await settled(gatehouse, user.email);
  await tryAgain(gatehouse);
  await expect.poll(row).toMatchObject({ state: "sent", payload: null });
  const code = await gatehouse.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test("a code that cannot be queued is not sent, and the screen says so", async () => {
  await using broken = await startGatehouse();
  const { user, browser } = await aSignedInUser(broken);
  // The update that marks the previous mail as sent may fail too.
  broken.tolerateErrors();
  await broken.d1.exec("ALTER TABLE mail_outbox RENAME TO outbox_away");

  const response = await sendCode(browser);

  expect(response.status).toBe(503);
  expect(readText(await response.text())).toContain(say("codes:MAIL_NOT_SENT"));
  await broken.logged("mail.not_queued");
  await broken.d1.exec("ALTER TABLE outbox_away RENAME TO mail_outbox");
  expect((await sendCode(browser)).status).toBe(302);
  const code = await broken.mailbox.codeFor(user.email);
  expect(locationOf(await enterCode(browser, code))).toBe(ACCOUNT);
});

test("one code entered 50 times at once confirms once", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askToConfirm(browser, user.email);

  const responses = await Promise.all(Array.from({ length: 50 }, () => enterCode(browser, code)));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([302, ...Array.from({ length: 49 }, () => 400)]);
  expect(await changesOf(user.id)).toHaveLength(1);
});
