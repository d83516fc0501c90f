import { findViolations } from "../support/axe.ts";
import { test as base, expect, SIZES } from "../support/e2e.ts";
import { cutTexts, shiftsOf } from "../support/layout.ts";
import { EACH_DIRECTION, matrix } from "../support/matrix.ts";
import { SCREENS, SETTINGS } from "../support/screens.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

/** The narrowest window in which a page may not scroll sideways (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
/** The breakpoints of the layouts, checked for overflow. */
const WIDTHS = [320, 768, 1_024];

const WINDOWS = { wide: SIZES.desktop, narrow: NARROW };

/** The gate opens each screen wide, light and left to right, and narrow, dark and right to left. */
const LOOKS = matrix({
  language: EACH_DIRECTION,
  colorScheme: ["light", "dark"],
  window: ["wide", "narrow"],
});

const test = base.extend<
  object,
  { productWith: (settings: typeof SETTINGS) => Promise<Gatehouse> }
>({
  productWith: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
    async ({}, use) => {
      await using started = new AsyncDisposableStack();
      const known = new Map<string, Promise<Gatehouse>>();
      await use((settings) => {
        const key = JSON.stringify(settings);
        const gatehouse =
          known.get(key) ?? startGatehouse(settings).then((made) => started.use(made));
        known.set(key, gatehouse);
        return gatehouse;
      });
    },
    { scope: "worker" },
  ],
});

for (const screen of SCREENS) {
  for (const { language, colorScheme, window } of LOOKS) {
    test(`${screen.name} is accessible, shifts nothing and fits its window (${language}, ${colorScheme}, ${window})`, async ({
      newContext,
      productWith,
      expectProblem,
    }) => {
      if (screen.problem) expectProblem(screen.problem);
      const gatehouse = await productWith(screen.settings ?? SETTINGS);
      const context = await newContext({
        baseURL: gatehouse.origin,
        locale: language,
        reducedMotion: "reduce",
        colorScheme,
        viewport: WINDOWS[window],
      });
      const page = await context.newPage();
      await screen.open({ page, gatehouse, t: translationsIn(language) });
      expect(await findViolations(page)).toEqual([]);
      expect(await shiftsOf(page)).toEqual([]);
      expect(await cutTexts(page)).toEqual([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: NARROW.height });
        await expect
          .poll(
            () =>
              page.evaluate(() => {
                const { scrollWidth, clientWidth } = document.documentElement;
                return scrollWidth - clientWidth;
              }),
            { message: `pixels that stick out of ${width}` },
          )
          .toBe(0);
      }
    });
  }
}
