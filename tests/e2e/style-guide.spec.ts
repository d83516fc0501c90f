import { directionOf, LANGUAGE_NAMES } from "../../app/i18n/languages.ts";
import { findViolations } from "../support/axe.ts";
import { expect, hydrated, test } from "../support/e2e.ts";
import { cutTexts } from "../support/layout.ts";
import { matrix } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

const BACKGROUND = { light: "rgb(253, 252, 253)", dark: "rgb(18, 17, 19)" } as const;

for (const { language, theme } of matrix({ language: ["en", "ar"], theme: ["light", "dark"] }, 1)) {
  test(`the style guide draws every primitive (${language}, ${theme})`, async ({
    newGatehouse,
    newContext,
  }) => {
    const gatehouse = await newGatehouse({ mail: "local" });
    const context = await newContext({ baseURL: gatehouse.origin, reducedMotion: "reduce" });
    const page = await context.newPage();
    const t = translationsIn(language);
    await page.goto(`/dev/ui?lng=${language}&theme=${theme}`);
    await hydrated(page);

    const look = `${LANGUAGE_NAMES[language]} ${t(`common:theme.${theme}`)}`;
    await expect(page.getByRole("link", { name: look })).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("main")).toHaveCSS("direction", directionOf(language));
    await expect(page.locator("body")).toHaveCSS("background-color", BACKGROUND[theme]);

    await page.getByRole("button", { name: "success", exact: true }).click();
    const toasts = page.getByRole("region", { name: t("common:toasts") });
    await expect(toasts.getByRole("listitem")).toContainText(t("dev:ui.sentence"));
    const picker = page.getByRole("article").filter({ hasText: /^calendar/ });
    await picker.getByRole("button").click();
    await expect(page.getByRole("grid")).toBeVisible();

    expect(await findViolations(page)).toEqual([]);
    expect(await cutTexts(page)).toEqual([]);
  });
}
