import { afterAll, expect, test } from "vitest";
import { findAll, readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName, repositoryPath } from "./repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

/** Returns the panel with this title. */
function panelOf(html: string, title: string): Element | undefined {
  return readPage(html).find("heading", title)?.closest("section") as Element | undefined;
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

test("a manager who may not read events gets none", async () => {
  const { id } = await aRepository(gatehouse, {});
  const { browser: support } = await aSignedInUser(gatehouse, { role: "support" });

  for (const path of [repositoryPath(id), `${repositoryPath(id)}.data`]) {
    const answer = await support.get(path);
    const body = await answer.text();
    expect(answer.status).toBe(200);
    expect(body).not.toContain("See in Activity");
  }
});
