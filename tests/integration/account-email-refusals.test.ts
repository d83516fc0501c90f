import { afterAll, expect, test } from "vitest";
import {
  ACCOUNT,
  ageCodes,
  askForChange,
  changePath,
  enterChangeCode,
  proveCurrent,
} from "../support/account.ts";
import { emailChanges } from "../support/account-email.ts";
import { auditOf } from "../support/audit.ts";
import { accessibleError, alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { changeBefore } from "../support/faults.ts";
import { readPage } from "../support/page.ts";
import {
  aSignedInUser,
  askForCode,
  aUser,
  newEmail,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { emailOf, mailsTo } = emailChanges(gatehouse);

async function refusalOf(response: Response) {
  const page = await response.text();
  return { status: response.status, alerts: alertsOf(page), page };
}

/** Returns the value of the new e-mail's field when its form is open. */
function openForm(page: string): string | undefined {
  if (!readPage(page).document.querySelector("dialog[open]")) return undefined;
  return readPage(page).field("email")?.value;
}

test("an invalid e-mail and one's own are refused beside the field, and the input is kept", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const cases = [
    ["", say("validation:email.required")],
    ["nobody at example", say("validation:email.invalid")],
    [` ${user.email.toUpperCase()}`, say("account:email.own")],
    [`${"a".repeat(250)}@example.com`, say("validation:tooLong", { maximum: 254 })],
  ] as const;

  for (const [email, message] of cases) {
    const response = await askForChange(browser, email);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(accessibleError(page, "email")).toBe(message);
    expect(openForm(page)?.trim()).toBe(email.trim());
  }
  expect(mailsTo(user.email)).toEqual([]);
});

test("an invalid `?newEmail=` is ignored with a notice", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  for (const odd of [
    "x",
    "a@",
    "javascript:alert(1)",
    "<b>@example.com",
    `${"a".repeat(300)}@b.co`,
  ]) {
    const response = await browser.get(changePath(odd));
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(readText(page)).toContain(say("account:email.ignored"));
    expect(openForm(page)).toBeUndefined();
  }
  const plain = await (await browser.get(`${ACCOUNT}?newEmail=`)).text();
  expect(readText(plain)).not.toContain(say("account:email.ignored"));
  expect(openForm(plain)).toBeUndefined();
});

test("a change that was not started, or has expired, opens the form with the e-mail filled in", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");

  expect(openForm(await (await browser.get(changePath(to))).text())).toBe(to);

  await askForChange(browser, to);
  await ageCodes(gatehouse, user.id, 59);
  const waiting = await (await browser.get(changePath(to))).text();
  expect(readText(waiting)).toContain(say("account:email.email-current.title"));
  await ageCodes(gatehouse, user.id, 2);
  expect(openForm(await (await browser.get(changePath(to))).text())).toBe(to);

  const late = await refusalOf(await enterChangeCode(browser, to, "123456"));
  expect(late.status).toBe(400);
  expect(accessibleError(late.page, "email")).toBe(say("codes:OTP_EXPIRED"));
  expect(openForm(late.page)).toBe(to);
});

test("the new e-mail cannot be proved before the current one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await askForChange(browser, to);
  await mailbox.codeFor(user.email);

  const resent = await browser.submit(changePath(newEmail("new")), { intent: "resend" });
  expect(resent.status).toBe(400);
  for (const code of ["000000", "123456"]) {
    expect((await enterChangeCode(browser, newEmail("new"), code)).status).toBe(400);
  }
  expect(mailsTo(to)).toEqual([]);
  expect(await emailOf(user.id)).toBe(user.email);
});

test("the proof of the current e-mail expires after an hour, even when the code is sent again", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await proveCurrent(gatehouse, browser, user.email, to);

  await ageCodes(gatehouse, user.id, 30);
  expect((await browser.submit(changePath(to), { intent: "resend" })).status).toBe(302);
  const code = await mailbox.codeFor(to);
  await ageCodes(gatehouse, user.id, 31);
  await d1
    .prepare("UPDATE account_code SET sent_at = ?1, expires_at = ?1 + 300000 WHERE user_id = ?2")
    .bind(Date.now(), user.id)
    .run();

  expect((await enterChangeCode(browser, to, code)).status).toBe(400);
  expect((await browser.submit(changePath(to), { intent: "resend" })).status).toBe(400);
  expect(await emailOf(user.id)).toBe(user.email);
});

test("asking for the same change again keeps its step", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  const code = await proveCurrent(gatehouse, browser, user.email, to);

  expect(locationOf(await askForChange(browser, to))).toBe(changePath(to));
  expect(locationOf(await enterChangeCode(browser, to, code))).toBe(ACCOUNT);
  expect(mailsTo(to)).toHaveLength(1);
  // A second press of the button arrives late.
  expect(locationOf(await enterChangeCode(browser, to, code))).toBe(ACCOUNT);
});

