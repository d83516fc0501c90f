import { mailboxOf } from "../../app/features/auth/mailbox.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import { MAIL_LIMITS } from "../../app/values/rate-limits.ts";
import { auditOf } from "./audit.ts";
import { type Browser, newBrowser } from "./client.ts";
import { insertRows } from "./insert.ts";
import { askForCode } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

export const ACCOUNT = "/app/account";
export const DELETION = "/app/account/delete";

export const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/** Returns the account screen's URL while a change to this e-mail waits for a code. */
export function changePath(newEmail: string): string {
  return `${ACCOUNT}?newEmail=${encodeURIComponent(newEmail)}`;
}

/** Asks for a change of e-mail, in its drawer. */
export function askForChange(browser: Browser, email: string, init?: RequestInit) {
  return browser.submit(`${ACCOUNT}?state=change-email`, { intent: "change-email", email }, init);
}

/** Enters the code of either step of an e-mail change. */
export function enterChangeCode(
  browser: Browser,
  newEmail: string,
  code: string,
  init?: RequestInit,
) {
  return browser.submit(changePath(newEmail), { intent: "verify", code }, init);
}

/** Asks for an e-mail change and enters the code sent to the current e-mail. Returns the code sent to the new one. */
export async function proveCurrent(
  { mailbox }: Pick<Gatehouse, "mailbox">,
  browser: Browser,
  email: string,
  newEmail: string,
): Promise<string> {
  await askForChange(browser, newEmail);
  const response = await enterChangeCode(browser, newEmail, await mailbox.codeFor(email));
  if (response.status !== 302) throw new Error(`${email} could not prove itself`);
  return mailbox.codeFor(newEmail);
}

/** Asks for the deletion of the signed-in user's account. Returns the code that was sent. */
export async function askForDeletion(
  { mailbox }: Pick<Gatehouse, "mailbox">,
  browser: Browser,
  email: string,
): Promise<string> {
  const response = await browser.submit(ACCOUNT, { intent: "request-deletion" });
  if (response.status !== 302) throw new Error(`${email} could not ask for the deletion`);
  return mailbox.codeFor(email);
}

/** Enters the code that deletes the account. */
export function enterDeletionCode(browser: Browser, code: string, init?: RequestInit) {
  return browser.submit(DELETION, { intent: "verify", code }, init);
}

/** Uses up the codes that signed-in users get for a mailbox in a day. */
export async function useUpOwnCodes(
  { d1, secret }: Pick<Gatehouse, "d1" | "secret">,
  email: string,
): Promise<void> {
  const budget = `${await mailboxOf(createKeys(secret), email)} own`;
  const rows = Array.from({ length: MAIL_LIMITS.ownCodes.max }, (_, index) => ({
    id: `code-${index}`,
    budget,
    kind: "sent",
    created_at: Date.now() - 60_000,
  }));
  await insertRows(d1, "code_event", rows);
}

/** Moves the code times of a signed-in user so many minutes into the past. */
export async function ageCodes(
  { d1 }: Pick<Gatehouse, "d1">,
  userId: string,
  minutes: number,
): Promise<void> {
  const ms = minutes * 60_000;
  await d1
    .prepare(
      "UPDATE account_code SET sent_at = sent_at - ?1, expires_at = expires_at - ?1, proved_at = proved_at - ?1 WHERE user_id = ?2",
    )
    .bind(ms, userId)
    .run();
}

/** Returns a function that reads the audit events about a user, except the user's creation and sign-ins. */
export function accountChangesIn(gatehouse: Pick<Gatehouse, "d1">) {
  return async (userId: string) => {
    const events = await auditOf(gatehouse, userId);
    return events.filter(({ action }) => !["user.created", "user.signed_in"].includes(action));
  };
}

/** Returns a function that signs the same user in on another device. */
export function otherDevices(gatehouse: Pick<Gatehouse, "mailbox" | "origin" | "url">) {
  return async (email: string, userAgent?: string): Promise<Browser> => {
    const browser = newBrowser(gatehouse);
    await askForCode(browser, email);
    const code = await gatehouse.mailbox.codeFor(email);
    const search = new URLSearchParams({ email });
    const headers = {
      ...(userAgent && { "user-agent": userAgent }),
      "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }),
    };
    await browser.submit(`/login/verify?${search}`, { intent: "verify", code }, { headers });
    return browser;
  };
}
