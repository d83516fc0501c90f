import type { Browser, Page } from "@playwright/test";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { findViolations } from "../support/axe.ts";
import { expect, openContext, SIZES, test } from "../support/e2e.ts";
import { cutTexts, shiftsOf } from "../support/layout.ts";
import { matrix } from "../support/matrix.ts";
import { listUrls } from "../support/routes.ts";
import { openScreen, SCREENS, type Screen, STATES, startSeeded } from "../support/screens.ts";
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

type Look = (typeof LOOKS)[number];

let opened: { key: string; page: Page; problems: string[] } | undefined;

/**
 * Opens the page of a person in one look, and lists what the browser complains of. The screens of
 * one person are opened in one page, one after the other: to load the scripts again for each costs
 * more than its test.
 */
async function openPage(
  browser: Browser,
  baseURL: string,
  { setting, as, act }: Screen,
  { language, colorScheme, window }: Look,
) {
  const key = [setting, as, language].join();
  if (opened?.key !== key || act) {
    await opened?.page.context().close();
    const look = { locale: language, colorScheme, viewport: WINDOWS[window] };
    const problems: string[] = [];
    const options = { baseURL, reducedMotion: "reduce", ...look } as const;
    const context = await openContext(browser, options, problems);
    // What a screen's state leaves in the browser must not meet the next one.
    opened = { key: act ? "" : key, page: await context.newPage(), problems };
  }
  opened.problems.length = 0;
  return opened;
}

test.afterAll(() => opened?.page.context().close());

const USUAL = [...SCREENS, ...STATES].filter(({ setting }) => setting === "usual");
const OTHERS = SCREENS.filter(({ setting }) => setting !== "usual");

for (const look of LOOKS) for (const screen of USUAL) testScreen(screen, look);

test.describe(() => {
  // In one process, because each of these settings needs a product of its own.
  test.describe.configure({ mode: "default" });
  for (const screen of OTHERS) for (const look of LOOKS) testScreen(screen, look);
});

function testScreen(screen: Screen, look: Look) {
  const { language, colorScheme, window } = look;
  test(`${screen.name} is accessible, shifts nothing and fits its window (${language}, ${colorScheme}, ${window})`, async ({
    browser,
    shared,
  }) => {
    const product = await shared(screen.setting, () => startSeeded(screen.setting));
    const { page, problems } = await openPage(browser, product.origin, screen, look);
    await page.setViewportSize(WINDOWS[window]);

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
    expect(problems, "what the browser complained of").toEqual([]);
  });
}

test("the list has every screen of the product", async ({ shared }) => {
  const { seeded } = await shared("usual", () => startSeeded("usual"));
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
