import {
  confirmButton,
  expect,
  hydrated,
  SIZES,
  test,
  toast,
} from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

for (const { language, size } of matrix(
  { language: ["en", "ar"], size: ["desktop", "phone"] },
  0,
)) {
  const t = translationsIn(language);

  test(`an invoice is written, found, deleted and brought back (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { locale: language, viewport: SIZES[size] });
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    const list = `/app/organizations/${organization.slug}/invoices`;
    await page.goto(`${list}/new`);
    await hydrated(page);
    const name = `Written ${language} ${size}`;
    await page.locator('[name="number"]').fill(name);
    await page.locator('[name="customer"]').first().fill("Customer 1");
    await page.locator('[name="amount"]').first().fill("120.50");
    await page.getByRole("button", { name: t("records:create") }).click();
    await expect(page.getByRole("heading", { name })).toBeVisible();

    await page.goto(list);
    await hydrated(page);
    await page.getByRole("searchbox").fill(name);
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
    await page.getByRole("button", { name: t("common:actions.delete") }).click();
    await confirmButton(page.getByRole("alertdialog")).click();
    await expect(toast(page, t("records:toast.deleted"))).toBeVisible();
    await page.getByRole("button", { name: t("common:actions.undo") }).click();
    await expect(page.getByRole("heading", { name })).toBeVisible();
  });
}
