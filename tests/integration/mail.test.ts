import { afterAll, afterEach, expect, test } from "vitest";
import { alertsOf, locationOf, newBrowser, readText } from "../support/client.ts";
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

type OutboxRow = {
  id: string;
  state: string;
  payload: string | null;
  tries: number;
  next_try_at: number;
  leased_until: number | null;
  last_error: string | null;
};

function findRow(email: string, { d1 } = gatehouse): Promise<OutboxRow | null> {
  return d1.prepare("SELECT * FROM mail_outbox WHERE recipient = ?").bind(email).first();
}

/** Waits until the first try, which runs after the response, is recorded. */
async function settled(email: string): Promise<OutboxRow> {
  let row: OutboxRow | null = null;
  await expect
    .poll(
      async () => {
        row = await findRow(email);
        return row !== null && row.leased_until === null;
      },
      { timeout: 8_000 },
    )
    .toBe(true);
  if (!row) throw new Error("There is no mail in the outbox");
  return row;
}

test("a waiting mail is encrypted in the outbox", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);

  const row = await settled(email);

  expect(row.payload).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(JSON.stringify(row)).not.toMatch(/login-code.*code.*\d{6}|#code=/);
});

test("a mail sealed by an older version is still sent", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(email);
  const message = { kind: "login-code", code: "271828", link: gatehouse.origin, validMinutes: 5 };
  await gatehouse.d1
    .prepare("UPDATE mail_outbox SET payload = ? WHERE id = ?")
    .bind(await sealWithoutPurpose(JSON.stringify(message)), row.id)
    .run();

  await gatehouse.runScheduled(new Date(row.next_try_at + 1));

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

test.each([429, 503])(
  "after a %i the mail is sent later, not before the provider allows",
  async (status) => {
    const email = newEmail();
    const before = gatehouse.mailbox.attempts.length;
    gatehouse.mailbox.answerNext({ status, headers: { "retry-after": "90" } });
    const started = Date.now();
    await askForCode(newBrowser(gatehouse), email);
    const row = await settled(email);
    expect(row).toMatchObject({ state: "waiting", tries: 1 });
    expect(row.last_error).toContain(String(status));
    expect(row.next_try_at).toBeGreaterThanOrEqual(started + 90_000);

    await gatehouse.runScheduled(new Date(started + 80_000));
    expect(gatehouse.mailbox.attempts).toHaveLength(before + 1);
    await gatehouse.runScheduled(new Date(row.next_try_at + 1));

    const mail = await gatehouse.mailbox.mailFor(email);
    expect(mail.idempotencyKey).toBe(row.id);
    await expect
      .poll(() => findRow(email))
      .toMatchObject({ state: "sent", payload: null, tries: 2 });
    const browser = newBrowser(gatehouse);
    expect(locationOf(await enterCode(browser, email, mail.code))).toBe("/onboarding");
  },
);

test.each([500, 502])("after a %i the mail is tried again within seconds", async (status) => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(email);
  expect(row.next_try_at).toBeLessThanOrEqual(Date.now() + 10_000);

  await gatehouse.runScheduled(new Date(row.next_try_at + 1));

  expect((await gatehouse.mailbox.mailFor(email)).idempotencyKey).toBe(row.id);
});

test.each([
  ["a page", "<html>Bad gateway</html>"],
  ["words of its own", { message: "Bad gateway" }],
  ["nothing", ""],
  ["null", "null"],
])("a mail waits after a 502 with %s as its body", async (_name, body) => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 502, body });
  await askForCode(newBrowser(gatehouse), email);

  expect(await settled(email)).toMatchObject({ state: "waiting", tries: 1 });
});

test("a request to the provider is given up after 5 seconds, and the screen does not wait for it", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext("hang");
  const started = performance.now();

  await askForCode(newBrowser(gatehouse), email);
  expect(performance.now() - started).toBeLessThan(2_000);
  const row = await settled(email);
  expect(performance.now() - started).toBeGreaterThan(4_500);
  expect(row).toMatchObject({ state: "waiting", tries: 1 });
  await gatehouse.runScheduled(new Date(row.next_try_at + 1));

  expect((await gatehouse.mailbox.mailFor(email)).idempotencyKey).toBe(row.id);
});

