import { afterAll, expect, test } from "vitest";
import { type Browser, readText } from "../../../../tests/support/client.ts";
import { findAll, readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { manyRepositories } from "./repositories.ts";

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function homeOf(browser: Browser) {
  const response = await browser.get("/app");
  expect(response.status).toBe(200);
  const html = await response.text();
  const { document } = readPage(html);
  return {
    text: readText(html),
    trips: response.headers.get("x-d1-calls"),
    rowsRead: Number(response.headers.get("x-d1-rows-read")),
    repositories: findAll(document, "link")
      .map((link) => link.getAttribute("href") ?? "")
      .filter((path) => path.startsWith("/app/repositories/")),
  };
}

test("without repositories the home screen says when some appear", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  const { text } = await homeOf(browser);

  expect(text).toContain("No repositories yet When an admin adds a repository, it appears here.");
});

test("the home screen shows the five repositories that were updated last, in three round trips", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const now = Date.now();
  const rows = await manyRepositories(
    gatehouse,
    Array.from({ length: 300 }, (_, index) => ({
      updated_at: now - index * DAY_MS,
      description: `First line ${index}\nSecond line`,
    })),
  );

  // The first visit also notes when the user was last seen.
  await homeOf(browser);
  const home = await homeOf(browser);

  expect(home.repositories).toEqual(rows.slice(0, 5).map(({ id }) => `/app/repositories/${id}`));
  expect(home.text).toContain("All 300 repositories");
  expect(home.text).toContain("First line 0");
  expect(home.text).not.toContain("Second line");
  expect(home.trips).toBe("3");
  expect(home.rowsRead).toBeLessThan(40);
});
