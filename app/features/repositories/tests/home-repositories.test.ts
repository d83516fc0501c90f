import { afterAll, expect, test } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { manyRepositories } from "./repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function homeOf(browser: Browser) {
  const response = await browser.get("/app");
  expect(response.status).toBe(200);
  return {
    page: readPage(await response.text()),
    trips: response.headers.get("x-d1-calls"),
    rowsRead: Number(response.headers.get("x-d1-rows-read")),
  };
}

test("without repositories the home screen offers the form of the first to those who may add it", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { browser: manager } = await anAdmin(gatehouse);

  expect((await homeOf(browser)).page.linkTo("See the repositories")).toBeUndefined();
  expect((await homeOf(browser)).page.linkTo("Add the first repository")).toBeUndefined();
  expect((await homeOf(manager)).page.linkTo("Add the first repository")).toBe(
    "/manager/repositories/new",
  );
});

test("the home screen leads to the repositories with their number, in three round trips", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  await manyRepositories(
    gatehouse,
    Array.from({ length: 300 }, (_, index) => ({ updated_at: index })),
  );

  // The first visit also notes when the user was last seen.
  await homeOf(browser);
  const home = await homeOf(browser);

  expect(home.page.linkTo("See the repositories")).toBe("/app/repositories");
  expect(home.page.text()).toContain("There are 300 repositories.");
  expect(home.trips).toBe("3");
  expect(home.rowsRead).toBeLessThan(40);
});
