import { afterAll, expect, test } from "vitest";
import { readText } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName, repositoryPath } from "./repositories.ts";

const AUDIT = "/manager/audit";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

async function open(path: string) {
  return (await manager.get(path)).text();
}

test("a repository's page links to its events; the filter shows its name and a link that removes it", async () => {
  const { id, name } = await aRepository(gatehouse, { name: newName("daraja") });
  const link = `${AUDIT}?target=${id}`;

  expect(await open(repositoryPath(id))).toContain(`href="${link}"`);
  const page = await open(`${link}&action=user.created&after=x`);
  expect(readPage(page).linkTo(/^Remove.*About/)).toBe(`${AUDIT}?action=user.created`);
  expect(readText(page)).toContain(`About: ${name}`);
  // The forms of the other filters keep this one.
  const kept = readPage(page).document.querySelectorAll('input[name="target"]');
  expect([...kept].map((input) => input.getAttribute("value"))).toContain(id);
});

test("a deletion is listed field by field, without internal columns, and a long text is cut", async () => {
  const { id, name } = await aRepository(gatehouse, { description: "x".repeat(500) });
  await manager.submit(repositoryPath(id), { intent: "delete" });

  const [deleted = ""] = readPage(await open(`${AUDIT}?target=${id}`))
    .rows()
    .map((cells) => cells.join(" "));

  expect(deleted).toContain(`Name: ${name}`);
  expect(deleted).toContain(`${name} (deleted)`);
  expect(deleted).not.toMatch(/nameKey|searchKey|version|x{200}/);
});
