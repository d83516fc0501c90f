import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import {
  ACCOUNT,
  ageCodes,
  askForChange,
  changePath,
  enterChangeCode,
  proveCurrent,
} from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  newBrowser,
  readText,
} from "../support/client.ts";
import type { ReceivedMail } from "../support/mailbox.ts";
import { readPage } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  newEmail,
  type Person,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function userOf(id: string): Promise<Person | null> {
  return d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function emailOf(id: string): Promise<string | undefined> {
  return (await userOf(id))?.email;
}

function mailsTo(email: string) {
  return mailbox.mails.filter(({ to }) => to === email);
}

function hasCode({ code }: ReceivedMail): boolean {
  return code !== "";
}

function sentAs(subject: string) {
  return (mail: ReceivedMail) => mail.subject === subject;
}

async function refusalOf(response: Response) {
  const page = await response.text();
  return { status: response.status, alerts: alertsOf(page), page };
}

/** Returns the value of the new e-mail's field when its form is open. */
function openForm(page: string): string | undefined {
  if (!readPage(page).document.querySelector("details[open]")) return undefined;
  return readPage(page).field("email")?.value;
}

test("an e-mail changes after a code to the current one and a code to the new one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const other = newBrowser(gatehouse);
  await signIn(gatehouse, other, user.email);
  const to = newEmail("new");

  expect(locationOf(await askForChange(browser, to.toUpperCase()))).toBe(changePath(to));
  const first = readText(await (await browser.get(changePath(to))).text());
  expect(first).toContain(say("account:email.email-current.title"));
  expect(first).toContain(user.email);
  expect(first).not.toContain(say("account:sessions.title"));
  const proof = await mailbox.mailFor(user.email, hasCode);
  expect(proof.text).toContain(say("mail:accountCode.email-current"));
  expect(mailsTo(to)).toEqual([]);

  const between = await enterChangeCode(browser, to, proof.code);
  expect(locationOf(between)).toBe(changePath(to));
  const second = readText(await (await browser.get(changePath(to))).text());
  expect(second).toContain(say("account:email.email-new.title"));
  expect(await emailOf(user.id)).toBe(user.email);
  const mail = await mailbox.mailFor(to);
  expect(mail.text).toContain(say("mail:accountCode.email-new"));

  const done = await enterChangeCode(browser, to, mail.code);
  expect(locationOf(done)).toBe(ACCOUNT);
  const page = readText(await (await browser.follow(done)).text());
  expect(page).toContain(say("account:toast.emailChanged"));
  expect(page).toContain(to);
  expect(await userOf(user.id)).toMatchObject({
    email: to,
    email_verified: 1,
    search_key: searchKey(user.name, to),
    version: 2,
  });
  expect(locationOf(await other.get("/app"))).toBe("/login?redirect=%2Fapp");
  expect((await auditOf(gatehouse, user.id)).slice(-1)).toEqual([
    {
      action: "user.email_changed",
      actorId: user.id,
      details: { before: { email: user.email }, after: { email: to } },
    },
  ]);
  const isNews = sentAs(say("mail:emailChanged.subject"));
  const news = await mailbox.mailFor(user.email, isNews);
  expect(news.text).toContain(to);
  expect(news.text).toContain(say("mail:emailChanged.methods"));
});

/** Submits the form of one step, with the step's name. */
function enterStep(browser: Browser, to: string, code: string, step: string) {
  return browser.submit(changePath(to), { intent: "verify", code, step });
}

test("the form names its step, and the first step's code entered again costs the second step no try", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  const stepIn = async () => {
    const page = await (await browser.get(changePath(to))).text();
    return readPage(page).field("step")?.value;
  };
  await askForChange(browser, to);
  expect(await stepIn()).toBe("email-current");
  const proof = await mailbox.codeFor(user.email);
  await enterStep(browser, to, proof, "email-current");
  const second = await mailbox.codeFor(to);
  expect(await stepIn()).toBe("email-new");

  for (let again = 0; again < 4; again++) {
    const response = await enterStep(browser, to, proof, "email-current");
    expect(locationOf(response)).toBe(changePath(to));
  }

  expect(locationOf(await enterStep(browser, to, second, "email-new"))).toBe(ACCOUNT);
  expect(await emailOf(user.id)).toBe(to);
});

test("a code limit at the new e-mail keeps the first step's code valid", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  for (let sent = 0; sent < 5; sent++) await askForCode(newBrowser(gatehouse), to);
  await askForChange(browser, to);
  const proof = await mailbox.codeFor(user.email);

  const refused = await enterStep(browser, to, proof, "email-current");
  expect(refused.status).toBe(429);
  await d1.exec("DELETE FROM code_event");

  const response = await enterStep(browser, to, proof, "email-current");
  expect(locationOf(response)).toBe(changePath(to));
  const page = readText(await (await browser.get(changePath(to))).text());
  expect(page).toContain(say("account:email.email-new.title"));
});

