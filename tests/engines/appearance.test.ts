import type { Page } from "../support/engine-page.ts";
import { expect, open, SIZES, signInAs, test } from "../support/engines.ts";
import { translationsIn } from "../support/translations.ts";

const BACKGROUND = { light: "rgb(253, 252, 253)", dark: "rgb(18, 17, 19)" } as const;

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Returns how far the page is wider than the window, in pixels. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Returns the theme of the next page, without leaving this one: that would end the request that keeps a choice. */
function nextThemeOf(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const html = await (await fetch("/login")).text();
    return new DOMParser().parseFromString(html, "text/html").documentElement.dataset.theme;
  });
}

test("a visitor chooses the dark theme, which the next page keeps", async ({ page }) => {
  await open(page, "/login");
  for (const [theme, name] of [
    ["light", "Light"],
    ["dark", "Dark"],
  ] as const) {
    await page.getByRole("button", { name: "Language and theme" }).click();
    await page.getByRole("button", { name, exact: true }).click();
    await expect.poll(() => backgroundOf(page)).toBe(BACKGROUND[theme]);
    await expect.poll(() => nextThemeOf(page)).toBe(theme);
  }
  await page.goto("/login");
  expect(await backgroundOf(page)).toBe(BACKGROUND.dark);
});

/** Returns the fields whose placeholder Firefox does not draw from right to left: those of plain text. */
function blankFieldsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(":placeholder-shown[placeholder]")]
      .filter((field) => getComputedStyle(field).unicodeBidi === "plaintext")
      .map((field) => field.outerHTML),
  );
}

test("a visitor chooses Arabic, and the page turns round", async ({ page }) => {
  const t = translationsIn("ar");
  await page.setViewportSize(SIZES.phone);
  await open(page, "/login");
  await page.getByRole("button", { name: "Language and theme" }).click();
  await page.getByRole("button", { name: "العربية" }).click();

  await page.getByRole("button", { name: t("login:withEmail") }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
  expect(await overflowOf(page)).toBe(0);
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`the screens of a manager fit a window from right to left (${size})`, async ({
    page,
    visit,
    gatehouse,
  }) => {
    const t = translationsIn("ar");
    await signInAs({ visit, gatehouse }, { role: "admin", language: "ar" });
    await page.setViewportSize(viewport);
    for (const [path, title] of [
      ["/manager/dashboard", t("manager:dashboard.title")],
      ["/manager/users", t("users:title")],
      ["/manager/audit", t("logs:audit.title")],
      ["/manager/account", t("account:title")],
      ["/manager/settings/access", t("settings:title")],
    ] as const) {
      await open(page, path);
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
      expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
      expect(await overflowOf(page), path).toBe(0);
      expect(await blankFieldsOf(page), path).toEqual([]);
    }
  });
}
