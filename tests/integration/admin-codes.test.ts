import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { anAdmin, askForCode, newEmail, signIn } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests that the operator's e-mails always get a code (decision D3 of the specification).

const LISTED = { bounced: "boss@example.com", suppressed: "second@example.com" };

const gatehouse = await startGatehouse({
  vars: { ADMIN_EMAILS: Object.values(LISTED).join(), SIGN_UP_ENABLED: "false" },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Notes that a mailbox returned a mail for good. */
async function refuse(email: string, reason = "bounced") {
  await insertRows(gatehouse.d1, "refusing_mailbox", [{ email, reason, since: Date.now() }]);
}

/** Returns the number of codes that were queued for an e-mail. */
async function codesTo(email: string) {
  return gatehouse.d1
    .prepare(
      "SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind IN ('login-code', 'account-code')",
    )
    .bind(email)
    .first<number>("n");
}

test.each(["bounced", "suppressed"] as const)(
  "an e-mail of ADMIN_EMAILS gets codes although its mailbox is noted as %s",
  async (reason) => {
    const email = LISTED[reason];
    await refuse(email, reason);
    const browser = newBrowser(gatehouse);

    await signIn(gatehouse, browser, email);

    const before = (await codesTo(email)) ?? 0;
    await browser.submit("/onboarding", { name: "Amina Yusuf" });
    await browser.submit("/manager/account/confirm", { intent: "resend" });
    expect(await codesTo(email)).toBe(before + 1);
  },
);

test("an admin outside of ADMIN_EMAILS gets none, until the operator deletes the note", async () => {
  const { user } = await anAdmin(gatehouse, { email: newEmail("admin") });
  await refuse(user.email);
  const before = await codesTo(user.email);
  await askForCode(newBrowser(gatehouse), user.email);
  expect(await codesTo(user.email)).toBe(before);

  // The command of docs/operations.md.
  await gatehouse.d1.prepare("DELETE FROM refusing_mailbox WHERE email = ?").bind(user.email).run();
  await gatehouse.d1.exec("DELETE FROM sign_in_code");
  await askForCode(newBrowser(gatehouse), user.email);

  expect(await codesTo(user.email)).toBe((before ?? 0) + 1);
});
