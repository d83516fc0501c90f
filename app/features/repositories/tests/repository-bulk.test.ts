import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { choose, reportOn } from "../../../../tests/support/bulk.ts";
import { readText } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, findRepositoryRow, manyRepositories } from "./repositories.ts";

const REPOSITORIES = "/manager/repositories";
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const PLANS = ["free", "paid"] as const;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

async function changesOf(id: string) {
  const events = await auditOf(gatehouse, id);
  return events.filter(({ actorId }) => actorId === admin.id).map(({ action }) => action);
}

test("a bulk deletion of repositories records each with its old values", async () => {
  const [one, two] = [await aRepository(gatehouse), await aRepository(gatehouse)];

  const response = await choose(manager, REPOSITORIES, [one.id, UNKNOWN_ID, two.id], {
    intent: "delete",
  });

  expect(await reportOn(response)).toBe(
    `2 deleted: ${one.name} and ${two.name} 1 repository not changed: No longer exists: 1 repository Undo`,
  );
  for (const { id, name } of [one, two]) {
    expect(await findRepositoryRow(gatehouse, id)).toBeNull();
    const [record, ...others] = await auditOf(gatehouse, id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ action: "repository.deleted", actorId: admin.id });
    expect(record?.details.before).toMatchObject({ name });
  }
});

test("Undo restores the repositories of a bulk deletion, and reports which it could not restore", async () => {
  const [one, two, three] = [
    await aRepository(gatehouse),
    await aRepository(gatehouse),
    await aRepository(gatehouse),
  ];
  const ids = [one.id, two.id, three.id];
  const before = await Promise.all(ids.map((id) => findRepositoryRow(gatehouse, id)));
  const deleted = await choose(manager, REPOSITORIES, ids, { intent: "delete" });
  const undo = readPage(await deleted.text()).find("button", "Undo");
  const undone = undo?.closest("form")?.querySelectorAll('input[name="id"]') ?? [];
  expect([...undone].map((input) => input.getAttribute("value"))).toEqual(ids);
  expect(undo?.getAttribute("value")).toBe("restore");
  await aRepository(gatehouse, { name: three.name });

  const restored = await choose(manager, REPOSITORIES, [...ids, UNKNOWN_ID], { intent: "restore" });

  expect(await reportOn(restored)).toBe(
    `2 restored: ${one.name} and ${two.name} 2 repositories not changed: The name is already used again: ${three.name} No record found: 1 repository`,
  );
  expect(await findRepositoryRow(gatehouse, one.id)).toEqual(before[0]);
  expect(await findRepositoryRow(gatehouse, two.id)).toEqual(before[1]);
  expect(await findRepositoryRow(gatehouse, three.id)).toBeNull();
  for (const id of [one.id, two.id]) {
    expect(await changesOf(id)).toEqual(["repository.deleted", "repository.restored"]);
  }

  const again = await choose(manager, REPOSITORIES, [one.id], { intent: "restore" });
  expect(await reportOn(again)).toContain("Already restored");
  expect(await changesOf(one.id)).toHaveLength(2);
});

test.each([
  ["nothing chosen", [], 400, "Select at least one row first."],
  ["201 rows", Array.from({ length: 201 }, (_, index) => `x${index}`), 400, "at most 200 rows"],
  ["an invalid id", ["x".repeat(65)], 400, "This form was incomplete."],
] as const)("%s is refused with a message", async (_, ids, status, text) => {
  const response = await choose(manager, REPOSITORIES, [...ids], { intent: "delete" });
  expect(response.status).toBe(status);
  expect(readText(await response.text())).toContain(text);
});

test.each([{ intent: "promote" }, { intent: "revoke-all" }, { "intent[]": "ban" }, {}])(
  "the unknown bulk action %j is refused with a message",
  async (fields) => {
    const { id } = await aRepository(gatehouse);

    const response = await choose(manager, REPOSITORIES, [id], fields as Record<string, string>);

    expect(response.status).toBe(400);
    expect(readText(await response.text())).toContain("This form was incomplete.");
  },
);

test("users get 403, and nothing changes", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const repository = await aRepository(gatehouse);

  const response = await choose(browser, REPOSITORIES, [repository.id], { intent: "delete" });

  expect(response.status).toBe(403);
  expect(await findRepositoryRow(gatehouse, repository.id)).toEqual(repository);
});

test("a row deleted by many requests at once is deleted and recorded once, and the others report it", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id } = await aRepository(gatehouse);

    const reports = await Promise.all(
      Array.from({ length: 10 }, async () =>
        reportOn(await choose(manager, REPOSITORIES, [id], { intent: "delete" })),
      ),
    );

    expect(reports.filter((report) => report.startsWith("1 deleted"))).toHaveLength(1);
    expect(reports.filter((report) => report.includes("No longer exists"))).toHaveLength(9);
    expect(await changesOf(id)).toEqual(["repository.deleted"]);
  }
});

test.each(PLANS)("on the %s plan a hundred repositories are deleted and restored", async (plan) => {
  await using gatehouse = await startGatehouse({ vars: { PLAN: plan } });
  const { browser } = await anAdmin(gatehouse);
  const rows = await manyRepositories(gatehouse, Array(100).fill({}));
  const ids = rows.map(({ id }) => id);

  const deleted = await choose(browser, REPOSITORIES, ids, { intent: "delete" });
  expect(await reportOn(deleted)).toMatch(/^100 deleted: /);
  const restored = await choose(browser, REPOSITORIES, ids, { intent: "restore" });

  expect(await reportOn(restored)).toMatch(/^100 restored: /);
  const { results } = await gatehouse.d1.prepare("SELECT * FROM repository ORDER BY id").all();
  expect(results).toEqual(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
});
