import { LANGUAGES } from "../../app/i18n/languages.ts";
import { findViolations } from "../support/axe.ts";
import { test as base, expect, SIZES } from "../support/e2e.ts";
import { cutTexts, shiftsOf } from "../support/layout.ts";
import { matrix } from "../support/matrix.ts";
import { listUrls } from "../support/routes.ts";
import {
  openScreen,
  SCREENS,
  type SeededProduct,
  type Setting,
  STATES,
  startSeeded,
} from "../support/screens.ts";
import { isFull } from "../support/thoroughness.ts";
import { translationsIn } from "../support/translations.ts";

/** The narrowest window in which a page may not scroll sideways (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
const WINDOWS = { wide: SIZES.desktop, narrow: NARROW };
/** The breakpoints of the layouts, checked for overflow. */
const WIDTHS = [320, 768, 1_024];

/** In the gate: en, light and wide, then ar, dark and narrow. */
const LOOKS = matrix({
  language: isFull ? LANGUAGES : (["en", "ar"] as const),
  colorScheme: ["light", "dark"],
  window: ["wide", "narrow"],
});

const test = base.extend<object, { productWith: (setting: Setting) => Promise<SeededProduct> }>({
  productWith: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures off this pattern
    async ({}, use) => {
      await using started = new AsyncDisposableStack();
      const known = new Map<Setting, Promise<SeededProduct>>();
      await use((setting) => {
        const product = known.get(setting) ?? startSeeded(setting).then((one) => started.use(one));
        known.set(setting, product);
        return product;
      });
    },
    { scope: "worker" },
  ],
});

for (const screen of [...SCREENS, ...STATES]) {
  for (const { language, colorScheme, window } of LOOKS) {
    test(`${screen.name} is accessible, shifts nothing and fits its window (${language}, ${colorScheme}, ${window})`, async ({
      newContext,
      productWith,
    }) => {
      const product = await productWith(screen.setting);
      const context = await newContext({
        baseURL: product.origin,
        locale: language,
        reducedMotion: "reduce",
        colorScheme,
        viewport: WINDOWS[window],
      });
      const page = await context.newPage();

      await openScreen(page, screen, { ...product, t: translationsIn(language) });

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

test("the list has every screen of the product", async ({ productWith }) => {
  const { seeded } = await productWith("usual");
  const shown = SCREENS.map(({ path }) => path(seeded.ids).split("?")[0] ?? "");
  // These redirect.
  const redirects = ["/", "/manager"];
  const screens = listUrls().filter(
    ({ isScreen, pattern }) => isScreen && !redirects.includes(pattern),
  );

  const missing = screens.filter(({ pattern }) => {
    const url = new RegExp(`^${pattern.replace(/:\w+|\*/g, "[^/]+")}$`);
    return !shown.some((path) => url.test(path));
  });

  expect(missing.map(({ pattern }) => pattern)).toEqual([]);
});
