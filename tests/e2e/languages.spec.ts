import type { BrowserContext, Page } from "@playwright/test";
import {
  directionOf,
  fontScaleOf,
  LANGUAGE_NAMES,
  type Language,
} from "../../app/i18n/languages.ts";
import { expect, hydrated, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

const COOKIE = "i18next";
const STORAGE_KEY = "i18nextLng";

async function expectLanguage(page: Page, language: Language): Promise<void> {
  const html = page.locator("html");
  await expect(html).toHaveAttribute("lang", language);
  await expect(html).toHaveAttribute("dir", directionOf(language));
  await expect(html).toHaveCSS("font-size", "16px");
  await expect(page.locator("body")).toHaveCSS("font-size", `${16 * fontScaleOf(language)}px`);
}

async function readCookie(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({ name }) => name === COOKIE)?.value;
}

function readStorage(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), STORAGE_KEY);
}

/** Counts the documents that the page loads from now on. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return () => documents;
}

for (const language of EACH_DIRECTION) {
  test(`without another choice the browser's language counts (${language})`, async ({
    newContext,
  }) => {
    const context = await newContext({ locale: language });
    const page = await context.newPage();
    await page.goto("/login");
    await expectLanguage(page, language);
    const t = translationsIn(language);
    await expect(page.getByRole("heading", { name: t("login:titleWithSignUp") })).toBeVisible();
    await expect(page).toHaveTitle(`${t("login:titleWithSignUp")} · Gatehouse`);
  });

  test(`the language menu offers ${language}, and the choice stays`, async ({ newContext }) => {
    const from = language === "fr" ? "sw" : "fr";
    const context = await newContext({ locale: from });
    const page = await context.newPage();
    await page.goto("/login?redirect=%2Fapp");
    await hydrated(page);
    await page
      .getByRole("button", { name: translationsIn(from)("common:account.preferences") })
      .click();
    await page.getByRole("button", { name: LANGUAGE_NAMES[language] }).click();

    await expectLanguage(page, language);
    await expect(page).toHaveURL("/login?redirect=%2Fapp");
    await hydrated(page);
    expect(await readCookie(context)).toBe(language);
    expect(await readStorage(page)).toBe(language);
    await page.goto("/login/error?error=access_denied");
    await expectLanguage(page, language);
  });

  test(`error pages are in the reader's language (${language})`, async ({ signedIn }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({}, { locale: language });
    for (const [path, status, key] of [
      ["/nowhere", 404, "common:errors.notFound"],
      ["/manager/dashboard", 403, "common:errors.forbidden"],
    ] as const) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(status);
      await expectLanguage(page, language);
      await expect(page.getByRole("heading", { name: t(key) })).toBeVisible();
      await expect(page.getByRole("button", { name: t("common:actions.back") })).toBeVisible();
      await page.getByRole("link", { name: t("common:actions.home") }).click();
      await expect(page).toHaveURL("/app");
    }
  });
}

test("without JavaScript the menu works too", async ({ newContext }) => {
  const context = await newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByRole("button", { name: "Language and theme" }).click();
  await page.getByRole("button", { name: "العربية" }).click();
  await expectLanguage(page, "ar");
  await expect(page).toHaveURL("/login");
});

test("the cookie wins over the stored language, which follows it", async ({ context, page }) => {
  await page.goto("/login");
  await page.evaluate((key) => localStorage.setItem(key, "fr"), STORAGE_KEY);
  await setCookie(context, page, "ar");
  const documents = countDocuments(page);
  await page.goto("/login");
  await expectLanguage(page, "ar");
  await hydrated(page);
  expect(documents()).toBe(1);
  await expect.poll(() => readStorage(page)).toBe("ar");
});

for (const storage of ["localStorage", "sessionStorage"] as const) {
  test(`a language stored only in ${storage} is applied with one reload`, async ({
    context,
    page,
  }) => {
    await context.addInitScript(
      ([name, key]) => {
        if (!document.cookie.includes("i18next=")) window[name].setItem(key, "ar");
      },
      [storage, STORAGE_KEY] as const,
    );
    const documents = countDocuments(page);
    await page.goto("/login?redirect=%2Fapp");
    await expectLanguage(page, "ar");
    await hydrated(page);
    expect(documents()).toBe(2);
    expect(await readCookie(context)).toBe("ar");
    await expect(page).toHaveURL("/login?redirect=%2Fapp");
  });
}

test("without cookies the URL carries the stored language", async ({ context, page }) => {
  await context.addInitScript((key) => {
    Object.defineProperty(navigator, "cookieEnabled", { value: false });
    Object.defineProperty(document, "cookie", { get: () => "", set() {} });
    localStorage.setItem(key, "fr");
  }, STORAGE_KEY);
  const documents = countDocuments(page);
  await page.goto("/login?redirect=%2Fapp");
  await expectLanguage(page, "fr");
  await hydrated(page);
  await expect(page).toHaveURL("/login?redirect=%2Fapp&lng=fr");
  expect(documents()).toBe(2);
});

test("an invalid stored language changes nothing", async ({ context, page }) => {
  await context.addInitScript((key) => localStorage.setItem(key, "<b>"), STORAGE_KEY);
  const documents = countDocuments(page);
  await page.goto("/login");
  await hydrated(page);
  await expectLanguage(page, "en");
  expect(documents()).toBe(1);
});

test("when a message's translations cannot be loaded, the input is kept and a general message is shown", async ({
  page,
  expectProblem,
}) => {
  await page.goto("/login");
  await hydrated(page);
  await page.route("**/assets/validation-*.json", (route) => route.abort());
  expectProblem('The translations of "validation" could not be loaded');
  const field = page.getByLabel("Email");
  await field.fill("nobody");
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(field).toHaveAccessibleDescription("Something went wrong");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveValue("nobody");
});

async function setCookie(context: BrowserContext, page: Page, value: string): Promise<void> {
  const { origin } = new URL(page.url() === "about:blank" ? await originOf(page) : page.url());
  await context.addCookies([{ name: COOKIE, value, url: origin }]);
}

async function originOf(page: Page): Promise<string> {
  await page.goto("/health");
  return page.url();
}
