import { afterAll, beforeEach, expect, test } from "vitest";
import { type NextAnswer, RESEND_LIMIT, startMailbox } from "../../scripts/weather/mailbox.ts";
import { newBrowser } from "../support/client.ts";
import { copyMigratedDatabase } from "../support/migrated-database.ts";
import { addNotices, findRow, settled, tryAgain } from "../support/outbox.ts";
import { askForCode, newEmail } from "../support/people.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

// The provider has Resend's limit: two requests a second. The full run takes its real seconds; in
// the gate its clock goes ten times as fast, and its headers say so.
const SECOND_MS = isFull ? 1_000 : 100;
const LIMIT = { ...RESEND_LIMIT, windowMs: SECOND_MS };
const [NOTICES, CODES] = isFull ? [300, 20] : [30, 4];
const BETWEEN_CODES_MS = 1.5 * SECOND_MS;
/** The limit itself needs 160 s for 320 mails. */
const ALL_WITHIN_MS = 200_000;
const MOST_REFUSED = isFull ? 30 : 3;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { mailbox, d1 } = gatehouse;

beforeEach(async () => {
  await d1.exec("DELETE FROM mail_outbox");
  mailbox.limitTo(LIMIT);
  mailbox.answerBy(() => undefined);
});

const mailsTo = (email: string) => mailbox.mails.filter(({ to }) => to === email);

/** Waits until a mail to each of these e-mails was accepted. */
async function accepted(emails: string[], timeout = 120_000): Promise<void> {
  const missing = () => emails.filter((email) => mailsTo(email).length === 0).length;
  await expect.poll(missing, { timeout }).toBe(0);
}

/** Returns the states of all mails, each once. */
async function statesOf(): Promise<unknown[]> {
  const { results } = await d1.prepare("SELECT DISTINCT state FROM mail_outbox").all();
  return results.map(({ state }) => state);
}

/** Waits until every mail is sent, and returns how many there are by their tries. */
async function triesOfSent() {
  await expect.poll(statesOf).toEqual(["sent"]);
  const count = "SELECT tries, count(*) AS mails FROM mail_outbox GROUP BY tries";
  return (await d1.prepare(count).all()).results;
}

/** Asks for codes, one after another, while notices leave. Returns the e-mails. */
async function askForCodes(): Promise<string[]> {
  const emails = Array.from({ length: CODES }, () => newEmail());
  for (const email of emails) {
    const next = Date.now() + BETWEEN_CODES_MS;
    await askForCode(newBrowser(gatehouse), email);
    const [requests, askedAt] = [mailbox.attempts.length, Date.now()];
    await accepted([email]);
    const [mail] = mailsTo(email);
    const index = mailbox.attempts.findIndex(
      ({ idempotencyKey }) => idempotencyKey === mail?.idempotencyKey,
    );
    // At most one notice was under way, and one was read before the code was written.
    expect(index - requests).toBeLessThanOrEqual(1);
    if (isFull) expect(Number(mailbox.attempts[index]?.at) - askedAt).toBeLessThanOrEqual(5_000);
    await expect.poll(() => Date.now() >= next).toBe(true);
  }
  return emails;
}

