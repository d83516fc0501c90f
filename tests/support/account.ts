import type { Browser } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

export const ACCOUNT = "/app/account";
export const DELETION = "/app/account/delete";

/** The account's address while a change to this e-mail waits for a code. */
export function changePath(newEmail: string): string {
  return `${ACCOUNT}?newEmail=${encodeURIComponent(newEmail)}`;
}

/** Asks for a change of address. */
export function askForChange(browser: Browser, email: string, init?: RequestInit) {
  return browser.submit(ACCOUNT, { intent: "change-email", email }, init);
}

/** Enters the code of either step of a change. */
export function enterChangeCode(
  browser: Browser,
  newEmail: string,
  code: string,
  init?: RequestInit,
) {
  return browser.submit(changePath(newEmail), { intent: "verify", code }, init);
}

/** Begins a change and lets the current address prove itself; answers the code that the new one was sent. */
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

/** Asks for one's account to be deleted; answers the code that was sent. */
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

/** Makes the codes of somebody who is signed in so much older. */
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
