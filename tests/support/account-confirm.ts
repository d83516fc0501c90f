import type { Browser } from "./client.ts";
import { statementsOn } from "./insert.ts";
import type { Gatehouse } from "./worker.ts";

export const CONFIRM = "/app/account/confirm";

/** Asks for a code on the confirm screen. */
export function sendCode(browser: Browser, init?: RequestInit): Promise<Response> {
  return browser.submit(CONFIRM, { intent: "resend" }, init);
}

/** Enters a code on the confirm screen. */
export function enterCode(browser: Browser, code: string, init?: RequestInit): Promise<Response> {
  return browser.submit(CONFIRM, { intent: "verify", code }, init);
}

/** Returns functions that ask for confirmation codes on one server and read what they did. */
export function confirmations(gatehouse: Gatehouse) {
  const change = statementsOn(gatehouse);

  /** Asks for a code on the confirm screen and returns it. */
  async function askToConfirm(browser: Browser, email: string): Promise<string> {
    const response = await sendCode(browser);
    if (response.status !== 302) throw new Error(`${email} could not ask for a code`);
    return gatehouse.mailbox.codeFor(email);
  }

  function provedAt(userId: string) {
    return gatehouse.d1
      .prepare("SELECT authenticated_at FROM session WHERE user_id = ? ORDER BY created_at LIMIT 1")
      .bind(userId)
      .first<number | null>("authenticated_at");
  }

  /** Moves the times of a user's codes into the past. */
  function letPass(userId: string, ms: number) {
    return change(
      "UPDATE account_code SET sent_at = sent_at - ?, expires_at = expires_at - ? WHERE user_id = ?",
      ms,
      ms,
      userId,
    );
  }

  return { askToConfirm, provedAt, letPass };
}
