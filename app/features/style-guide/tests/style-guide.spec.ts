import { findViolations } from "../../../../tests/support/axe.ts";
import { expect, hydrated, test } from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

for (const { language } of matrix({ language: ["en", "ar"] }, 1)) {
  test(`the style guide draws a story for each component (${language})`, async ({
    newGatehouse,
    newContext,
  }) => {
    const t = translationsIn(language);
    const gatehouse = await newGatehouse({ mail: "local" });
    const context = await newContext({ baseURL: gatehouse.origin, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(`/dev/ui?lng=${language}`);
    await hydrated(page);

    await page.getByRole("button", { name: "success", exact: true }).click();

    const toasts = page.getByRole("region", { name: t("common:toasts") });
    await expect(toasts.getByRole("listitem")).toContainText(t("common:network.offline"));
    expect(await findViolations(page)).toEqual([]);
  });
}
