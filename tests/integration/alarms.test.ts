import { afterAll, beforeEach, expect, test } from "vitest";
import { readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { anAdmin, aUser } from "../support/people.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const gatehouse = await startGatehouse();
gatehouse.expectErrors("alarm.raised");
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const colleague = await aUser(gatehouse, { role: "admin,user", language: "fr" });
await aUser(gatehouse, { role: "admin", banned: 1 });
await aUser(gatehouse, { role: "user" });

beforeEach(async () => {
  for (const table of ["alarm", "scheduled_run", "mail_outbox", "code_event"]) {
    await gatehouse.d1.exec(`DELETE FROM ${table}`);
  }
});

/** The time of a test's first run: now, so that pages, whose clock cannot be moved, agree with the cron. */
const after = (ms: number) => new Date(start + ms);
const start = Date.now();

/** Inserts mails of the last minutes that the provider refused. */
async function failedMails(count: number, kind = "new-device") {
  const rows = Array.from({ length: count }, () => ({
    ...{ id: crypto.randomUUID(), kind, recipient: "x@example.com", language: "en" },
    ...{ state: "failed", next_try_at: 1, expires_at: 9e14, created_at: Date.now() - MINUTE_MS },
  }));
  await insertRows(gatehouse.d1, "mail_outbox", rows);
}

/** Returns recipients and subjects of the mails about alarms that were sent since the last call, in order of recipients. */
let seen = 0;
function newAlarms(): string[] {
  const mails = gatehouse.mailbox.mails.slice(seen);
  seen = gatehouse.mailbox.mails.length;
  return mails.map(({ to, subject }) => `${to}: ${subject}`).sort();
}

function storedAlarm(kind: string) {
  return gatehouse.d1
    .prepare("SELECT since, last_mailed_at, ended_at FROM alarm WHERE kind = ?")
    .bind(kind)
    .first<{ since: number; last_mailed_at: number; ended_at: number | null }>();
}

test("failing mail is told to each admin in their language, once an hour, until it ends", async () => {
  await failedMails(3);
  const expected = [
    `${admin.email}: Emails are not being sent`,
    `${colleague.email}: Les e-mails ne partent pas`,
  ].sort();

  await gatehouse.runScheduled(after(0));
  expect(newAlarms()).toEqual(expected);
  const mail = gatehouse.mailbox.mails.find(({ to }) => to === admin.email);
  expect(mail?.text).toContain("3 emails of the last hour could not be sent.");
  expect(mail?.text.replace(/[\u2066-\u2069]/g, "")).toContain(
    'What to do is in docs/operations.md, under "Mail is down".',
  );
  expect(mail?.text).toContain(`${gatehouse.origin}/manager/system`);

  await gatehouse.runScheduled(after(MINUTE_MS));
  await gatehouse.runScheduled(after(HOUR_MS - MINUTE_MS));
  expect(newAlarms()).toEqual([]);
  // The mails of the first run are an hour old by then.
  await gatehouse.d1.exec("UPDATE mail_outbox SET created_at = created_at + 3600000");
  await gatehouse.runScheduled(after(HOUR_MS));
  expect(newAlarms()).toEqual(expected);
  expect(await storedAlarm("mail")).toEqual({
    ...{ since: start, last_mailed_at: start + HOUR_MS, ended_at: null },
  });

  await gatehouse.d1.exec("DELETE FROM mail_outbox");
  await gatehouse.runScheduled(after(HOUR_MS + MINUTE_MS));
  expect(newAlarms()).toEqual([]);
  expect(await storedAlarm("mail")).toMatchObject({ ended_at: start + HOUR_MS + MINUTE_MS });
});

test("an alarm shows on every screen of managers, and with its beginning on the system page", async () => {
  await failedMails(3);
  await gatehouse.runScheduled(after(0));
  newAlarms();

  const dashboard = readText(await (await manager.get("/manager/dashboard")).text());
  expect(dashboard).toMatch(
    /Needs attention Emails are not being sent (now|this minute|\d+ minutes? ago)/,
  );
  const users = readText(await (await manager.get("/manager/users")).text());
  expect(users).toMatch(/Emails are not being sent Open the system page/);
  const system = readText(await (await manager.get("/manager/system")).text());
  expect(system).toMatch(
    /Alarms .*Emails are not being sent Since (now|this minute|\d+ minutes? ago)\./,
  );
});

test("mails about alarms raise no alarm", async () => {
  await failedMails(20, "alarm");

  await gatehouse.runScheduled(after(0));

  expect(await storedAlarm("mail")).toBeNull();
});

test("simultaneous runs of the cron send an alarm once", async () => {
  for (let round = 0; round < (isFull ? 20 : 3); round++) {
    await gatehouse.d1.exec("DELETE FROM alarm");
    await failedMails(3);

    await Promise.all([1, 2, 3, 4].map(() => gatehouse.runScheduled(after(round * MINUTE_MS))));

    expect(newAlarms()).toHaveLength(2);
  }
});

test("a mail that waits too long is an alarm, also when the provider answers again", async () => {
  await insertRows(gatehouse.d1, "mail_outbox", [
    {
      ...{ id: "late", kind: "new-device", recipient: "x@example.com", language: "en" },
      ...{
        state: "waiting",
        next_try_at: 9e14,
        expires_at: 9e14,
        created_at: start - 40 * MINUTE_MS,
      },
    },
  ]);

  await gatehouse.runScheduled(after(0));

  expect(newAlarms()).toHaveLength(2);
  expect(gatehouse.mailbox.mails.at(-1)?.text).toMatch(/40 minutes/);
});

test("wrong codes above the norm are told once an hour", async () => {
  gatehouse.expectErrors("auth.failures_alarm");
  const guess = (moment: number) =>
    insertRows(
      gatehouse.d1,
      "code_event",
      Array.from({ length: 60 }, () => ({
        ...{ id: crypto.randomUUID(), budget: "b", kind: "failed", created_at: moment },
      })),
    );
  await guess(start - MINUTE_MS);

  await gatehouse.runHourly(after(0));
  await gatehouse.runHourly(after(MINUTE_MS));
  expect(newAlarms()).toEqual(
    [
      `${admin.email}: Unusually many wrong codes`,
      `${colleague.email}: Nombre inhabituel de codes erronés`,
    ].sort(),
  );
  await guess(start + HOUR_MS - MINUTE_MS);
  await gatehouse.runHourly(after(HOUR_MS));
  expect(newAlarms()).toHaveLength(2);
});

test("each schedule finds the other one late", async () => {
  await gatehouse.runScheduled(after(0));
  await gatehouse.runHourly(after(0));
  expect(newAlarms()).toEqual([]);

  await gatehouse.runScheduled(after(2 * HOUR_MS));
  expect(newAlarms().join()).toContain("Hourly jobs are late");
  await gatehouse.runHourly(after(2 * HOUR_MS + 11 * MINUTE_MS));
  expect(newAlarms().join()).toContain("Jobs that run every minute are late");

  await gatehouse.runScheduled(after(2 * HOUR_MS + 12 * MINUTE_MS));
  expect(await storedAlarm("cron-hour")).not.toMatchObject({ ended_at: null });
});

test("a job that fails is named in the alarm, and the other jobs still run", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("alarm.raised", "scheduled.failed");
  const { user } = await anAdmin(broken);
  await broken.d1.exec("ALTER TABLE figure RENAME TO figure_lost");

  await broken.runScheduled(after(0));

  const mail = await broken.mailbox.mailFor(user.email);
  expect(mail.subject).toBe("A scheduled job is failing");
  expect(mail.text).toContain("count figures");
  await broken.d1.exec("ALTER TABLE figure_lost RENAME TO figure");
  await broken.runScheduled(after(MINUTE_MS));
  const row = await broken.d1
    .prepare(
      "SELECT failed_at, failed_jobs, started_at FROM scheduled_run WHERE schedule = 'minute'",
    )
    .first();
  expect(row).toEqual({
    ...{ failed_at: start, failed_jobs: "count figures", started_at: start + MINUTE_MS },
  });
});

test("without an admin in the database, ADMIN_EMAILS get the mails", async () => {
  await using fresh = await startGatehouse({ vars: { ADMIN_EMAILS: "first@example.com" } });
  fresh.expectErrors("alarm.raised");
  await fresh.runHourly(after(0));

  await fresh.runScheduled(after(2 * HOUR_MS));

  expect((await fresh.mailbox.mailFor("first@example.com")).subject).toBe("Hourly jobs are late");
});
