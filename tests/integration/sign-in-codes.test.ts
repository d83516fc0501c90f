import { afterAll, expect, test } from "vitest";
import { accessibleError, alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { askForCode, enterCode, newEmail, waitOutCooldown, wrongCode } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { sessionCounts } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const countSessions = sessionCounts(gatehouse);

/** Moves the codes of all e-mails so many minutes into the past. */
async function age(minutes: number): Promise<void> {
  await gatehouse.d1
    .prepare("UPDATE sign_in_code SET sent_at = sent_at - ?1, expires_at = expires_at - ?1")
    .bind(minutes * 60_000)
    .run();
}

test.each([
  ["", "Code is required"],
  ["   ", "Code is required"],
  ["12345", "Code should be 6 characters"],
  ["1234567", "Code should be 6 characters"],
  ["12345x", "Code is invalid"],
  ["9".repeat(1_000), "Code should be 6 characters"],
])("the code %j is answered with: %s", async (code, message) => {
  const browser = newBrowser(gatehouse);

  const response = await enterCode(browser, newEmail(), code);

  expect(response.status).toBe(400);
  expect(accessibleError(await response.text(), "code")).toBe(message);
});

test("a wrong code is reported beside its field and not returned", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const wrong = wrongCode(await gatehouse.mailbox.codeFor(email));

  const response = await enterCode(browser, email, wrong);

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, "code")).toBe("Code is invalid");
  expect(page).not.toContain(wrong);
  expect(await countSessions(email)).toBe(0);
});

test("the third wrong code uses up the right one", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);

  await enterCode(browser, email, wrongCode(code));
  await enterCode(browser, email, wrongCode(code));
  const third = await enterCode(browser, email, wrongCode(code));
  const page = await third.text();
  expect(third.status).toBeGreaterThanOrEqual(400);
  expect(third.status).toBeLessThan(500);
  expect(alertsOf(page)).toEqual([say("codes:TOO_MANY_ATTEMPTS")]);
  expect(readPage(page).find("button", "Confirm")).toBeUndefined();

  const right = await enterCode(browser, email, code);
  expect(right.status).toBeGreaterThanOrEqual(400);
  expect(await countSessions(email)).toBe(0);
});

test("after a used-up code a new one signs in", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  for (let count = 0; count < 3; count++) await enterCode(browser, email, wrongCode(code));

  await askForCode(browser, email);
  const response = await enterCode(browser, email, await gatehouse.mailbox.codeFor(email));

  expect(locationOf(response)).toBe("/onboarding");
});

test("a code works once", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await enterCode(browser, email, code);

  const again = await enterCode(newBrowser(gatehouse), email, code);

  expect(again.status).toBe(400);
  expect(await countSessions(email)).toBe(1);
});

test("a code expires after 5 minutes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await age(5);

  const response = await enterCode(browser, email, code);

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toEqual([say("codes:OTP_EXPIRED")]);
  expect(await countSessions(email)).toBe(0);
});

test("a code is valid just before 5 minutes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await age(4.5);

  expect(locationOf(await enterCode(browser, email, code))).toBe("/onboarding");
});

test("a code is valid for its e-mail only", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const other = newEmail();
  await askForCode(browser, other);
  await gatehouse.mailbox.codeFor(other);

  const response = await enterCode(browser, other, await gatehouse.mailbox.codeFor(email));

  expect(response.status).toBe(400);
  expect(await countSessions(other)).toBe(0);
});

test("codes are stored as keyed hashes", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));

  const { results } = await gatehouse.d1
    .prepare("SELECT * FROM sign_in_code ORDER BY sent_at DESC LIMIT 1")
    .all();

  expect(results).toHaveLength(1);
  const stored = JSON.stringify(Object.values(results[0] ?? {}));
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(Buffer.from(digest).toString("hex"));
  expect(stored).not.toContain(Buffer.from(digest).toString("base64url"));
});

test("another code can be requested after a minute, not before", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  const verify = `/login/verify?email=${encodeURIComponent(email)}`;
  await askForCode(browser, email);
  const first = await gatehouse.mailbox.codeFor(email);

  const early = await browser.submit(verify, { intent: "resend" });
  expect(early.status).toBe(400);
  expect(alertsOf(await early.text())[0]).toMatch(
    /^You can ask for another code in (59|60) seconds$/,
  );

  waitOutCooldown(browser);
  const resent = await browser.submit(verify, { intent: "resend" });
  expect(locationOf(resent)).toBe(verify);
  expect(readText(await (await browser.get(verify)).text())).toContain("We have sent a new code.");
  const second = await gatehouse.mailbox.codeFor(email);
  expect(locationOf(await enterCode(browser, email, second))).toBe("/onboarding");
  expect((await enterCode(newBrowser(gatehouse), email, first)).status).toBe(400);
});
