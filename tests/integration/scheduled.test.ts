import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { MAIL_LANES } from "../../app/db/mail-criteria.ts";
import { newBrowser } from "../support/client.ts";
import { settled, tryAgain } from "../support/outbox.ts";
import { aSignedInUser, askForCode, newEmail } from "../support/people.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Makes a login code wait: the provider refuses its first try. */
async function aWaitingCode(): Promise<string> {
  const email = newEmail();
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), email);
  await settled(gatehouse, email);
  return email;
}

function mailOf(email: string, { d1 } = gatehouse) {
  return d1
    .prepare("SELECT state, payload FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first();
}

/** Copies a waiting mail for 40 other recipients, with another age and validity. */
async function copyMail(email: string, kind: string, { agoMs, validMs }: Record<string, number>) {
  const createdAt = Date.now() - Number(agoMs);
  await gatehouse.d1
    .prepare(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40)
       INSERT INTO mail_outbox (id, kind, recipient, language, payload, state, tries, next_try_at, expires_at, created_at, lane)
       SELECT hex(randomblob(16)), ?, 'r' || n || '@example.com', language, payload, 'waiting', 1, ?, ?, ?, ?
       FROM mail_outbox, n WHERE recipient = ?`,
    )
    .bind(kind, createdAt, createdAt + Number(validMs), createdAt, MAIL_LANES.warnings, email)
    .run();
}

function stateOfCopies(kind: string) {
  return gatehouse.d1
    .prepare("SELECT state, count(*) AS n FROM mail_outbox WHERE kind = ? GROUP BY state")
    .bind(kind)
    .all();
}

test("wrangler.toml has the trigger of every minute and the hourly one", () => {
  const toml = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");

  expect(toml).toContain('crons = ["* * * * *", "7 * * * *"]');
});

test.each([
  ["email-changed", [{ state: "expired", n: 40 }]],
  // Its row is data about an account that is erased.
  ["deletion-done", []],
])("expired mails (%s) are dropped without a request", async (kind, left) => {
  const email = await aWaitingCode();
  await copyMail(email, kind, { agoMs: 10 * MINUTE_MS, validMs: 5 * MINUTE_MS });
  const attempts = gatehouse.mailbox.attempts.length;

  await tryAgain(gatehouse);

  await expect.poll(() => mailOf(email)).toMatchObject({ state: "sent", payload: null });
  expect(gatehouse.mailbox.attempts).toHaveLength(attempts + 1);
  expect((await stateOfCopies(kind)).results).toEqual(left);
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
});

test("a code is sent before other mails that wait longer", async () => {
  const email = await aWaitingCode();
  await copyMail(email, "new-device", { agoMs: MINUTE_MS, validMs: DAY_MS });
  const before = gatehouse.mailbox.mails.length;

  await tryAgain(gatehouse);

  await expect
    .poll(async () => (await stateOfCopies("new-device")).results)
    .toEqual([{ state: "sent", n: 40 }]);
  expect(gatehouse.mailbox.mails[before]?.to).toBe(email);
  await gatehouse.d1.exec("DELETE FROM mail_outbox");
});

test("only the hourly trigger prunes, at any minute", async () => {
  const { user } = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET updated_at = 1, expires_at = 1 WHERE user_id = ?")
    .bind(user.id)
    .run();
  const sessions = () =>
    gatehouse.d1
      .prepare("SELECT count(*) AS n FROM session WHERE user_id = ?")
      .bind(user.id)
      .first("n");
  const atMinute = (minute: number) => new Date(new Date().setUTCMinutes(minute, 0, 0));

  await gatehouse.runScheduled(atMinute(0));
  expect(await sessions()).toBe(1);
  await gatehouse.runHourly(atMinute(23));
  expect(await sessions()).toBe(0);
});

test("on a public origin without a mail provider the triggers do nothing and log an error", async () => {
  await using careless: Gatehouse = await startGatehouse({
    vars: { BASE_URL: "https://gatehouse.example", RESEND_API_KEY: undefined },
  });
  careless.expectErrors("configuration.incomplete");
  const email = newEmail();
  await careless.d1
    .prepare(
      "INSERT INTO mail_outbox (id, kind, recipient, language, payload, state, tries, next_try_at, expires_at, created_at) VALUES ('m', 'login-code', ?, 'en', 'x', 'waiting', 1, 1, ?, 1)",
    )
    .bind(email, Date.now() + DAY_MS)
    .run();

  await careless.runScheduled();
  await careless.runHourly();

  const line = await careless.logged("configuration.incomplete");
  expect(line.reason).toContain("RESEND_API_KEY");
  expect(await mailOf(email, careless)).toMatchObject({ state: "waiting", payload: "x" });
});
