import { expect } from "vitest";
import { newBrowser } from "./client.ts";
import { askForCode, newEmail } from "./people.ts";
import { anEvent, sendEvent } from "./webhook.ts";
import type { Gatehouse } from "./worker.ts";

type Mail = { id: string; provider_id: string | null; delivery: string | null };
type Refusal = { reason: string; note: string | null; since: number; allowed_at: number | null };
type SentMail = { providerId: string; email?: string };

/** Returns what names a mail in an event. */
export function named({ providerId, email }: SentMail) {
  return { email_id: providerId, ...(email && { to: [email] }) };
}

/** What the tests of the provider's events read and send. */
export function mailEventsOf(gatehouse: Gatehouse) {
  async function mailTo(email: string): Promise<Mail | null> {
    return await gatehouse.d1
      .prepare("SELECT * FROM mail_outbox WHERE recipient = ? ORDER BY created_at DESC")
      .bind(email)
      .first<Mail>();
  }

  async function refusalOf(email: string): Promise<Refusal | null> {
    return await gatehouse.d1
      .prepare("SELECT reason, note, since, allowed_at FROM refusing_mailbox WHERE email = ?")
      .bind(email)
      .first<Refusal>();
  }

  /** Sends a code and returns its mail, once the provider's id is stored. */
  async function aSentMail(email = newEmail()) {
    await askForCode(newBrowser(gatehouse), email);
    const { id } = await gatehouse.mailbox.mailFor(email);
    await expect.poll(() => mailTo(email)).toMatchObject({ provider_id: id });
    return { email, providerId: id };
  }

  /** Sends an event about a mail and expects that it is accepted. */
  async function tell(type: string, mail: SentMail, data = {}, at?: Date) {
    const response = await sendEvent(gatehouse, anEvent(type, { ...named(mail), ...data }, at));
    expect([response.status, await response.text()]).toEqual([200, ""]);
  }

  async function countsOf(name: string): Promise<number> {
    const row = await gatehouse.d1
      .prepare("SELECT coalesce(sum(value), 0) AS total FROM slot_count WHERE name = ?")
      .bind(`mail.${name}`)
      .first<{ total: number }>();
    return row?.total ?? 0;
  }

  return { mailTo, refusalOf, aSentMail, tell, countsOf };
}
