import { expect, hydrated, SIZES, test, toast } from "../../../../tests/support/e2e.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

const SETTINGS = matrix(
  { language: ["en", "ar"], size: ["desktop", "phone"], javaScriptEnabled: [true, false] },
  0,
);

for (const { language, size, javaScriptEnabled } of SETTINGS) {
  const t = translationsIn(language);
  const setting = `(${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"})`;
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };

  test(`a key is made by keyboard, shown once, used and revoked ${setting}`, async ({
    signedIn,
    request,
  }) => {
    const { page } = await signedIn({}, options);
    await page.goto("/app/account/keys");
    if (javaScriptEnabled) await hydrated(page);
    await page.getByRole("link", { name: t("api-keys:new") }).press("Enter");
    const name = page.getByRole("textbox", { name: t("api-keys:name") });
    await expect(name).toBeFocused();
    await page.getByRole("checkbox").first().uncheck();
    await name.fill("مفتاح Deploy");
    await name.press("Enter");
    await expect(page.getByText(t("api-keys:scopeRequired"))).toBeVisible();
    await expect(name).toHaveValue("مفتاح Deploy");
    await page.getByRole("checkbox").first().check();
    await name.press("Enter");

    const secret = page.getByRole("textbox", { name: t("api-keys:secret") });
    await expect(secret).toHaveValue(/^gh_[\da-f]{64}$/);
    const key = await secret.inputValue();
    const url = new URL("/api/v1/repositories", page.url()).href;
    const call = () => request.get(url, { headers: { "x-api-key": key } });
    expect((await call()).status()).toBe(200);
    // A command to copy has the key in it.
    await expect(page.getByText(`-H "Authorization: Bearer ${key}"`)).toBeVisible();
    await page.getByRole("link", { name: t("api-keys:done") }).click();
    await expect(page).toHaveURL("/app/account/keys");
    await expect(page.getByText(key)).toHaveCount(0);

    // The key's screen has the call.
    await page.getByRole("link", { name: "مفتاح Deploy" }).click();
    await expect(page.getByText("GET /api/v1/repositories")).toBeVisible();
    await page.getByRole("link", { name: t("api-keys:title") }).click();
    await page.getByRole("button", { name: `${t("api-keys:revoke")} مفتاح Deploy` }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: t("api-keys:revoke") }).click();
    await expect(page.getByText(t("api-keys:empty"))).toBeVisible();
    await expect(toast(page, t("api-keys:revoked"))).toBeVisible();
    expect((await call()).status()).toBe(401);
  });
}

const en = translationsIn("en");

test("the documentation has the key that was just made in its examples, and forgets it", async ({
  signedIn,
}) => {
  const { page } = await signedIn();
  await page.goto("/app/account/keys?state=new");
  await hydrated(page);
  await page.getByRole("textbox", { name: en("api-keys:name") }).fill("Script");
  await page.getByRole("button", { name: en("api-keys:create") }).click();
  const secret = page.getByRole("textbox", { name: en("api-keys:secret") });
  const key = await secret.inputValue();

  await page.getByRole("link", { name: en("api-keys:docs") }).click();
  await expect(page).toHaveURL("/api/docs");
  await expect(page.getByText(en("api:send.made"))).toBeVisible();
  await expect(page.getByText(`Authorization: Bearer ${key}`).first()).toBeVisible();

  await page.goBack();
  await page.getByRole("link", { name: en("common:actions.close") }).click();
  await page.getByRole("link", { name: en("api-keys:docs") }).click();
  await expect(page).toHaveURL("/api/docs");
  await expect(page.getByText(key)).toHaveCount(0);
  await expect(page.getByText("Authorization: Bearer YOUR_KEY").first()).toBeVisible();
});
