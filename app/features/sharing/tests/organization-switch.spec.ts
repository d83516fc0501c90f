import { expect, hydrated, test } from "../../../../tests/support/e2e.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

const en = translationsIn("en");

test("the list follows the switcher, and its own button leads back to personal", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn();
  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani" },
    { members: [user] },
  );
  await page.goto("/app/repositories");
  await hydrated(page);
  const menu = page.getByRole("button", { name: /^Organization: / });

  await menu.click();
  await page.getByRole("button", { name: organization.name, exact: true }).click();
  await expect(page.getByText(/^Shared with/)).toBeVisible();
  await expect(menu).toHaveAccessibleName(/Nyumbani/);

  await page.getByRole("button", { name: en("repositories:active.showAll") }).click();
  await expect(page.getByText(/^Shared with/)).toHaveCount(0);
  await expect(menu).toHaveAccessibleName(/Personal/);
});

test("without JavaScript the switcher filters the list", async ({ signedIn, gatehouse }) => {
  const { page, user } = await signedIn({}, { javaScriptEnabled: false });
  await anOrganization(gatehouse, { name: "Nyumbani" }, { members: [user] });

  await page.goto("/app/repositories");
  await page.getByRole("button", { name: /^Organization: / }).click();
  await page.getByRole("button", { name: "Nyumbani", exact: true }).click();
  await expect(page.getByText(/^Shared with/)).toBeVisible();
});
