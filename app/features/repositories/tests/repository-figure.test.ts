import { afterAll, expect, test } from "vitest";
import { openList } from "../../../../tests/support/lists.ts";
import { findAll, readPage, textOf } from "../../../../tests/support/page.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { manyRepositories } from "./repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

/** Returns the dashboard's card with the number of repositories. */
async function readCard(): Promise<Element | undefined> {
  const { document } = readPage(await (await manager.get("/manager/dashboard")).text());
  return [...document.querySelectorAll("dl > div")].find(
    (card) => textOf(card.querySelector("dt")) === "Repositories",
  );
}

test("the dashboard's number of repositories is the total of the list that it leads to", async () => {
  expect(textOf((await readCard())?.querySelector("dd") ?? null)).toBe("0");
  await manyRepositories(gatehouse, Array(3).fill({}));

  const card = await readCard();

  expect(textOf(card?.querySelector("dd") ?? null)).toBe("3");
  const to = card && findAll(card, "link")[0]?.getAttribute("href");
  expect((await openList(manager, to ?? "")).text).toContain("Showing 3 of 3");
});
