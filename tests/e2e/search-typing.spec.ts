import { expect, hydrated, signInAs, test } from "../support/e2e.ts";
import { aUser } from "../support/people.ts";

test("a press on a row right after the last key of a search leads to the row", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `row ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.goto("/manager/users");
  await hydrated(page);
  await page.clock.install();
  await page.getByRole("searchbox").fill("row");
  await page.getByRole("link", { name, exact: true }).click();
  await page.clock.fastForward(1_000);
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page).toHaveURL(/\/manager\/users\/[^?]+$/);
});

test("a search can be cleared while it loads", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `cleared ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.goto("/manager/users");
  await hydrated(page);
  const clear = page.getByRole("link", { name: "Clear search" });
  await expect(clear).toHaveCount(0);
  // A search is never answered.
  await page.route("**/manager/users.data?*searchTerm=*", () => {});
  const search = page.getByRole("searchbox");
  await search.fill("nothing");
  await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "true");

  await clear.click();
  await expect(search).toHaveValue("");
  await expect(search).toBeFocused();
  await expect(clear).toHaveCount(0);
  await expect(page.getByRole("table")).not.toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
});
