import { isolate } from "../../app/ui/text/isolate.ts";
import { expect, SIZES, test, toast } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

for (const { language, colorScheme, size, javaScriptEnabled } of matrix({
  language: ["en", "ar"],
  colorScheme: ["light", "dark"],
  size: ["desktop", "phone"],
  javaScriptEnabled: [true, false],
})) {
  const how = `${language}, ${colorScheme}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"}`;

  test(`a new user signs in, gives a name and signs out (${how})`, async ({
    newContext,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const context = await newContext({
      locale: language,
      colorScheme,
      viewport: SIZES[size],
      javaScriptEnabled,
    });
    const page = await context.newPage();
    const email = newEmail("zawadi");

    await page.goto("/app");
    await expect(page).toHaveURL("/login?redirect=%2Fapp");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.locator("html")).toHaveAttribute("dir", language === "ar" ? "rtl" : "ltr");
    await expect(page.locator("body")).toHaveCSS(
      "background-color",
      colorScheme === "dark" ? "rgb(18, 17, 19)" : "rgb(253, 252, 253)",
    );
    await page.getByLabel(t("login:email")).fill(email);
    await page.getByRole("button", { name: t("login:withEmail") }).click();

    await expect(page.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
    await expect(page.getByText(t("login:sent", { email }))).toBeVisible();
    await expect(page.getByText(t("login:expires", { count: 5, expiration: 5 }))).toBeVisible();
    const field = page.getByLabel(t("login:code"));
    await expect(field).toBeFocused();
    await field.pressSequentially(await gatehouse.mailbox.codeFor(email));
    // With JavaScript the sixth digit sends the form.
    if (!javaScriptEnabled) {
      await page.getByRole("button", { name: t("login:confirm") }).click();
    }

    await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    await expect(page).toHaveURL("/onboarding?redirect=%2Fapp");
    await expect(page.getByText(t("onboarding:loggedWith", { email }))).toBeVisible();
    await page.getByRole("textbox", { name: t("onboarding:question") }).fill("Zawadi");
    await page.getByRole("button", { name: t("onboarding:continue") }).click();

    await expect(page).toHaveURL("/app");
    await expect(
      page.getByRole("heading", {
        name: t("app:home.greeting", { name: isolate("Zawadi") }),
      }),
    ).toBeVisible();
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);

    await page.getByRole("button", { name: t("common:account.menu") }).click();
    await page.getByRole("button", { name: t("common:signOut") }).click();
    await expect(page).toHaveURL("/login");
    await expect(toast(page, t("common:signedOut"))).toBeVisible();
    await page.goto("/app");
    await expect(page).toHaveURL("/login?redirect=%2Fapp");
  });
}

test("a new user reaches the app from the first page by typing and Enter only", async ({
  page,
  gatehouse,
}) => {
  const email = newEmail("zawadi");

  await page.goto("/");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Enter");

  await expect(page.getByLabel("6-digit code")).toBeFocused();
  await page.keyboard.type(await gatehouse.mailbox.codeFor(email));

  await expect(page.getByRole("textbox", { name: "What is your name?" })).toBeFocused();
  await page.keyboard.type("Zawadi");
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/app");
  await expect(page.getByRole("heading", { name: /^Hello, .?Zawadi/ })).toBeVisible();
});
