import { afterAll, beforeEach, expect, test } from "vitest";
import { decodeArchive, sha256Of } from "../../app/features/audit/archive-file.ts";
import { aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2026-11-22T05:07:00Z");
const EVERY_HOUR = "7 * * * *";

const gatehouse = await startGatehouse({ hasArchive: true, isProbed: true });
afterAll(() => gatehouse[Symbol.asyncDispose]());

const { d1 } = gatehouse;
const bucket = await gatehouse.getBucket("ARCHIVE");

/** Writes audit events, one a minute, the first one `daysAgo` days before `NOW`. */
async function addEvents(count: number, daysAgo: number, row: Record<string, string> = {}) {
  const start = NOW.getTime() - daysAgo * DAY_MS;
  await d1
    .prepare(
      `WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ? - 1)
       INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, ip_address, user_agent, place, created_at)
       SELECT lower(hex(randomblob(16))), ?, ?, ?, ?, ?, '203.0.113.9', 'Firefox', 'Nairobi, Kenya', ? + n * 60000 FROM n`,
    )
    .bind(
      ...[count, row.action ?? "user.updated", row.actor ?? "someone", row.type ?? "user"],
      ...[row.target ?? "someone", row.details ?? null, start],
    )
    .run();
}

/** Runs the hourly trigger, with a fault at one call of the database or of the bucket. */
async function runHourly(faults: Record<string, string> = {}, now = NOW) {
  const answer = await fetch(gatehouse.directUrl, {
    headers: { "x-d1-cron": EVERY_HOUR, "x-d1-moment": String(now.getTime()), ...faults },
  });
  expect(answer.status).toBe(204);
  return {
    calls: Number(answer.headers.get("x-d1-calls")),
    asked: Number(answer.headers.get("x-r2-calls")),
  };
}

/** Returns each file of the archive, as the database names it, with its content. */
async function files() {
  const { results } = await d1
    .prepare("SELECT * FROM audit_archive ORDER BY sequence")
    .all<Record<string, string | number | null>>();
  return Promise.all(
    results.map(async (row) => {
      const object = await bucket.get(String(row.object_key));
      const bytes = new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer());
      return { row, sha256: await sha256Of(bytes), ...(await decodeArchive(bytes)) };
    }),
  );
}

async function idsInDatabase(): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT id FROM audit_event ORDER BY created_at, id")
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Expects that each event is in exactly one place, in order, and that each file names the file before it. */
async function expectWhole(ids: string[]) {
  const archive = await files();
  const archived = archive.flatMap(({ events }) => events.map(({ id }) => id));
  expect([...archived, ...(await idsInDatabase())]).toEqual(ids);
  for (const [index, { row, sha256, header, events }] of archive.entries()) {
    expect(row).toMatchObject({ sequence: index + 1, sha256, removed: events.length });
    expect(header).toMatchObject({
      sequence: index + 1,
      events: events.length,
      previous: archive[index - 1]?.sha256 ?? null,
    });
  }
  const { objects } = await bucket.list();
  expect(objects.map(({ key }) => key).sort()).toEqual(archive.map(({ row }) => row.object_key));
}

/** Empties the archive and the audit log, which their triggers refuse. */
beforeEach(async () => {
  const { results } = await d1
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'audit_%'")
    .all<{ name: string; sql: string }>();
  await d1.batch([
    ...results.map(({ name }) => d1.prepare(`DROP TRIGGER ${name}`)),
    d1.prepare("DELETE FROM audit_archive"),
    d1.prepare("DELETE FROM audit_event"),
    ...results.map(({ sql }) => d1.prepare(sql)),
  ]);
  const { objects } = await bucket.list();
  await bucket.delete(objects.map(({ key }) => key));
});

test("events older than the kept days move to the bucket, in files that name the file before", async () => {
  await addEvents(12_003, 420);
  await addEvents(5, 3);
  const ids = await idsInDatabase();

  await runHourly();

  await expectWhole(ids);
  expect((await files()).map(({ events }) => events.length)).toEqual([5_000, 5_000, 2_003]);
  expect(await idsInDatabase()).toEqual(ids.slice(-5));

  // Nothing more is due on the same day.
  expect((await runHourly()).asked).toBe(0);
});

test("a file holds no personal data, and keeps what an event did and to whom", async () => {
  const { id } = await aUser(gatehouse);
  await addEvents(1, 410, {
    ...{ actor: id, target: id },
    details: JSON.stringify({
      before: { name: "Ada", email: "ada@example.com", role: "user" },
      after: { name: "Countess", email: "countess@example.com", role: "admin" },
      reason: "Asked on the phone",
    }),
  });
  await addEvents(1, 409, {
    ...{ action: "invitation.sent", type: "organization", target: "acme" },
    details: JSON.stringify({ invitation: "ada@example.com", role: "member" }),
  });

  await runHourly();

  const [file] = await files();
  expect(file?.events).toMatchObject([
    {
      ...{ action: "user.updated", actor_id: id, target_id: id },
      details: { before: { role: "user" }, after: { role: "admin" } },
    },
    { target_id: "acme", details: { invitation: null, role: "member" } },
  ]);
  expect(JSON.stringify(file?.events)).not.toMatch(
    /Ada|ada@|Countess|phone|203\.0|Firefox|Nairobi/,
  );
});

