import { expect, hydrated, SIZES, test, toast } from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

const SETTINGS = matrix(
  { language: ["en", "ar"], size: ["desktop", "phone"], javaScriptEnabled: [true, false] },
  0,
);
const LIST = "/manager/settings/webhooks";
const URL_FIELD = "https://hooks.example.com/in";

for (const { language, size, javaScriptEnabled } of SETTINGS) {
  const t = translationsIn(language);
  const setting = `(${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"})`;
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };

  test(`a webhook is made by keyboard, its secret is shown once, and it is paused and deleted ${setting}`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, options);
    await page.goto(LIST);
    if (javaScriptEnabled) await hydrated(page);
    await page.getByRole("link", { name: t("webhooks:new") }).press("Enter");
    const url = page.getByRole("textbox", { name: t("webhooks:url") });
    await expect(url).toBeFocused();
    await url.fill("http://hooks.example.com/in");
    await url.press("Enter");
    await expect(page.getByText(t("webhooks:urlNotHttps"))).toBeVisible();
    await expect(page.getByText(t("webhooks:eventsRequired"))).toBeVisible();
    await expect(url).toHaveValue("http://hooks.example.com/in");

    await url.fill(URL_FIELD);
    const dialog = page.getByRole("dialog");
    const before = await dialog.boundingBox();
    const users = page.getByRole("checkbox", { name: t("webhooks:groups.user"), exact: true });
    const all = page.getByRole("checkbox", { name: t("webhooks:all") });
    const banned = page.getByRole("checkbox", { name: "user.banned", includeHidden: true });
    await users.check();
    await all.check();
    await page.getByRole("checkbox", { name: t("webhooks:toBin") }).check();
    await expect(url).toBeHidden();
    await page.getByRole("checkbox", { name: t("webhooks:toBin") }).uncheck();
    // Nothing moves under the pointer.
    expect(await dialog.boundingBox()).toEqual(before);
    if (javaScriptEnabled) {
      await expect(banned).toBeChecked();
      await all.uncheck();
      await expect(users).not.toBeChecked();
      await users.check();
      expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    }
    await url.press("Enter");

    const secret = page.getByRole("textbox", { name: t("webhooks:secret") });
    await expect(secret).toHaveValue(/^whsec_[A-Za-z0-9+/]{32}$/);
    const made = await secret.inputValue();
    await page.getByRole("link", { name: t("webhooks:done") }).click();
    await expect(page).toHaveURL(/\/manager\/settings\/webhooks\/[\da-f-]{36}$/);
    await expect(page.getByText(made)).toHaveCount(0);
    await expect(page.getByText(URL_FIELD)).toBeVisible();

    await page.getByRole("button", { name: t("webhooks:pause"), exact: true }).press("Enter");
    await expect(page.getByText(t("webhooks:pausedText"))).toBeVisible();
    await page.getByRole("button", { name: t("webhooks:delete"), exact: true }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: t("webhooks:delete") }).click();
    await expect(page.getByText(t("webhooks:empty"))).toBeVisible();
    await expect(toast(page, t("webhooks:toast.deleted"))).toBeVisible();
  });
}
