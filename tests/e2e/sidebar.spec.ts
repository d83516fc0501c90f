import { expect, hydrated, signInAs, test } from "../support/e2e.ts";

test("the sidebar stays collapsed on the next page, rendered by the server", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager/users");
  await hydrated(page);
  const box = page.getByRole("checkbox", { name: "Collapse the sidebar" });
  const label = page.getByRole("complementary").getByText("Users");
  await box.press("Space");
  await expect(label).toBeHidden();

  await page.route("**/assets/*.js", (route) => route.abort());
  await page.reload();
  await expect(label).toBeHidden();
  await page.unroute("**/assets/*.js");
  await page.reload();
  await hydrated(page);
  await box.press("Space");
  await expect(label).toBeVisible();
  await page.reload();
  await expect(label).toBeVisible();
});
