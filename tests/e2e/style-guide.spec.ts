import { directionOf, LANGUAGE_NAMES } from "../../app/i18n/languages.ts";
import { TOAST_KINDS } from "../../app/ui/feedback/toast-kinds.ts";
import { findViolations } from "../support/axe.ts";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
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
    const part = (name: string) =>
      page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
    const picker = part("calendar");
    await picker.getByRole("button").click();
    await expect(picker.getByRole("grid")).toBeVisible();

    for (const name of ["menu, open", "action-menu, open"]) {
      const item = part(name).getByRole("button", { name: t("common:actions.delete") });
      await expect(item).toBeVisible();
    }
    for (const name of ["calendar, open", "date-range-picker, open"]) {
      await expect(part(name).locator("table")).toBeVisible();
      const panel = part(name).locator(".menu-panel");
      expect(await panel.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    }
    await expect(part("toaster, open").getByText(t("dev:ui.word"))).toHaveCount(TOAST_KINDS.length);

    expect(await findViolations(page)).toEqual([]);
    expect(await cutTexts(page)).toEqual([]);
  });
}

test("a wide window keeps the index of the style guide beside its parts", async ({
  newGatehouse,
  newContext,
}) => {
  const gatehouse = await newGatehouse({ mail: "local" });
  const context = await newContext({ baseURL: gatehouse.origin, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/dev/ui");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "toaster", exact: true })).not.toBeInViewport();

  const index = page.getByRole("navigation", { name: translationsIn("en")("dev:onThisPage") });
  const link = index.getByRole("link", { name: "toaster", exact: true });
  await link.click();

  await expect(page.getByRole("heading", { name: "toaster", exact: true })).toBeInViewport();
  await expect(link).toBeInViewport();
});

test("a phone folds the index of the style guide", async ({ newGatehouse, newContext }) => {
  const gatehouse = await newGatehouse({ mail: "local" });
  const context = await newContext({ baseURL: gatehouse.origin, viewport: SIZES.phone });
  const page = await context.newPage();
  await page.goto("/dev/ui");
  await hydrated(page);
  const link = page.getByRole("link", { name: "toaster", exact: true });
  await expect(link).toBeHidden();

  await page.getByText(translationsIn("en")("dev:onThisPage"), { exact: true }).click();
  await link.click();

  await expect(page.getByRole("heading", { name: "toaster", exact: true })).toBeInViewport();
});