test("a mail whose acceptance was not received is not sent twice", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext("cut-after-accept");
  await askForCode(newBrowser(gatehouse), email);
  const mail = await gatehouse.mailbox.mailFor(email);
  const row = await settled(email);
  expect(row).toMatchObject({ state: "waiting", id: mail.idempotencyKey });

  await gatehouse.runScheduled(new Date(row.next_try_at + 1));

  await expect.poll(() => findRow(email)).toMatchObject({ state: "sent", payload: null });
  expect(gatehouse.mailbox.mails.filter(({ to }) => to === email)).toHaveLength(1);
  expect(
    gatehouse.mailbox.attempts.filter(({ idempotencyKey }) => idempotencyKey === row.id),
  ).toHaveLength(2);
});

test("concurrent triggers send each waiting mail once", async () => {
  const emails = Array.from({ length: 20 }, () => newEmail());
  for (const email of emails) {
    gatehouse.mailbox.answerNext({ status: 500 });
    await askForCode(newBrowser(gatehouse), email);
    await settled(email);
  }
  const before = gatehouse.mailbox.attempts.length;
  const later = new Date(Date.now() + MINUTE_MS);

  await Promise.all(Array.from({ length: 5 }, () => gatehouse.runScheduled(later)));

  for (const email of emails) await gatehouse.mailbox.mailFor(email);
  expect(gatehouse.mailbox.attempts).toHaveLength(before + emails.length);
});

test("a mail is sent by another run once its lease has expired", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(email);
  const now = Date.now();
  await gatehouse.d1
    .prepare("UPDATE mail_outbox SET leased_until = ?, next_try_at = ? WHERE id = ?")
    .bind(now + 30_000, now, row.id)
    .run();
  const before = gatehouse.mailbox.attempts.length;

  await gatehouse.runScheduled(new Date(now + 29_000));
  expect(gatehouse.mailbox.attempts).toHaveLength(before);
  await gatehouse.runScheduled(new Date(now + 31_000));

  expect((await gatehouse.mailbox.mailFor(email)).idempotencyKey).toBe(row.id);
});

test("an expired mail is dropped, and its payload erased", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  await settled(email);
  const before = gatehouse.mailbox.attempts.length;

  await gatehouse.runScheduled(new Date(Date.now() + 6 * MINUTE_MS));

  await expect.poll(() => findRow(email)).toMatchObject({ state: "expired", payload: null });
  expect(gatehouse.mailbox.attempts).toHaveLength(before);
});

test.each([400, 422])(
  "a mail that the provider rejects (%i) is marked as failed and logged",
  async (status) => {
    await using picky = await startGatehouse();
    picky.expectErrors("mail.failed");
    const email = newEmail();
    picky.mailbox.answerNext({
      status,
      body: { statusCode: status, name: "validation_error", message: "The `to` field is invalid" },
    });
    await askForCode(newBrowser(picky), email);

    expect(await picky.logged("mail.failed")).toMatchObject({ kind: "login-code", tries: 1 });
    // The payload stays, so that a manager can send it again.
    expect(await findRow(email, picky)).toMatchObject({
      state: "failed",
      payload: expect.any(String),
    });
    await picky.runScheduled(new Date(Date.now() + MINUTE_MS));
    expect(picky.mailbox.attempts).toHaveLength(1);
  },
);

test.each([401, 403])(
  "a mail waits while the provider refuses the API key (%i)",
  async (status) => {
    const email = newEmail();
    gatehouse.mailbox.answerNext({ status });
    await askForCode(newBrowser(gatehouse), email);
    const row = await settled(email);
    expect(row.state).toBe("waiting");

    await gatehouse.runScheduled(new Date(row.next_try_at + 1));

    await gatehouse.mailbox.mailFor(email);
  },
);

test("mails of a month ago are deleted, and readable ones erased after a day", async () => {
  await using local = await startGatehouse({ mail: "local" });
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const email of emails) await askForCode(newBrowser(local), email);
  const [fresh = "", yesterday = "", old = ""] = emails;
  await expect.poll(() => findRow(old, local)).toMatchObject({ state: "sent" });
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

  await expect.poll(() => findRow(old, local)).toBeNull();
  expect(await findRow(yesterday, local)).toMatchObject({ payload: null });
  expect((await findRow(fresh, local))?.payload).not.toBeNull();
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
  expect(await api.json()).toEqual({ code: "MAIL_NOT_SENT" });

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
    say("dev:inbox.empty"),
  );
  await askForCode(browser, first);
  await expect.poll(() => findRow(first, local)).toMatchObject({ state: "sent" });
  await askForCode(browser, second);
  await expect.poll(() => findRow(second, local)).toMatchObject({ state: "sent" });

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