test("a code is invalid after five minutes, after three wrong codes, and after its use", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await askForChange(browser, to);
  const expired = await mailbox.codeFor(user.email);
  await ageCodes(gatehouse, user.id, 5);
  const late = await refusalOf(await enterChangeCode(browser, to, expired));
  expect([late.status, late.alerts]).toEqual([400, [say("codes:OTP_EXPIRED")]]);

  await browser.submit(changePath(to), { intent: "resend" });
  const spent = await mailbox.codeFor(user.email);
  const wrong = [];
  for (let tries = 0; tries < 3; tries++) {
    wrong.push((await refusalOf(await enterChangeCode(browser, to, wrongCode(spent)))).alerts);
  }
  expect(wrong).toEqual([
    [say("validation:code.invalid")],
    [say("validation:code.invalid")],
    [say("codes:TOO_MANY_ATTEMPTS")],
  ]);
  expect((await refusalOf(await enterChangeCode(browser, to, spent))).alerts).toEqual([
    say("codes:TOO_MANY_ATTEMPTS"),
  ]);

  await ageCodes(gatehouse, user.id, 1);
  await browser.submit(changePath(to), { intent: "resend" });
  const used = await mailbox.codeFor(user.email);
  await enterChangeCode(browser, to, used);
  await mailbox.codeFor(to);
  expect((await refusalOf(await enterChangeCode(browser, to, used))).alerts).toEqual([
    say("validation:code.invalid"),
  ]);
  expect(await emailOf(user.id)).toBe(user.email);
});

test("a code is valid only for its session, its purpose and its e-mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  const [to, elsewhere] = [newEmail("new"), newEmail("elsewhere")];

  await askForChange(browser, to);
  const code = await mailbox.codeFor(user.email);
  expect((await enterChangeCode(other, to, code)).status).toBe(400);
  expect((await enterChangeCode(browser, elsewhere, code)).status).toBe(400);
  const confirmation = await browser.submit("/app/account/confirm", { intent: "verify", code });
  expect(confirmation.status).toBe(400);
  expect((await browser.submit("/app/account/delete", { intent: "verify", code })).status).toBe(
    400,
  );

  await browser.submit("/app/account/confirm", { intent: "resend" });
  const confirming = await mailbox.codeFor(user.email);
  expect((await enterChangeCode(browser, to, confirming)).status).toBe(400);

  expect(locationOf(await enterChangeCode(browser, to, code))).toBe(changePath(to));
  const proof = await mailbox.codeFor(to);
  expect((await enterChangeCode(browser, elsewhere, proof)).status).toBe(400);
  expect((await enterChangeCode(other, to, proof)).status).toBe(400);
  expect(await emailOf(user.id)).toBe(user.email);
});

test("a manager's change of the e-mail voids the proof of the old one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  const code = await proveCurrent(gatehouse, browser, user.email, to);
  const moved = newEmail("moved");
  await d1.prepare("UPDATE user SET email = ? WHERE id = ?").bind(moved, user.id).run();

  const { status, page } = await refusalOf(await enterChangeCode(browser, to, code));

  expect(status).toBe(400);
  expect(accessibleError(page, "email")).toBe(say("codes:OTP_EXPIRED"));
  expect(await emailOf(user.id)).toBe(moved);
});

test("a change to an e-mail that was taken meanwhile is refused with a message", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  const code = await proveCurrent(gatehouse, browser, user.email, to);
  await aUser(gatehouse, { email: to });

  const { status, page } = await refusalOf(await enterChangeCode(browser, to, code));

  expect(status).toBe(409);
  expect(accessibleError(page, "email")).toBe(say("codes:USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"));
  expect(await emailOf(user.id)).toBe(user.email);
  expect((await auditOf(gatehouse, user.id)).map(({ action }) => action)).not.toContain(
    "user.email_changed",
  );
});

test("a change that comes too late does not count as a proof of who the user is", async () => {
  const statuses: number[] = [];
  for (const call of [2, 3, 4, 5]) {
    const { user, browser } = await aSignedInUser(gatehouse);
    const to = newEmail("new");
    const code = await proveCurrent(gatehouse, browser, user.email, to);
    await d1
      .prepare("UPDATE session SET authenticated_at = 1 WHERE user_id = ?")
      .bind(user.id)
      .run();
    const headers = changeBefore(call, `UPDATE user SET name = 'Renamed' WHERE id = '${user.id}'`);

    const { status } = await enterChangeCode(browser, to, code, { headers });

    statuses.push(status);
    const provedAt = await d1
      .prepare("SELECT authenticated_at FROM session WHERE user_id = ?")
      .bind(user.id)
      .first("authenticated_at");
    if (status === 409) expect(provedAt).toBe(1);
    else expect(provedAt).not.toBe(1);
  }
  expect(statuses).toContain(409);
});

test("a code may be sent once a minute, and sign-in codes for the new e-mail do not stop its change", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await askForChange(browser, to);
  const soon = await refusalOf(await browser.submit(changePath(to), { intent: "resend" }));
  expect([soon.status, soon.alerts[0]]).toEqual([
    429,
    expect.stringMatching(/^You can ask for another code in \d+ seconds?$/),
  ]);
  const other = await askForChange(browser, newEmail("new"));
  expect(other.status).toBe(429);
  expect(accessibleError(await other.text(), "email")).toMatch(/^You can ask for another code in/);

  for (let count = 0; count < 5; count++) await askForCode(newBrowser(gatehouse), to);
  const code = await mailbox.codeFor(user.email);
  expect(locationOf(await enterChangeCode(browser, to, code))).toBe(changePath(to));
  const mail = await mailbox.mailFor(to, ({ text }) =>
    text.includes(say("mail:accountCode.email-new")),
  );
  expect(locationOf(await enterChangeCode(browser, to, mail.code))).toBe(ACCOUNT);
  expect(await emailOf(user.id)).toBe(to);
});
