import { expect } from "@playwright/test";
import { newBrowser } from "./client.ts";
import { askForCode, newEmail } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** Waits for the state of a mailbox's only mail, which is stored after the provider's answer. */
export async function mailIs(state: string, email: string, { d1 }: Gatehouse): Promise<void> {
  const mail = d1.prepare("SELECT state FROM mail_outbox WHERE recipient = ?").bind(email);
  await expect.poll(() => mail.first<string>("state")).toBe(state);
}

/** Makes a mail that the provider has refused for good. Returns its mailbox. */
export async function aFailedMail(gatehouse: Gatehouse): Promise<string> {
  gatehouse.expectErrors("mail.failed");
  const email = newEmail("refused");
  gatehouse.mailbox.answerNext({
    status: 422,
    body: { statusCode: 422, name: "validation_error", message: "Not now" },
  });
  await askForCode(newBrowser(gatehouse), email);
  await mailIs("failed", email, gatehouse);
  return email;
}
