// node scripts/screenshots.ts FOLDER [SCREEN…]: every screen, or the named ones, in each size, theme and two languages.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { SIZES, setColorScheme } from "../tests/support/e2e.ts";
import { openScreen, SCREENS as PAGES, STATES, startSeeded } from "../tests/support/screens.ts";
import { translationsIn } from "../tests/support/translations.ts";
import { build } from "./build.ts";
import { ensureChromium } from "./chromium.ts";
import { fail, showProgress } from "./terminal.ts";

const SCREENS = [...PAGES, ...STATES];
const LANGUAGES = ["en", "ar"] as const;
const THEMES = ["light", "dark"] as const;

const [folder, ...names] = process.argv.slice(2);
if (!folder) fail("Name a folder: node scripts/screenshots.ts FOLDER [SCREEN…]");
const unknown = names.find((name) => !SCREENS.some((screen) => screen.name === name));
if (unknown) {
  fail(
    `There is no screen "${unknown}". Choose from: ${SCREENS.map(({ name }) => name).join(", ")}`,
  );
}
const screens = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name));

const result = await build();
if (!result.ok) fail(result.output);
mkdirSync(folder, { recursive: true });

await using resources = new AsyncDisposableStack();
const executablePath = await ensureChromium();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
resources.defer(() => browser.close());

let done = 0;
const total = screens.length * LANGUAGES.length * Object.keys(SIZES).length * THEMES.length;
for (const screen of screens) {
  await using product = await startSeeded(screen.setting, true);
  for (const language of LANGUAGES) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({
        // A finger needs larger controls than a mouse.
        hasTouch: size === "phone",
        isMobile: size === "phone",
        baseURL: product.origin,
        locale: language,
        viewport,
        reducedMotion: "reduce",
        extraHTTPHeaders: { "cf-connecting-ip": `198.19.255.${done % 256}` },
      });
      const page = await context.newPage();
      await openScreen(page, screen, { ...product, t: translationsIn(language) });
      for (const theme of THEMES) {
        await setColorScheme(page, theme);
        await page.screenshot({
          path: join(folder, `${screen.name}-${language}-${size}-${theme}.png`),
        });
        showProgress(`  ${++done} of ${total}`);
      }
      await context.close();
    }
  }
}
