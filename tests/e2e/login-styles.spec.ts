import type { JSHandle, Page } from "@playwright/test";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { EACH_DIRECTION, matrix } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

/** Styles of the screen's elements and of what stands before and after each, by element. */
type Styles = [element: string, values: string[]][];

/** Reads the computed styles. They stay in the browser, because there are more than a hundred thousand. */
function readStyles(page: Page): Promise<JSHandle<Styles>> {
  return page.evaluateHandle(() =>
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

/** Returns the first twenty styles that were not there before, each with its element. An element that is gone has none. */
function changesIn(before: JSHandle<Styles>, after: JSHandle<Styles>): Promise<[string, string][]> {
  return after.evaluate((now, then) => {
    const changes = now.flatMap(([element, values], index) => {
      const known = new Set(then[index]?.[1]);
      return values
        .filter((value) => !known.has(value))
        .map((value): [string, string] => [element, value]);
    });
    const gone = then.slice(now.length).map(([element]): [string, string] => [element, ""]);
    return [...changes, ...gone].slice(0, 20);
  }, before);
}

/** Reads the styles once nothing changes any more: controls appear when the browser has said what it can do. */
async function readSettledStyles(page: Page) {
  let last = await readStyles(page);
  await expect
    .poll(async () => {
      const previous = last;
      last = await readStyles(page);
      return changesIn(previous, last);
    })
    .toEqual([]);
  return last;
}

/** Adds the styles of all screens after those of the page, and expects that no element changes. */
async function expectNoChange(page: Page) {
  const preload = page.locator('link[rel="preload"][as="style"]');
  const href = (await preload.getAttribute("href")) ?? "";
  await expect(page.locator(`link[rel="stylesheet"][href="${href}"]`)).toHaveCount(0);
  const before = await readSettledStyles(page);
  expect(await before.evaluate(({ length }) => length)).toBeGreaterThan(50);
  await page.addStyleTag({ url: href });
  expect(await changesIn(before, await readStyles(page))).toEqual([]);
}

for (const { language, size } of matrix(
  { language: EACH_DIRECTION, size: ["phone", "desktop"] },
  1,
)) {
  test(`the sign-in screens have all of their styles before the other screens' arrive (${language}, ${size})`, async ({
    newContext,
  }) => {
    const t = translationsIn(language);
    const context = await newContext({
      locale: language,
      viewport: SIZES[size],
      reducedMotion: "reduce",
    });
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
