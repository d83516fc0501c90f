import { afterAll, expect, test } from "vitest";
import { readText } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { findAll, readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName, repositoryPath } from "./repositories.ts";

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

/** Returns the panel with this title. */
function panelOf(html: string, title: string): Element | undefined {
  return readPage(html).find("heading", title)?.closest("section") as Element | undefined;
}

/** Returns the names of the organizations in the panel "Shared with". */
function organizationsIn(html: string): string[] {
  const panel = panelOf(html, "Shared with");
  return panel ? findAll(panel, "link").map(textOf).filter(Boolean) : [];
}

test("a repository's screen shows who changed it, the newest change first", async () => {
  const link = "https://git.example/acme/gate";
  const created = await manager.submit("/manager/repositories/new", { name: newName(), link });
  const path = created.headers.get("location") ?? "";
  const changed = { name: newName(), link, description: "Nightly jobs", version: "1" };
  await manager.submit(`${path}/update`, changed);

  const panel = panelOf(await (await manager.get(path)).text(), "Recent changes");

  const events = panel ? findAll(panel, "listitem").map(textOf) : [];
  const [newest, oldest] = events.filter((text) => text.includes("Mona Manager"));
  expect(newest).toContain("Repository updated");
  expect(newest).toContain("Nightly jobs");
  expect(oldest).toContain("Repository created");
  const all = panel && findAll(panel, "link", "See in Activity")[0];
  expect(all?.getAttribute("href")).toMatch(/^\/manager\/audit\?target=[\w-]+$/);
});

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

test("a manager who may read neither events nor organizations gets neither", async () => {
  const { id } = await aRepository(gatehouse, {});
  const [name = ""] = await shareWith(id, 1);
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

  for (const path of [repositoryPath(id), `${repositoryPath(id)}.data`]) {
    const answer = await support.get(path);
    const body = await answer.text();
    expect(answer.status).toBe(200);
    expect(body).not.toContain(name);
    expect(body).not.toContain("Shared with");
    expect(body).not.toContain("See in Activity");
  }
});
