import { expect, hydrated, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);
  test.describe(language, () => {
    test.use({ locale: language });

    test("an invalid e-mail is refused beside its field, and kept", async ({ page }) => {
      await page.goto("/login");
      await hydrated(page);
      const field = page.getByLabel(t("login:email"));
      const button = page.getByRole("button", { name: t("login:withEmail") });

      await button.click();
      await expect(field).toHaveAccessibleDescription(t("validation:email.required"));
      await expect(field).toBeFocused();

      await field.fill("zawadi at example");
      await button.click();
      await expect(field).toHaveAccessibleDescription(t("validation:email.invalid"));
      await expect(
        page.getByRole("alert").filter({ hasText: t("validation:email.invalid") }),
      ).toBeVisible();
      await expect(field).toHaveValue("zawadi at example");
      await expect(field).toBeFocused();
    });

    test("without JavaScript an invalid e-mail is refused beside its field, and kept", async ({
      newContext,
    }) => {
      const context = await newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto("/login");
      const field = page.getByLabel(t("login:email"));
      await field.fill("zawadi at example");
      await page.getByRole("button", { name: t("login:withEmail") }).click();
      await expect(field).toHaveAccessibleDescription(t("validation:email.invalid"));
      await expect(field).toHaveValue("zawadi at example");
    });

    test("the verify screen without a valid e-mail redirects to the login screen", async ({
      page,
    }) => {
      await page.goto("/login/verify?email=zawadi&redirect=/app");
      await expect(page).toHaveURL("/login?redirect=%2Fapp");
      await expect(toast(page, t("validation:email.invalid"))).toBeVisible();

      await page.goto("/login/verify");
      await expect(page).toHaveURL("/login");
      await expect(toast(page, t("validation:email.required"))).toBeVisible();
    });
  });
}

test("a divider stands before a passkey as the only other way to sign in", async ({ page }) => {
  await page.goto("/login");

  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toBeVisible();
  await expect(page.getByText("or", { exact: true })).toBeVisible();
});
