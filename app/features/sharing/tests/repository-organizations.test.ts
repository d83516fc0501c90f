import { afterAll, expect, test } from "vitest";
import { readText } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { findAll, readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName, repositoryPath } from "../../repositories/tests/repositories.ts";

const SHOWN_ORGANIZATIONS = 20;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

/** Shares a repository with that many new organizations. Returns their names. */
async function shareWith(repositoryId: string, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const { organization } = await anOrganization(gatehouse, { name: newName("Palm Trust") });
    names.push(organization.name);
    const row = { organization_id: organization.id, repository_id: repositoryId, created_at: 1 };
    await insertRows(gatehouse.d1, "organization_repository", [row]);
  }
  return names.toSorted();
}

/** Returns the names of the organizations in the panel "Shared with". */
function organizationsIn(html: string): string[] {
  const panel = readPage(html).find("heading", "Shared with")?.closest("section") as
    | Element
    | undefined;
  return panel ? findAll(panel, "link").map(textOf).filter(Boolean) : [];
}

test("a repository's screen shows the organizations it is shared with, up to twenty", async () => {
  const { id } = await aRepository(gatehouse, {});
  const path = repositoryPath(id);
  const alone = readText(await (await manager.get(path)).text());
  expect(alone).toContain("Not shared with any organization.");

  const names = await shareWith(id, SHOWN_ORGANIZATIONS);
  const html = await (await manager.get(path)).text();
  expect(organizationsIn(html)).toEqual(names);
  expect(readText(html)).not.toContain("And other organizations.");

  await shareWith(id, 1);
  const more = await (await manager.get(path)).text();
  expect(organizationsIn(more)).toHaveLength(SHOWN_ORGANIZATIONS);
  expect(readText(more)).toContain("And other organizations.");
});

test("a manager who may not read organizations does not see them", async () => {
  const { id } = await aRepository(gatehouse, {});
  const [name = ""] = await shareWith(id, 1);
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

  for (const path of [repositoryPath(id), `${repositoryPath(id)}.data`]) {
    const answer = await support.get(path);
    const body = await answer.text();
    expect(answer.status).toBe(200);
    expect(body).not.toContain(name);
    expect(body).not.toContain("Shared with");
  }
});