test("a run that fails at any step loses no event and makes no double", async () => {
  gatehouse.tolerateErrors();
  await addEvents(7, 410);
  const whole = await runHourly();
  expect(whole.asked).toBe(4);
  // Among the last calls of the database are this job's three: the newest file, the events that are due, the batch.
  const lastCalls = [5, 4, 3, 2, 1, 0].map((left) => whole.calls - left);
  const steps = ["before", "after"].flatMap((moment) => [
    ...lastCalls.map((call) => ({
      fault: `database ${moment}`,
      "x-d1-fault": `${call} ${moment}`,
    })),
    ...[1, 2, 3, 4].map((call) => ({
      ...{ fault: `bucket ${moment}`, "x-r2-fault": `${call} ${moment}` },
    })),
  ]);
  const stopped: string[] = [];
  let daysAgo = 409;
  let now = NOW;
  let expected = (await files()).flatMap(({ events }) => events.map(({ id }) => id));
  for (const { fault, ...headers } of steps) {
    await addEvents(3, daysAgo);
    expected = [...expected, ...(await idsInDatabase())];
    await runHourly(headers, now);
    if ((await idsInDatabase()).length > 0) stopped.push(fault);
    await runHourly({}, now);
    await expectWhole(expected);
    expect(await idsInDatabase()).toEqual([]);
    daysAgo -= 1;
    now = new Date(now.getTime() + DAY_MS);
  }

  // A fault after the batch finds the events gone, and so does one at the last call of the bucket.
  expect(stopped).toEqual([
    ...Array(3).fill("database before"),
    ...Array(3).fill("bucket before"),
    ...Array(2).fill("database after"),
    ...Array(3).fill("bucket after"),
  ]);
});

test("simultaneous runs move each event once", async () => {
  gatehouse.tolerateErrors();
  await addEvents(6_000, 420);
  const ids = await idsInDatabase();

  await Promise.all([1, 2, 3].map(() => runHourly()));
  await runHourly();

  await expectWhole(ids);
  expect(await idsInDatabase()).toEqual([]);
});

test("a changed event makes a new file of a try that was not recorded", async () => {
  gatehouse.tolerateErrors();
  await addEvents(3, 410, { details: JSON.stringify({ after: { role: "admin" } }) });
  const { calls } = await runHourly({ "x-r2-fault": "2 after" });
  expect(calls).toBeGreaterThan(0);
  await d1.prepare("UPDATE audit_event SET details = NULL").run();
  const ids = await idsInDatabase();

  await runHourly();

  await expectWhole(ids);
  expect((await files())[0]?.events[0]?.details).toBeNull();
});

test("no other statement deletes an event or changes the list of files", async () => {
  await addEvents(4, 410);
  await runHourly();
  await addEvents(4, 405);
  await addEvents(1, 412);
  const refused = (query: string) => expect(d1.prepare(query).run()).rejects.toThrow();

  await refused("DELETE FROM audit_event");
  // Older than the archive's end, and in no file.
  await refused(`DELETE FROM audit_event WHERE created_at < ${NOW.getTime() - 411 * DAY_MS}`);
  await refused("DELETE FROM audit_archive");
  await refused("UPDATE audit_archive SET sha256 = 'other'");
  await refused("UPDATE audit_archive SET removed = NULL");
  const another = (changes: string) =>
    `INSERT INTO audit_archive SELECT ${changes}, created_at FROM audit_archive`;
  // Another number, another chain, an overlap, and an empty claim.
  await refused(another("3, 'k', 1, last_at + 1, 'a', last_at + 2, 'b', 's', sha256, NULL"));
  await refused(another("2, 'k', 1, last_at + 1, 'a', last_at + 2, 'b', 's', 'other', NULL"));
  await refused(another("2, 'k', 1, first_at, 'a', last_at + 2, 'b', 's', sha256, NULL"));
  await refused(another("2, 'k', 1, last_at + 1, 'a', last_at + 2, 'b', 's', sha256, 1"));

  expect(await idsInDatabase()).toHaveLength(5);
});

test("figures and lists count the same after events have left", async () => {
  const { id } = await aUser(gatehouse);
  await addEvents(3, 410, { action: "user.signed_in", actor: id, target: id });
  await addEvents(2, 5, { action: "user.signed_in", actor: id, target: id });
  const days = () => d1.prepare("SELECT name, day, value FROM day_count ORDER BY 1, 2").all();
  const before = (await days()).results;

  await runHourly();

  expect((await days()).results).toEqual(before);
  const { results } = await d1
    .prepare(
      "SELECT count(*) AS n FROM audit_event WHERE actor_id = ? AND action = 'user.signed_in'",
    )
    .bind(id)
    .all();
  expect(results).toEqual([{ n: 2 }]);
});

test("without a bucket no event leaves the database", async () => {
  await using plain = await startGatehouse();
  await plain.d1
    .prepare("INSERT INTO audit_event (id, action, created_at) VALUES ('old', 'user.updated', 1)")
    .run();

  await plain.runHourly(NOW);

  expect(await plain.d1.prepare("SELECT count(*) AS n FROM audit_event").first("n")).toBe(1);
});
