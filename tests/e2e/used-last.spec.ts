import type { Page } from "@playwright/test";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, openContext, test } from "../support/e2e.ts";
import { startSeeded } from "../support/screens.ts";
import { translationsIn } from "../support/translations.ts";

/** The space between a button's words and the word on its edge, in CSS pixels. */
const CLEAR_PX = 4;

/** Returns the distance between the words of the sign-in method that was used last and their mark. */
function clearance(page: Page, mark: string): Promise<number> {
  return page
    .getByText(mark, { exact: true })
    .first()
    .evaluate((element) => {
      const button = document.querySelector(`[aria-describedby~="${element.id}"]`);
      if (!button) throw new Error("The mark describes no button");
      const words = document.createRange();
      words.selectNodeContents(button);
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const gaps = [...words.getClientRects()].map((word) =>
        Math.max(word.top - bottom, top - word.bottom, word.left - right, left - word.right),
      );
      return Math.min(...gaps);
    });
}

for (const language of LANGUAGES) {
  test(`"used last" leaves the words of its button clear on a phone (${language})`, async ({
    browser,
    shared,
  }) => {
    const { origin } = await shared("usual", () => startSeeded("usual"));
    const t = translationsIn(language);
    const context = await openContext(browser, { baseURL: origin, locale: language }, []);
    const page = await context.newPage();
    for (const value of ["email", "passkey", "google", "microsoft", "oidc"]) {
      await context.addCookies([{ name: "gatehouse.method", value, url: origin }]);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto("/login");
        const clear = await clearance(page, t("login:usedLast"));
        expect.soft(clear, `${value} at ${width} px`).toBeGreaterThanOrEqual(CLEAR_PX);
      }
    }
    await context.close();
  });
}
