import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import { choose, reportOn } from "../support/bulk.ts";
import { anAdmin, aUser, type Person } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const USERS = "/manager/users";
const _UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const AT_ONCE = 50;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

function _findPerson(id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function changesOf(id: string) {
  const events = await auditOf(gatehouse, id);
  return events.filter(({ actorId }) => actorId === admin.id).map(({ action }) => action);
}

const ATTACKS: Record<string, string>[] = [
  { intent: "ban" },
  { intent: "set-role", role: "user" },
  { intent: "delete" },
];

test("one admin remains when all managers remove each other at once", async () => {
  await using house = await startGatehouse();
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const managers = [await anAdmin(house), await anAdmin(house), await anAdmin(house)];
    const ids = managers.map(({ user }) => user.id);
    await house.d1
      .prepare("UPDATE user SET role = 'user' WHERE id NOT IN (?, ?, ?)")
      .bind(...ids)
      .run();

    const responses = await Promise.all(
      managers.flatMap(({ browser }, managerIndex) =>
        Array.from({ length: Math.ceil(AT_ONCE / managers.length) }, (_, index) =>
          choose(browser, USERS, ids, { ...ATTACKS[(managerIndex + index) % ATTACKS.length] }),
        ),
      ),
    );

    // A manager who was removed meanwhile is redirected to the login screen, or gets 403.
    for (const { status } of responses) expect([200, 302, 403]).toContain(status);
    const { results } = await house.d1
      .prepare("SELECT id FROM user WHERE role = 'admin' AND banned = 0")
      .all();
    expect(results.length).toBeGreaterThan(0);
  }
});

test("a row deleted by many requests at once is deleted and recorded once, and the others report it", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id } = await aUser(gatehouse);

    const reports = await Promise.all(
      Array.from({ length: 10 }, async () =>
        reportOn(await choose(manager, USERS, [id], { intent: "delete" })),
      ),
    );

    expect(reports.filter((report) => report.startsWith("1 deleted"))).toHaveLength(1);
    expect(reports.filter((report) => report.includes("No longer exists"))).toHaveLength(9);
    expect(await changesOf(id)).toEqual(["user.deleted"]);
  }
});
