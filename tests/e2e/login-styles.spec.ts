import type { Page } from "@playwright/test";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

/** Returns the computed styles of the screen's elements and of what stands before and after each, by element. */
function readStyles(page: Page): Promise<[element: string, values: string[]][]> {
  return page.evaluate(() =>
    // The browser shows the content of `use` once the icons have come.
    [...document.querySelectorAll(":is(header, main), :is(header, main) :not(use)")].flatMap(
      (element) =>
        ["", "::before", "::after"].map((part): [string, string[]] => {
          const style = getComputedStyle(element, part);
          // Variables that only other screens use do not show.
          const names = [...style].filter((name) => !name.startsWith("--"));
          return [
            `${element.localName}.${element.getAttribute("class")}${part}`,
            names.map((name) => `${name}: ${style.getPropertyValue(name)}`),
          ];
        }),
    ),
  );
}

/** The same, once nothing changes any more: controls appear when the browser has said what it can do. */
async function readSettledStyles(page: Page) {
  let last = await readStyles(page);
  await expect
    .poll(async () => {
      const previous = last;
      last = await readStyles(page);
      return JSON.stringify(last) === JSON.stringify(previous);
    })
    .toBe(true);
  return last;
}

/** Adds the styles of all screens after those of the page, and expects that no element changes. */
async function expectNoChange(page: Page) {
  const preload = page.locator('link[rel="preload"][as="style"]');
  const href = (await preload.getAttribute("href")) ?? "";
  await expect(page.locator(`link[rel="stylesheet"][href="${href}"]`)).toHaveCount(0);
  const before = await readSettledStyles(page);
  expect(before.length).toBeGreaterThan(50);
  await page.addStyleTag({ url: href });
  const after = await readStyles(page);
  const changes = after.flatMap(([element, values], index) =>
    values.filter((value) => !before[index]?.[1].includes(value)).map((value) => [element, value]),
  );
  expect(changes).toEqual([]);
}

for (const language of EACH_DIRECTION) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`the sign-in screens have all of their styles before the other screens' arrive (${language}, ${size})`, async ({
      newContext,
    }) => {
      const t = translationsIn(language);
      const context = await newContext({ locale: language, viewport, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.goto("/login");
      await hydrated(page);
      const passkey = page.getByRole("button", { name: t("login:withPasskey") });
      await expect(passkey).toBeVisible();
      await expectNoChange(page);

      await page.goto("/login");
      await hydrated(page);
      await page.getByLabel(t("login:email")).fill(newEmail("ada"));
      await page.getByRole("button", { name: t("login:withEmail") }).click();
      await expect(page.getByRole("heading", { name: t("login:verifyTitle") })).toBeVisible();
      await expectNoChange(page);

      await page.goto("/login");
      await hydrated(page);
      // By the browser's router, so that the page keeps its own styles.
      await page.evaluate(() => {
        history.pushState(null, "", "/login/error?error=access_denied");
        dispatchEvent(new PopStateEvent("popstate"));
      });
      const title = t("login:errors.access_denied.title");
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expectNoChange(page);
    });
  }
}
