import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import type { ReceivedMail } from "../../scripts/weather/mailbox.ts";
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
import { alertsOf, type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, aUser, newEmail, signIn } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { userOf, emailOf, mailsTo } = emailChanges(gatehouse);

function hasCode({ code }: ReceivedMail): boolean {
  return code !== "";
}

function sentAs(subject: string) {
  return (mail: ReceivedMail) => mail.subject === subject;
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

/** Users name an e-mail for their accounts, so many times. */
async function nameTimes(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    const { user, browser } = await aSignedInUser(gatehouse);
    await proveCurrent(gatehouse, browser, user.email, email);
  }
}

test("an e-mail gets 3 codes a day from users who want it, and then the first step's code stays valid", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await nameTimes(to, 3);
  await askForChange(browser, to);
  const proof = await mailbox.codeFor(user.email);

  const refused = await enterStep(browser, to, proof, "email-current");
  expect(refused.status).toBe(429);
  expect(alertsOf(await refused.text())[0]).toMatch(/^Too many codes were requested/);
  await d1.exec("DELETE FROM code_event");

  const response = await enterStep(browser, to, proof, "email-current");
  expect(locationOf(response)).toBe(changePath(to));
  const page = readText(await (await browser.get(changePath(to))).text());
  expect(page).toContain(say("account:email.email-new.title"));
});

test("users who want a taken e-mail send its owner one warning a day, and take none of the owner's codes", async () => {
  const owner = await aUser(gatehouse);
  for (let count = 0; count < 3; count++) {
    const { user, browser } = await aSignedInUser(gatehouse);
    await askForChange(browser, owner.email);
    await enterChangeCode(browser, owner.email, await mailbox.codeFor(user.email));
    for (let wrong = 0; wrong < 3; wrong++) await enterChangeCode(browser, owner.email, "000000");
  }
  await mailbox.mailFor(owner.email, sentAs(say("mail:emailTaken.subject")));

  for (let count = 0; count < 5; count++) {
    await askForCode(newBrowser(gatehouse), owner.email);
    await mailbox.codeFor(owner.email);
  }
  const warnings = await d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'email-taken'")
    .bind(owner.email)
    .first("n");
  expect(warnings).toBe(1);
});

test("a user names five new e-mails a day, each as often as it takes", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const name = async (to: string) => {
    await askForChange(browser, to);
    return enterChangeCode(browser, to, await mailbox.codeFor(user.email));
  };
  const first = newEmail("new");
  expect((await name(first)).status).toBe(302);
  for (let count = 0; count < 4; count++) {
    await ageCodes(gatehouse, user.id, 2);
    expect((await name(newEmail("new"))).status).toBe(302);
  }

  await ageCodes(gatehouse, user.id, 2);
  expect((await name(newEmail("new"))).status).toBe(429);
  await ageCodes(gatehouse, user.id, 2);
  expect((await name(first)).status).toBe(302);
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
  for (let count = 0; count < 5; count++) await askForCode(newBrowser(gatehouse), to);
  const send = "/api/auth/email-otp/send-verification-otp";
  const untrusted = await newBrowser(gatehouse).api(send, { email: to });
  expect(await untrusted.json()).toMatchObject({ mailed: false });

  await browser.submit("/sign-out", {});

  expect(await (await browser.api(send, { email: to })).json()).toEqual({ success: true });
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

test("an impersonating manager cannot change the e-mail", async () => {
  const { user: manager } = await anAdmin(gatehouse);
  const { user, browser } = await aSignedInUser(gatehouse);
  await d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  const response = await askForChange(browser, newEmail("new"));

  expect(locationOf(response)).toBe(`${ACCOUNT}?state=change-email`);
  expect(readText(await (await browser.follow(response)).text())).toContain(
    say("codes:CLOSED_WHILE_IMPERSONATING"),
  );
  expect(mailsTo(user.email)).toEqual([]);
});

test("a client proves no other e-mail than its own", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");

  for (const [path, code] of [["/email-otp/verify-email", "EMAIL_MISMATCH"]]) {
    const body = { newEmail: to, email: to, otp: "123456", name: "Name" };
    const response = await browser.api(`/api/auth${path}`, body);
    expect([path, response.status]).toEqual([path, 400]);
    expect(JSON.parse(await response.text())).toMatchObject({ code });
  }
  expect(mailsTo(to)).toEqual([]);
  const row = await gatehouse.d1.prepare("SELECT email FROM user WHERE id = ?").bind(user.id);
  expect(await row.first()).toEqual({ email: user.email });
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
