import { afterAll, expect, test } from "vitest";
import { faultsUpTo } from "../../../../tests/support/faults.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import {
  aroundCalls,
  change,
  finish,
  ring,
  runWithoutAlarm,
  sendLines,
  shownImport,
  start,
  stateOf,
  upload,
  wakeLater,
} from "./imports-of-users.ts";

/** More calls than the longest request makes, and than a ring of the alarm makes. */
const FAULTS = faultsUpTo(9);
const FAULTS_OF_A_RING = faultsUpTo(6);

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

function newEmails(count: number): string[] {
  const run = crypto.randomUUID();
  return Array.from({ length: count }, (_, index) => `${index}-${run}@example.com`);
}

/** Sends lines of a new manager, and lets them run without their alarm. */
async function aRunningImport(count: number, invites = 1) {
  const manager = await anAdmin(gatehouse);
  const emails = newEmails(count);
  const id = await sendLines(
    manager.browser,
    emails.map((email) => [email]),
  );
  await runWithoutAlarm(gatehouse, id, invites);
  return { ...manager, emails, id };
}

/** Returns how many users and mails there are of some e-mails, and the import's events. */
function made(emails: string[], managerId: string) {
  return gatehouse.d1
    .prepare(
      `SELECT
      (SELECT count(*) FROM user WHERE email IN (SELECT value FROM json_each(?1))) AS users,
      (SELECT count(*) FROM mail_outbox WHERE recipient IN (SELECT value FROM json_each(?1))) AS mails,
      (SELECT group_concat(action) FROM audit_event WHERE actor_id = ?2 AND action LIKE 'users.%') AS events`,
    )
    .bind(JSON.stringify(emails), managerId)
    .first();
}

/** Rings until nothing is left. Returns how often. */
async function ringToTheEnd(id: string): Promise<number> {
  for (let rings = 1; ; rings++) if (!(await ring(gatehouse, id))) return rings;
}

test.each(FAULTS)(
  "an import survives a fault at call %s of each of its requests, and makes nothing twice",
  async (fault) => {
    const { browser, user } = await anAdmin(gatehouse);
    const emails = newEmails(20);
    const withFault = { headers: { "x-d1-fault": fault } };

    await upload(browser, emails.join("\n"), withFault);
    expect((await upload(browser, emails.join("\n"))).status).toBe(302);
    const id = await shownImport(browser);
    await start(browser, id, true, withFault);
    await start(browser, id, true);
    await wakeLater(gatehouse);
    await finish(gatehouse, id);

    expect(await made(emails, user.id)).toEqual({
      users: 20,
      mails: 20,
      events: "users.import_started,users.imported",
    });
  },
);

test.each(FAULTS_OF_A_RING)(
  "an import survives a fault at call %s of its alarm, goes on by itself, and makes nothing twice",
  async (fault) => {
    const { id, user, emails } = await aRunningImport(120);
    const [at, moment] = fault.split(" ");
    let hasFailed = false;
    const broken = aroundCalls(gatehouse.d1, async (call, work) => {
      if (call !== Number(at)) return work();
      hasFailed = true;
      if (moment === "after") await work();
      throw new Error("D1_ERROR: Network connection lost.");
    });

    const next = await ring(gatehouse, id, broken);

    expect(next).toBeInstanceOf(Date);
    // A fault past the last call has no effect.
    expect(hasFailed).toBe(Number(at) <= 5);
    await ringToTheEnd(id);
    expect(await made(emails, user.id)).toEqual({
      users: 120,
      mails: 120,
      events: "users.imported",
    });
  },
);

test("a ring makes a hundred lines, and two that overlap make nothing twice", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id, user, emails } = await aRunningImport(250);

    await Promise.all([1, 2, 3].map(() => ring(gatehouse, id)));
    expect(await made(emails, user.id)).toMatchObject({ users: 100, mails: 100 });
    await Promise.all([1, 2, 3].map(() => ring(gatehouse, id)));
    expect(await ringToTheEnd(id)).toBe(1);

    expect(await made(emails, user.id)).toEqual({
      users: 250,
      mails: 250,
      events: "users.imported",
    });
  }
});

test("an alarm that was lost rings again within two minutes, and one that works is left alone", async () => {
  const { id, user, emails } = await aRunningImport(150);

  await gatehouse.runScheduled(new Date());
  expect(await made(emails, user.id)).toMatchObject({ users: 0 });
  await wakeLater(gatehouse);

  await finish(gatehouse, id);
  expect(await made(emails, user.id)).toMatchObject({ users: 150, mails: 150 });
});

test.each([
  ["a stop", "UPDATE user_import SET state = 'stopped' WHERE user_id = ?", "stopped"],
  ["its end", "UPDATE user_import SET state = 'closed' WHERE user_id = ?", "closed"],
  ["a demotion", "UPDATE user SET role = 'support' WHERE id = ?", "stopped"],
  ["a ban", "UPDATE user SET banned = 1 WHERE id = ?", "stopped"],
  ["a deletion of the account", "UPDATE user SET deletion_due_at = 1 WHERE id = ?", "stopped"],
  ["the end of the session", "DELETE FROM session WHERE user_id = ?", "stopped"],
])(
  "%s between the check of some lines and their batch makes none of them",
  async (_name, statement, state) => {
    const { id, user, emails } = await aRunningImport(120);
    const meanwhile = aroundCalls(gatehouse.d1, async (call, work) => {
      // The last call is the batch that makes users.
      if (call === 5) await gatehouse.d1.prepare(statement).bind(user.id).run();
      return work();
    });

    while (await ring(gatehouse, id, meanwhile));

    expect(await made(emails, user.id)).toEqual({ users: 0, mails: 0, events: null });
    expect(await stateOf(gatehouse, id)).toBe(state);
  },
);

test("a stop while an alarm rings ends after its lines, and the rest goes on when it is continued", async () => {
  const { id, user, emails, browser } = await aRunningImport(250);

  expect(await ring(gatehouse, id)).toBeInstanceOf(Date);
  await change(browser, "stop", id);
  expect(await ring(gatehouse, id)).toBeUndefined();
  expect(await made(emails, user.id)).toEqual({ users: 100, mails: 100, events: null });
  await change(browser, "continue", id);

  await finish(gatehouse, id);
  expect(await made(emails, user.id)).toEqual({ users: 250, mails: 250, events: "users.imported" });
});

test("an e-mail that gets an account between the check and the batch is counted as known", async () => {
  const { id, emails } = await aRunningImport(3);
  const [taken = ""] = emails;
  const meanwhile = aroundCalls(gatehouse.d1, async (call, work) => {
    if (call === 5) {
      await gatehouse.d1
        .prepare("UPDATE user SET email = ? WHERE id = (SELECT id FROM user LIMIT 1)")
        .bind(taken)
        .run();
    }
    return work();
  });

  await ring(gatehouse, id, meanwhile);

  const { results } = await gatehouse.d1
    .prepare("SELECT state, count(*) AS n FROM user_import_line WHERE import_id = ? GROUP BY state")
    .bind(id)
    .all();
  expect(results).toEqual([
    { state: "known", n: 1 },
    { state: "made", n: 2 },
  ]);
  expect(await stateOf(gatehouse, id)).toBe("finished");
});
