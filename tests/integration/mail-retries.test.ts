import { afterAll, afterEach, expect, test } from "vitest";
import { locationOf, newBrowser } from "../support/client.ts";
import { findRow, settled, tryAgain } from "../support/outbox.ts";
import { askForCode, enterCode, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
afterEach(() => gatehouse.d1.exec("DELETE FROM mail_outbox"));

test("after a 503 the mail is sent later, not before the provider allows", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 503, headers: { "retry-after": "90" } });
  const started = Date.now();
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(gatehouse, email);
  expect(row).toMatchObject({ state: "waiting", tries: 1 });
  expect(row.last_error).toContain("503");
  expect(row.next_try_at).toBeGreaterThanOrEqual(started + 90_000);

  await tryAgain(gatehouse);

  const mail = await gatehouse.mailbox.mailFor(email);
  expect(mail.idempotencyKey).toBe(row.id);
  await expect
    .poll(() => findRow(gatehouse, email))
    .toMatchObject({ state: "sent", payload: null, tries: 2 });
  const browser = newBrowser(gatehouse);
  expect(locationOf(await enterCode(browser, email, mail.code))).toBe("/onboarding");
});

test.each([500, 502])("after a %i the mail is tried again within seconds", async (status) => {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status });
  await askForCode(newBrowser(gatehouse), email);
  const row = await settled(gatehouse, email);
  expect(row.next_try_at).toBeLessThanOrEqual(Date.now() + 10_000);

  await tryAgain(gatehouse);

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
  const before = gatehouse.mailbox.attempts.length;
  const started = performance.now();

  await askForCode(newBrowser(gatehouse), email);
  await gatehouse.mailbox.attempted(before + 1);
  // The request is not given up yet, and the screen is there.
  expect(await findRow(gatehouse, email)).toMatchObject({ tries: 0 });
  const row = await settled(gatehouse, email);
  // Not given up too early; a slow machine only makes it later.
  expect(performance.now() - started).toBeGreaterThan(4_500);
  expect(row).toMatchObject({ state: "waiting", tries: 1 });
  await tryAgain(gatehouse);

  expect((await gatehouse.mailbox.mailFor(email)).idempotencyKey).toBe(row.id);
});

test("a mail whose acceptance was not received is not sent twice", async () => {
  const email = newEmail();
  gatehouse.mailbox.answerNext("cut-after-accept");
  await askForCode(newBrowser(gatehouse), email);
  const mail = await gatehouse.mailbox.mailFor(email);
  const row = await settled(gatehouse, email);
  expect(row).toMatchObject({ state: "waiting", id: mail.idempotencyKey });

  await tryAgain(gatehouse);

  await expect
    .poll(() => findRow(gatehouse, email))
    .toMatchObject({ state: "sent", payload: null });
  expect(gatehouse.mailbox.mails.filter(({ to }) => to === email)).toHaveLength(1);
  expect(
    gatehouse.mailbox.attempts.filter(({ idempotencyKey }) => idempotencyKey === row.id),
  ).toHaveLength(2);
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
    await tryAgain(picky);
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

    await tryAgain(gatehouse);

    await gatehouse.mailbox.mailFor(email);
  },
);
