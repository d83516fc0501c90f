import { afterAll, expect, test } from "vitest";
import {
  ACCOUNT,
  ageCodes,
  askForChange,
  askForDeletion,
  changePath,
  enterChangeCode,
  enterDeletionCode,
} from "../support/account.ts";
import { auditOf } from "../support/audit.ts";
import { type Browser, locationOf, readText } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { tryAgain } from "../support/outbox.ts";
import { aSignedInUser, newEmail, type Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { mailbox, d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** More calls than any request makes. */
const FAULTS = faultsUpTo(12);

function withFault(fault: string): RequestInit {
  return { headers: { "x-d1-fault": fault } };
}

async function countEvents(userId: string, action: string): Promise<number> {
  return (await auditOf(gatehouse, userId)).filter((event) => event.action === action).length;
}

async function outboxOf(kind: string, recipient: string): Promise<number | null> {
  return d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE kind = ? AND recipient = ?")
    .bind(kind, recipient)
    .first<number>("n");
}

/** Waits for an unread code, then returns the newest code sent to an e-mail. */
async function lastCodeFor(email: string): Promise<string> {
  await mailbox.codeFor(email);
  return mailbox.mails.filter(({ to }) => to === email).at(-1)?.code ?? "";
}

test("an injected fault fails a request", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  expect((await browser.get(ACCOUNT, withFault("2 before"))).status).toBe(503);
});

test.each(FAULTS)("an e-mail change survives a fault at call %s of each step", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = newEmail("new");
  await askForChange(browser, to);
  const proof = await mailbox.codeFor(user.email);

  const first = await enterChangeCode(browser, to, proof, withFault(fault));
  if (first.status !== 302) {
    expect(first.status).toBeGreaterThanOrEqual(400);
    const again = await enterChangeCode(browser, to, proof);
    if (again.status !== 302) await continueChange(browser, user, to);
  }
  const code = await lastCodeFor(to);
  const second = await enterChangeCode(browser, to, code, withFault(fault));
  if (second.status !== 302) {
    expect(second.status).toBeGreaterThanOrEqual(500);
    // Every statement took effect or none, so the same code succeeds or has succeeded.
    expect(locationOf(await enterChangeCode(browser, to, code))).toBe(ACCOUNT);
  }

  const row = await d1.prepare("SELECT email FROM user WHERE id = ?").bind(user.id).first("email");
  expect(row).toBe(to);
  expect(await countEvents(user.id, "user.email_changed")).toBe(1);
  expect(await outboxOf("email-changed", user.email)).toBe(1);
});

/** Continues as a user does after an error in the first step: opens the screen and repeats the step if needed. */
async function continueChange(browser: Browser, user: Person, to: string): Promise<void> {
  const page = readText(await (await browser.get(changePath(to))).text());
  if (page.includes(say("account:email.email-new.title"))) {
    // The step took effect; the cron sends the mail that the request did not.
    await tryAgain(gatehouse);
    return;
  }
  await ageCodes(gatehouse, user.id, 1);
  await askForChange(browser, to);
  await browser.submit(changePath(to), { intent: "resend" });
  const proof = await lastCodeFor(user.email);
  expect(locationOf(await enterChangeCode(browser, to, proof))).toBe(changePath(to));
}

test.each(FAULTS)("asking for the account deletion survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const response = await browser.submit(ACCOUNT, { intent: "request-deletion" }, withFault(fault));

  const dueAt = await d1
    .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
    .bind(user.id)
    .first("deletion_due_at");
  expect(dueAt).toBeNull();
  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    await ageCodes(gatehouse, user.id, 1);
    expect((await browser.submit(ACCOUNT, { intent: "request-deletion" })).status).toBe(302);
  }
  expect((await enterDeletionCode(browser, await lastCodeFor(user.email))).status).toBe(302);
});

test.each(FAULTS)("deleting an account survives a fault at call %s", async (fault) => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await askForDeletion(gatehouse, browser, user.email);

  const response = await enterDeletionCode(browser, code, withFault(fault));
  if (response.status !== 302) {
    expect(response.status).toBeGreaterThanOrEqual(500);
    // Deleted by this request or by the first; after the first there is no session.
    const again = locationOf(await enterDeletionCode(browser, code));
    expect(again).toMatch(/^\/login\?(deletion=|redirect=%2Fapp%2Faccount%2Fdelete$)/);
  }

  expect(await countEvents(user.id, "user.deletion_started")).toBe(1);
  expect(await outboxOf("deletion-started", user.email)).toBe(1);
  const sessions = await d1
    .prepare("SELECT count(*) AS n FROM session WHERE user_id = ?")
    .bind(user.id)
    .first("n");
  expect(sessions).toBe(0);
});

test.each(FAULTS.filter((fault) => Number.parseInt(fault, 10) < 4))(
  "keeping an account survives a fault at call %s, with one audit record",
  async (fault) => {
    const { user, browser } = await aSignedInUser(gatehouse);
    await d1
      .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
      .bind(Date.now() + 1e8, user.id)
      .run();

    const response = await browser.submit("/restore", {}, withFault(fault));
    if (response.status !== 302) {
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(locationOf(await browser.submit("/restore", {}))).toBe("/app");
    }

    expect((await browser.get("/app")).status).toBe(200);
    expect(await countEvents(user.id, "user.deletion_cancelled")).toBe(1);
  },
);