test("codes leave at once while notices wait, at the provider's pace, and nothing is lost or sent twice", {
  timeout: ALL_WITHIN_MS + 60_000,
}, async () => {
  const before = mailbox.attempts.length;
  const notices = await addNotices(gatehouse, NOTICES);
  const startedAt = Date.now();
  await gatehouse.runScheduled();

  const codes = await askForCodes();
  await accepted([...notices, ...codes], ALL_WITHIN_MS);

  if (isFull) expect(Date.now() - startedAt).toBeLessThan(ALL_WITHIN_MS);
  expect(await triesOfSent()).toEqual([{ tries: 1, mails: NOTICES + CODES }]);
  for (const email of [...notices, ...codes]) expect(mailsTo(email)).toHaveLength(1);
  const attempts = mailbox.attempts.slice(before);
  expect(attempts.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(MOST_REFUSED);
  expect(mailbox.mostUnderWay()).toBe(1);
});

/** Of ten requests one is refused, one is cut before the answer, and one after the mail was accepted. */
const FAULTS: Record<number, NextAnswer> = { 0: { status: 500 }, 3: "cut", 6: "cut-after-accept" };

test("with 30 % of errors and cut connections no mail is lost, and none arrives twice", {
  timeout: 600_000,
}, async () => {
  const before = mailbox.attempts.length;
  mailbox.answerBy((request) => FAULTS[request % 10]);
  const notices = await addNotices(gatehouse, NOTICES);
  const codes = Array.from({ length: CODES }, () => newEmail());
  await gatehouse.runScheduled();

  await Promise.all(codes.map((email) => askForCode(newBrowser(gatehouse), email)));
  await expect
    .poll(
      async () => {
        // The gate does not wait for the time between two tries.
        if (!isFull) await tryAgain(gatehouse);
        return await statesOf();
      },
      { timeout: 500_000, interval: SECOND_MS },
    )
    .toEqual(["sent"]);

  for (const email of [...notices, ...codes]) expect(mailsTo(email)).toHaveLength(1);
  const failed = mailbox.attempts.slice(before).filter(({ status }) => status !== 200);
  expect(failed.length).toBeGreaterThan((NOTICES + CODES) * 0.3);
});

test("after an outage a fresh code leaves first", async () => {
  mailbox.answerBy(() => ({ status: 503 }));
  const notices = await addNotices(gatehouse, 5);
  const stale = newEmail();
  await askForCode(newBrowser(gatehouse), stale);
  for (const email of [...notices, stale]) await settled(gatehouse, email);
  // Ten minutes later the provider is back, and the old code is of no use any more.
  await d1.exec(
    "UPDATE mail_outbox SET created_at = created_at - 600000, expires_at = expires_at - 600000",
  );
  mailbox.answerBy(() => undefined);
  const before = mailbox.mails.length;
  const fresh = newEmail();

  await Promise.all([askForCode(newBrowser(gatehouse), fresh), tryAgain(gatehouse)]);
  await accepted([...notices, fresh]);

  const order = mailbox.mails.slice(before).map(({ to }) => to);
  // One notice may have left before the code was written.
  expect(order.indexOf(fresh)).toBeLessThanOrEqual(1);
  expect(order).not.toContain(stale);
  expect(await findRow(gatehouse, stale)).toMatchObject({ state: "expired" });
});

test("after a 429 all mails wait as long as the provider says, and it counts as no try", async () => {
  const waitMs = 1_000;
  mailbox.answerNext({ status: 429, headers: { "retry-after": String(waitMs / 1_000) } });
  const before = mailbox.attempts.length;
  const emails = [newEmail(), newEmail()];
  await askForCode(newBrowser(gatehouse), String(emails[0]));
  await mailbox.attempted(before + 1);
  const refusedAt = Number(mailbox.attempts[before]?.at);

  // Neither another mail nor the cron makes it go on sooner.
  await askForCode(newBrowser(gatehouse), String(emails[1]));
  await gatehouse.runScheduled();
  await accepted(emails);

  for (const { at } of mailbox.attempts.slice(before + 1)) {
    expect(at - refusedAt).toBeGreaterThanOrEqual(waitMs);
  }
  expect(await triesOfSent()).toEqual([{ tries: 1, mails: 2 }]);
});

test("many requests and triggers at once make one request to the provider at a time", async () => {
  const emails = Array.from({ length: 6 }, () => newEmail());

  await Promise.all([
    ...emails.map((email) => askForCode(newBrowser(gatehouse), email)),
    ...Array.from({ length: 4 }, () => gatehouse.runScheduled()),
  ]);
  await accepted(emails);

  expect(mailbox.mostUnderWay()).toBe(1);
  for (const email of emails) expect(mailsTo(email)).toHaveLength(1);
});

// Half a minute of real time: the time-out of a try is 5 s.
test.runIf(isFull)(
  "a slow provider loses no try to the time that a mail waited for its turn",
  {
    timeout: 120_000,
  },
  async () => {
    mailbox.answerBy(() => "slow");
    const notices = await addNotices(gatehouse, 20);

    await gatehouse.runScheduled();

    await accepted(notices, 100_000);
    expect(await triesOfSent()).toEqual([{ tries: 1, mails: 20 }]);
  },
);

test("a restart in the middle of a request loses nothing, and the sender goes on by itself", async () => {
  await using provider = await startMailbox();
  await using data = await copyMigratedDatabase();
  const vars = {
    RESEND_API_KEY: provider.apiKey,
    RESEND_BASE_URL: provider.url,
    BETTER_AUTH_SECRET: crypto.randomUUID(),
  };
  let emails: string[] = [];
  {
    await using first = await startGatehouse({ vars, folder: data.folder });
    emails = await addNotices(first, 3);
    provider.answerNext("hang");
    await first.runScheduled();
    await provider.attempted(1);
  }
  await using second = await startGatehouse({ vars, folder: data.folder });

  const arrived = () =>
    emails.map((email) => provider.mails.filter(({ to }) => to === email).length);
  await expect.poll(arrived).toEqual([1, 1, 1]);
  await expect.poll(() => findRow(second, String(emails[0]))).toMatchObject({ state: "sent" });
});

test("a mail that cannot be read does not stop the others", async () => {
  gatehouse.expectErrors("mail.unreadable", "mail.failed");
  const [unreadable = "", ...others] = await addNotices(gatehouse, 3);
  await d1
    .prepare("UPDATE mail_outbox SET payload = 'x' WHERE recipient = ?")
    .bind(unreadable)
    .run();

  await gatehouse.runScheduled();

  await accepted(others);
  await expect
    .poll(() => findRow(gatehouse, unreadable))
    .toMatchObject({ state: "failed", tries: 1 });
});

test("a mail of a kind that only a newer release can write waits for that release", async () => {
  const [newer = "", ...others] = await addNotices(gatehouse, 3);
  const setKind = (kind: string) =>
    d1.prepare("UPDATE mail_outbox SET kind = ? WHERE recipient = ?").bind(kind, newer).run();
  await setKind("parcel-arrived");

  await gatehouse.runScheduled();
  await accepted(others);
  expect(await findRow(gatehouse, newer)).toMatchObject({ state: "waiting", tries: 0 });
  await setKind("email-taken");
  await gatehouse.runScheduled();

  await accepted([newer]);
  await expect.poll(() => findRow(gatehouse, newer)).toMatchObject({ state: "sent", tries: 1 });
});

test("a mail whose outcome could not be stored is not sent twice", async () => {
  gatehouse.expectErrors("mail.sending_failed");
  await d1.exec(
    "CREATE TRIGGER broken BEFORE UPDATE ON mail_outbox BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const [notice = ""] = await addNotices(gatehouse, 1);
  await gatehouse.runScheduled();
  await gatehouse.logged("mail.sending_failed");
  await d1.exec("DROP TRIGGER broken");

  await gatehouse.runScheduled();

  await expect.poll(() => findRow(gatehouse, notice)).toMatchObject({ state: "sent", tries: 1 });
  expect(mailsTo(notice)).toHaveLength(1);
});

test("the next mail is found by an index, however many wait", async () => {
  const plan = await d1
    .prepare(
      "EXPLAIN QUERY PLAN SELECT * FROM mail_outbox WHERE state = 'waiting' AND expires_at > 1 AND kind IN (SELECT value FROM json_each('[\"email-taken\"]')) AND next_try_at <= 1 ORDER BY lane, asked, asked_near, created_at DESC LIMIT 1",
    )
    .all<{ detail: string }>();

  const steps = plan.results.map(({ detail }) => detail);
  expect(steps[0]).toBe("SCAN mail_outbox USING INDEX mail_outbox_turn");
  expect(steps.join()).not.toContain("TEMP B-TREE");
});
