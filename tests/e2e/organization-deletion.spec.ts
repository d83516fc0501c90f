import { isolate } from "../../app/ui/text/isolate.ts";
import { expect, SIZES, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE, matrix } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { translationsIn } from "../support/translations.ts";

for (const { language, size, hasScript } of matrix(
  {
    language: ANY_LANGUAGE,
    size: ["desktop", "phone"],
    hasScript: [true, false],
  },
  0,
)) {
  const setting = `${language}, ${size}, ${hasScript ? "with" : "without"} JavaScript`;

  test(`an owner deletes an organization by its name and restores it (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const options = { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript };
    const { page, user } = await signedIn({ language }, options);
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    const { name, slug } = organization;
    const typed = page.getByRole("textbox", {
      name: t("organizations:deletion.typedName", { name: isolate(name) }),
    });
    const start = page.getByRole("button", { name: t("organizations:deletion.title") });

    await page.goto(`/app/organizations/${slug}/settings`);
    await typed.fill("Another name");
    await start.click();
    await expect(page.getByText(t("codes:WRONG_ORGANIZATION_NAME"))).toBeVisible();
    await expect(typed).toHaveValue("Another name");

    await typed.fill(name);
    await start.click();
    await expect(toast(page, t("organizations:deletion.begun"))).toBeVisible();
    await expect(
      page.getByRole("heading", { name: t("organizations:deletion.started") }),
    ).toBeVisible();

    await page.getByRole("button", { name: t("organizations:deletion.restore") }).click();
    await expect(toast(page, t("organizations:deletion.restored"))).toBeVisible();
    await expect(start).toBeVisible();
  });
}
