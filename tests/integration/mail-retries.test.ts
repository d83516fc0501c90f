import { afterAll, afterEach, expect, test } from "vitest";
import { locationOf, newBrowser } from "../support/client.ts";
import { findRow, settled } from "../support/outbox.ts";
import { askForCode, enterCode, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
afterEach(() => gatehouse.d1.exec("DELETE FROM mail_outbox"));

test.each([429, 503])(
  "after a %i the mail is sent later, not before the provider allows",
  async (status) => {
    const email = newEmail();
    const before = gatehouse.mailbox.attempts.length;
    gatehouse.mailbox.answerNext({ status, headers: { "retry-after": "90" } });
    const started = Date.now();
    await askForCode(newBrowser(gatehouse), email);
    const row = await settled(gatehouse, email);
    expect(row).toMatchObject({ state: "waiting", tries: 1 });
    expect(row.last_error).toContain(String(status));
    expect(row.next_try_at).toBeGreaterThanOrEqual(started + 90_000);

    await gatehouse.runScheduled(new Date(started + 80_000));
    expect(gatehouse.mailbox.attempts).toHaveLength(before + 1);
    await gatehouse.runScheduled(new Date(row.next_try_at + 1));

    const mail = await gatehouse.mailbox.mailFor(email);
    expect(mail.idempotencyKey).toBe(row.id);
    await expect
      .poll(() => findRow(gatehouse, email))
      .toMatchObject({ state: "sent", payload: null, tries: 2 });
    const browser = newBrowser(gatehouse);
    expect(locationOf(await enterCode(browser, email, mail.code))).toBe("/onboarding");
  },
);

test.each([500, 502])("after a %i the mail is tried again within seconds", async (status) => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(gatehouse, email);
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

  expect(await settled(gatehouse, email)).toMatchObject({ state: "waiting", tries: 1 });
});

test("a request to the provider is given up after 5 seconds, and the screen does not wait for it", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext("hang");
  const started = performance.now();

  await askForCode(newBrowser(gatehouse), email);
  expect(performance.now() - started).toBeLessThan(2_000);
  const row = await settled(gatehouse, email);
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
  const row = await settled(gatehouse, email);
  expect(row).toMatchObject({ state: "waiting", id: mail.idempotencyKey });

  await gatehouse.runScheduled(new Date(row.next_try_at + 1));

  await expect
    .poll(() => findRow(gatehouse, email))
    .toMatchObject({ state: "sent", payload: null });
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
    await settled(gatehouse, email);
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
  const row = await settled(gatehouse, email);
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
    expect(await findRow(picky, email)).toMatchObject({
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
    const row = await settled(gatehouse, email);
    expect(row.state).toBe("waiting");

    await gatehouse.runScheduled(new Date(row.next_try_at + 1));

    await gatehouse.mailbox.mailFor(email);
  },
);
