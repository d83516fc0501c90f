import { expect, hydrated, signInAs, test } from "../support/e2e.ts";
import { aRepository } from "../support/repositories.ts";

test("a press on a row right after the last key of a search leads to the row", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `row ${process.pid}`;
  await aRepository(gatehouse, { name });
  await page.goto("/manager/repositories");
  await hydrated(page);
  await page.clock.install();
  await page.getByRole("searchbox").fill("row");
  await page.getByRole("link", { name, exact: true }).click();
  await page.clock.fastForward(1_000);
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page).toHaveURL(/\/manager\/repositories\/[^?]+$/);
});
