import { confirmButton, expect, hydrated, SIZES, test } from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { isolate } from "../../../ui/text/isolate.ts";
import { aRepository, newName } from "../../repositories/tests/repositories.ts";

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`a manager shares a repository with an organization, and ends that (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES[size], colorScheme: "light" },
    );
    const repository = await aRepository(gatehouse, { name: newName("shared") });
    const { organization } = await anOrganization(gatehouse);
    const drawer = page.getByRole("alertdialog");
    const confirm = () => confirmButton(drawer).click();
    const open = (title: string) =>
      page.getByRole("button", { name: t(title), exact: true }).click();
    await page.goto(`/manager/organizations/${organization.id}`);
    await hydrated(page);

    await open("manager-organizations:share.title");
    await drawer.getByLabel(t("manager-organizations:share.field")).fill(repository.name);
    await confirm();
    // The events below name the repository too.
    const unshare = t("manager-organizations:unshare.row", { name: isolate(repository.name) });
    await page.getByRole("link", { name: unshare }).click();
    const unshareDrawer = page.getByRole("dialog");
    await confirmButton(unshareDrawer).click();
    await expect(page.getByRole("link", { name: unshare })).toHaveCount(0);
  });
}
