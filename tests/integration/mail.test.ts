import { afterAll, afterEach, expect, test } from "vitest";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
import { findRow, settled, tryAgain } from "../support/outbox.ts";
import { readPage } from "../support/page.ts";
import { askForCode, enterCode, newEmail, signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const MINUTE_MS = 60_000;

const secret = crypto.randomUUID();
const gatehouse = await startGatehouse({ vars: { BETTER_AUTH_SECRET: secret } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
// No mail of one test waits in the next.
afterEach(() => gatehouse.d1.exec("DELETE FROM mail_outbox"));

test("a waiting mail is encrypted in the outbox", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);

  const row = await settled(gatehouse, email);

  expect(row.payload).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(JSON.stringify(row)).not.toMatch(/login-code.*code.*\d{6}|#code=/);
});

test("a mail sealed by an older version is still sent", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(gatehouse, email);
  const message = { kind: "login-code", code: "271828", link: gatehouse.origin, validMinutes: 5 };
  await gatehouse.d1
    .prepare("UPDATE mail_outbox SET payload = ? WHERE id = ?")
    .bind(await sealWithoutPurpose(JSON.stringify(message)), row.id)
    .run();

  await tryAgain(gatehouse);

  expect(await gatehouse.mailbox.codeFor(email)).toBe("271828");
});

/** Encrypts with AES-256-GCM under the derived key without additional data, as older versions of the outbox did. */
async function sealWithoutPurpose(text: string): Promise<string> {
  const encoder = new TextEncoder();
  const derivation = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode("gatehouse seal"),
  };
  const root = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, [
    "deriveKey",
  ]);
  const aes = { name: "AES-GCM", length: 256 };
  const key = await crypto.subtle.deriveKey(derivation, root, aes, false, ["encrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, encoder.encode(text));
  return `${Buffer.from(iv).toString("base64url")}.${Buffer.from(sealed).toString("base64url")}`;
}

test("an expired mail is dropped, and its payload erased", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  await settled(gatehouse, email);
  const before = gatehouse.mailbox.attempts.length;

  await gatehouse.runScheduled(new Date(Date.now() + 6 * MINUTE_MS));

  await expect
    .poll(() => findRow(gatehouse, email))
    .toMatchObject({ state: "expired", payload: null });
  expect(gatehouse.mailbox.attempts).toHaveLength(before);
});

test("mails of a month ago are deleted, and readable ones erased after a day", async () => {
  await using local = await startGatehouse({ mail: "local" });
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const email of emails) await askForCode(newBrowser(local), email);
  const [fresh = "", yesterday = "", old = ""] = emails;
  await expect.poll(() => findRow(local, old)).toMatchObject({ state: "sent" });
  const age = (email: string, days: number) =>
    local.d1
      .prepare("UPDATE mail_outbox SET created_at = created_at - ? WHERE recipient = ?")
      .bind(days * 86_400_000, email)
      .run();
  await age(yesterday, 1);
  await age(old, 31);
  const hour = new Date();
  hour.setUTCHours(hour.getUTCHours() + 1, 0, 0, 0);

  await local.runHourly(hour);

  await expect.poll(() => findRow(local, old)).toBeNull();
  expect(await findRow(local, yesterday)).toMatchObject({ payload: null });
  expect((await findRow(local, fresh))?.payload).not.toBeNull();
});

test("when the outbox cannot be written the screen says so, and a later try succeeds", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("mail.not_queued");
  const [{ sql = "" } = {}] = (
    await broken.d1
      .prepare("SELECT sql FROM sqlite_master WHERE name = 'mail_outbox'")
      .all<{ sql: string }>()
  ).results;
  await broken.d1.exec("DROP TABLE mail_outbox");
  const browser = newBrowser(broken);
  const email = newEmail();

  const form = await browser.submit("/login", { intent: "email", email });
  expect(form.status).toBe(503);
  const page = await form.text();
  expect(alertsOf(page)).toEqual([say("codes:MAIL_NOT_SENT")]);
  expect(readPage(page).field("email")?.value).toBe(email);
  const api = await browser.api("/api/auth/email-otp/send-verification-otp", { email });
  expect(api.status).toBe(503);
  expect(await api.json()).toMatchObject({ code: "MAIL_NOT_SENT" });

  await broken.d1.prepare(sql).run();
  await signIn(broken, browser, email);
});

test("an e-mail with a line break is refused", async () => {
  const browser = newBrowser(gatehouse);
  for (const email of ["a@example.com\r\nBcc: b@example.com", "a@example.com\nX: y"]) {
    const response = await browser.submit("/login", { intent: "email", email });
    expect(response.status).toBe(400);
  }
});

test("without a provider the mails are in the local inbox, newest first", async () => {
  await using local = await startGatehouse({ mail: "local" });
  const browser = newBrowser(local);
  const [first, second] = [newEmail(), newEmail()];
  expect(readText(await (await browser.get("/dev/inbox")).text())).toContain(
    `${say("dev:inbox.empty")} ${say("dev:inbox.emptyText")} ${say("dev:inbox.toLogin")}`,
  );
  await askForCode(browser, first);
  await expect.poll(() => findRow(local, first)).toMatchObject({ state: "sent" });
  await askForCode(browser, second);
  await expect.poll(() => findRow(local, second)).toMatchObject({ state: "sent" });

  const page = await (await browser.get("/dev/inbox")).text();
  const text = readText(page);

  expect(text.indexOf(second)).toBeGreaterThan(0);
  expect(text.indexOf(first)).toBeGreaterThan(text.indexOf(second));
  const code = /(\d{6}) is your Gatehouse code/.exec(text)?.[1] ?? "";
  expect(locationOf(await enterCode(browser, second, code))).toBe("/onboarding");
  const frames = [...readPage(page).document.querySelectorAll("iframe")];
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames) {
    expect(frame.hasAttribute("sandbox")).toBe(true);
    expect(frame.getAttribute("sandbox")).not.toMatch(/allow-scripts|allow-same-origin/);
  }
  expect(local.mailbox.attempts).toEqual([]);
});

test("with a provider there is no local inbox", async () => {
  const response = await newBrowser(gatehouse).get("/dev/inbox");

  expect(response.status).toBe(404);
});
