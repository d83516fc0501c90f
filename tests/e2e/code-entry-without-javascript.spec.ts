import { alert, openCodeEntry, waitOutCooldown } from "../support/code-entry.ts";
import { expect, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { wrongCode } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);
  test.describe(language, () => {
    test.use({ locale: language });

    test("without JavaScript the wait is shown as text, and the server enforces it", async ({
      newContext,
      gatehouse,
    }) => {
      const context = await newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const email = await openCodeEntry(page, t);
      await gatehouse.mailbox.codeFor(email);
      const resend = page.getByRole("button", { name: t("login:resend") });
      await expect(resend).toHaveAccessibleDescription(/\d/);
      await resend.click();
      await expect(page.getByRole("alert").filter({ hasText: /\d/ })).toBeVisible();

      await waitOutCooldown(context);
      await resend.click();
      await expect(toast(page, t("login:resent"))).toBeVisible();
      await page.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(email));
      await page.getByRole("button", { name: t("login:confirm") }).click();
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });

    test("without JavaScript the third wrong code shows a message and offers another code", async ({
      newContext,
      gatehouse,
    }) => {
      const context = await newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      for (const count of [2, 1]) {
        await field.fill(wrongCode(code));
        await page.getByRole("button", { name: t("login:confirm") }).click();
        await expect(page.getByText(t("login:triesLeft", { count }))).toBeVisible();
      }
      await field.fill(wrongCode(code));
      await page.getByRole("button", { name: t("login:confirm") }).click();
      await expect(alert(page, t("codes:TOO_MANY_ATTEMPTS"))).toBeVisible();
      await expect(field).toHaveCount(0);
      await expect(page.getByRole("button", { name: t("login:resend") })).toBeEnabled();
    });

    test("without JavaScript a wrong, a short and a missing code each get their message", async ({
      newContext,
      gatehouse,
    }) => {
      const context = await newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      const confirm = page.getByRole("button", { name: t("login:confirm") });
      for (const [typed, message] of [
        ["", "validation:code.required"],
        ["123", "validation:code.length"],
        ["12345x", "validation:code.invalid"],
        [wrongCode(code), "validation:code.invalid"],
      ] as const) {
        await field.fill(typed);
        await confirm.click();
        await expect(field).toHaveAccessibleDescription(new RegExp(t(message)));
        await expect(field).toHaveValue("");
      }
      await field.fill(code);
      await confirm.click();
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });
  });
}