test("the first step's code entered three times at once sends one mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await askForChange(browser, to);
  const proof = await mailbox.codeFor(user.email);

  const responses = await Promise.all(
    Array.from({ length: 3 }, () => enterStep(browser, to, proof, "email-current")),
  );

  expect(responses.map(({ status }) => status)).toContain(302);
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  const mails = await d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(to)
    .first("n");
  expect(mails).toBe(1);
});

test("a change to one's own e-mail shows no toast and trusts no device", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await enterChangeCode(browser, user.email, "000000");

  expect(locationOf(response)).toBe(ACCOUNT);
  const names = response.headers.getSetCookie().map((line) => line.split("=")[0]);
  expect(names).not.toContain("gatehouse.device");
  expect(names).not.toContain("gatehouse.toast");
});

test("the browser that changed the e-mail has a code limit of its own for the new e-mail", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await enterChangeCode(browser, to, await proveCurrent(gatehouse, browser, user.email, to));
  for (let count = 0; count < 4; count++) await askForCode(newBrowser(gatehouse), to);
  const untrusted = await newBrowser(gatehouse).submit("/login", { intent: "email", email: to });
  expect(untrusted.status).toBe(429);

  await browser.submit("/sign-out", {});

  expect((await browser.submit("/login", { intent: "email", email: to })).status).toBe(302);
});

test("every mail is in its recipient's language", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { language: "fr" });
  const taken = await aUser(gatehouse, { language: "sw" });
  const [french, swahili] = [translationsIn("fr"), translationsIn("sw")];
  browser.cookies.set("i18next", "ar");

  await askForChange(browser, taken.email);
  const proof = await mailbox.mailFor(user.email, hasCode);
  expect(proof.text).toContain(french("mail:accountCode.email-current"));
  await enterChangeCode(browser, taken.email, proof.code);
  expect((await mailbox.mailFor(taken.email)).subject).toBe(swahili("mail:emailTaken.subject"));

  await ageCodes(gatehouse, user.id, 2);
  const to = newEmail("new");
  await enterChangeCode(browser, to, await proveCurrent(gatehouse, browser, user.email, to));
  await mailbox.mailFor(user.email, sentAs(french("mail:emailChanged.subject")));
});

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

test("a code may be sent once a minute, and five times an hour for each e-mail", async () => {
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
  const spent = await refusalOf(await enterChangeCode(browser, to, code));
  expect(spent.status).toBe(429);
  expect(spent.alerts[0]).toMatch(/^Too many codes were requested/);
  expect(await emailOf(user.id)).toBe(user.email);
});

test("an impersonating manager cannot change the e-mail", async () => {
  const { user: manager } = await anAdmin(gatehouse);
  const { user, browser } = await aSignedInUser(gatehouse);
  await d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  const response = await askForChange(browser, newEmail("new"));

  expect(locationOf(response)).toBe(ACCOUNT);
  expect(readText(await (await browser.follow(response)).text())).toContain(
    say("codes:CLOSED_WHILE_IMPERSONATING"),
  );
  expect(mailsTo(user.email)).toEqual([]);
});

test("better-auth's endpoints for changing an e-mail are closed", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");

  for (const path of [
    "/change-email",
    "/email-otp/change-email",
    "/email-otp/request-email-change",
    "/email-otp/verify-email",
    "/update-user",
  ]) {
    const response = await browser.api(`/api/auth${path}`, { newEmail: to, email: to, otp: "1" });
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("50 entries of the right code at once change the e-mail once, with one audit record and one mail", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { user, browser } = await aSignedInUser(gatehouse);
    const to = newEmail("new");
    const code = await proveCurrent(gatehouse, browser, user.email, to);

    const responses = await Promise.all(
      Array.from({ length: 50 }, () => enterChangeCode(browser, to, code)),
    );

    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await emailOf(user.id)).toBe(to);
    const events = (await auditOf(gatehouse, user.id)).map(({ action }) => action);
    expect(events.filter((action) => action === "user.email_changed")).toHaveLength(1);
    expect(await outboxOf("email-changed", user.email)).toBe(1);
  }
});

test("when two users change to the same e-mail at once, one gets it", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const to = newEmail("new");
    const people = await Promise.all([aSignedInUser(gatehouse), aSignedInUser(gatehouse)]);
    const codes: string[] = [];
    for (const { user, browser } of people) {
      codes.push(await proveCurrent(gatehouse, browser, user.email, to));
    }

    const statuses = await Promise.all(
      people.map(async ({ browser }, index) => {
        return (await enterChangeCode(browser, to, codes[index] ?? "")).status;
      }),
    );

    expect(statuses.sort()).toEqual([302, 409]);
  }
});

async function outboxOf(kind: string, recipient: string): Promise<number> {
  return (
    (await d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE kind = ? AND recipient = ?")
      .bind(kind, recipient)
      .first<number>("n")) ?? -1
  );
}
