import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import {
  type Browser,
  locationOf,
  readText,
  setCookieOf,
} from "../../../../tests/support/client.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, findRepositoryRow, newName, repositoryPath } from "./repositories.ts";

const LIST = "/manager/repositories";
const LINK = "https://git.example/acme/gate";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);

/** Returns the action and the fields of the Undo form in a page's toast. */
function undoOf(page: string) {
  const undo = readPage(page).find("button", "Undo");
  const action = undo?.closest("form")?.getAttribute("action");
  const intent = undo?.getAttribute("value");
  if (!action || !intent) throw new Error("The page offers no Undo");
  return { action, fields: { intent } };
}

/** Deletes a repository on its screen and restores it with the toast's Undo. */
async function deleteAndUndo(browser: Browser, id: string): Promise<Response> {
  const list = await browser.follow(browser.submit(repositoryPath(id), { intent: "delete" }));
  const { action, fields } = undoOf(await list.text());
  return browser.submit(action, fields);
}

test("a deletion is recorded once, and Undo restores the repository as it was", async () => {
  const before = await aRepository(gatehouse, {
    name: newName("Ångström"),
    description: "one\ntwo",
    version: 7,
    created_at: 1_000,
    updated_at: 2_000,
  });
  const { id, name } = before;

  const deleted = await manager.submit(repositoryPath(id), { intent: "delete" });
  expect(locationOf(deleted)).toBe(LIST);
  const list = await (await manager.follow(deleted)).text();
  expect(readText(list)).toContain("Repository deleted. Undo");
  expect(await findRepositoryRow(gatehouse, id)).toBeNull();
  expect((await manager.get(repositoryPath(id))).status).toBe(404);
  const [record, ...others] = await auditOf(gatehouse, id);
  expect(others).toEqual([]);
  expect(record).toMatchObject({ action: "repository.deleted", actorId: admin.id });
  expect(record?.details).toEqual({
    before: { name, link: before.link, description: "one\ntwo" },
  });

  const { action, fields } = undoOf(list);
  const restored = await manager.submit(action, fields);
  expect(locationOf(restored)).toBe(repositoryPath(id));
  expect(readText(await (await manager.follow(restored)).text())).toContain("Repository restored.");
  expect(await findRepositoryRow(gatehouse, id)).toEqual(before);
  const records = await auditOf(gatehouse, id);
  expect(records.map((event) => event.action)).toEqual([
    "repository.deleted",
    "repository.restored",
  ]);
  const found = await openList(manager, `${LIST}?${new URLSearchParams({ searchTerm: name })}`);
  expect(found.ids).toEqual([id]);
});

test("a repository that cannot be restored stays deleted, with a message", async () => {
  const taken = await aRepository(gatehouse);
  const list = await manager.follow(manager.submit(repositoryPath(taken.id), { intent: "delete" }));
  const { action, fields } = undoOf(await list.text());
  const successor = await aRepository(gatehouse, { name: taken.name.toUpperCase() });
  const there = await aRepository(gatehouse);

  for (const [path, next, text] of [
    [action, LIST, "It could not be restored: its name is already used again"],
    [repositoryPath("never-was"), LIST, "It could not be restored: we have no record of it"],
    [repositoryPath(there.id), repositoryPath(there.id), "It has already been restored"],
  ] as const) {
    const response = await manager.submit(path, fields);
    expect(locationOf(response)).toBe(next);
    expect(readText(await (await manager.follow(response)).text())).toContain(text);
  }
  expect(await findRepositoryRow(gatehouse, taken.id)).toBeNull();
  expect(await findRepositoryRow(gatehouse, successor.id)).toEqual(successor);
  expect(await findRepositoryRow(gatehouse, there.id)).toEqual(there);
  expect(await auditOf(gatehouse, taken.id)).toHaveLength(1);
  expect(await auditOf(gatehouse, there.id)).toEqual([]);
});

test("a second Undo restores nothing, with a message", async () => {
  const before = await aRepository(gatehouse);
  const list = await manager.follow(
    manager.submit(repositoryPath(before.id), { intent: "delete" }),
  );
  const { action, fields } = undoOf(await list.text());
  await manager.submit(action, fields);

  const again = await otherManager.submit(action, fields);

  const page = await (await otherManager.follow(again)).text();
  expect(readText(page)).toContain("It has already been restored");
  expect(readText(page)).not.toContain("in use again");
  expect(await findRepositoryRow(gatehouse, before.id)).toEqual(before);
  expect(await auditOf(gatehouse, before.id)).toHaveLength(2);
});

test("Undo restores the state before the last deletion", async () => {
  const { id } = await aRepository(gatehouse);
  await deleteAndUndo(manager, id);
  const name = newName("later");
  await manager.submit(repositoryPath(id, "/update"), { name, link: LINK, version: "1" });
  const before = await findRepositoryRow(gatehouse, id);

  await deleteAndUndo(manager, id);

  expect(before).toMatchObject({ name, version: 2 });
  expect(await findRepositoryRow(gatehouse, id)).toEqual(before);
});

test("concurrent deletions and restorations each happen and are recorded once", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const before = await aRepository(gatehouse);
    const together = (intent: string) =>
      Promise.all(
        Array.from({ length: 20 }, () => manager.submit(repositoryPath(before.id), { intent })),
      );

    const deletions = await together("delete");
    const restorations = await together("restore");

    const statuses = deletions.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(19);
    const saying = (message: string) =>
      restorations.filter((response) =>
        setCookieOf(response, "gatehouse.toast")?.includes(encodeURIComponent(message)),
      );
    expect(saying("repositories:toast.restored")).toHaveLength(1);
    expect(saying("repositories:restore.thereAgain")).toHaveLength(19);
    expect(await findRepositoryRow(gatehouse, before.id)).toEqual(before);
    expect(await auditOf(gatehouse, before.id)).toHaveLength(2);
  }
});

test("a change at the moment of a deletion is not lost by the restoration", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id } = await aRepository(gatehouse);
    const name = newName("changed");

    const [changed, deleted] = await Promise.all([
      manager.submit(repositoryPath(id, "/update"), { name, link: LINK, version: "1" }),
      otherManager.submit(repositoryPath(id), { intent: "delete" }),
    ]);

    expect([302, 404, 409]).toContain(changed.status);
    expect([302, 404, 409]).toContain(deleted.status);
    if (deleted.status === 302) await manager.submit(repositoryPath(id), { intent: "restore" });
    const row = await findRepositoryRow(gatehouse, id);
    expect(row?.version).toBe(changed.status === 302 ? 2 : 1);
  }
});

test("a stale session is led to the proof before a deletion, and the chosen rows are kept", async () => {
  const { user, browser } = await anAdmin(gatehouse);
  const { id } = await aRepository(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - 16 * 60_000, user.id)
    .run();
  const confirm = (path: string) => `/manager/account/confirm?next=${encodeURIComponent(path)}`;

  const one = await browser.submit(repositoryPath(id), { intent: "delete" });
  expect(locationOf(one)).toBe(confirm(repositoryPath(id)));
  const chosen = await browser.submit(LIST, { intent: "delete", id });
  expect(locationOf(chosen)).toBe(`${confirm(LIST)}&id=${id}&asked=delete`);

  expect(await findRepositoryRow(gatehouse, id)).not.toBeNull();
});
