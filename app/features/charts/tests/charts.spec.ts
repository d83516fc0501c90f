import type { Page } from "@playwright/test";
import { expect, hydrated, SIZES, signInAs, test } from "../../../../tests/support/e2e.ts";
import { EACH_DIRECTION, matrix } from "../../../../tests/support/matrix.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

// Charts are drawn of series with enough events: ten of each, at the same time of the last days.
test.beforeEach(async ({ gatehouse }) => {
  const now = Math.floor(Date.now() / 900_000);
  const names = ["user.signed_in", "user.created", "code.wrong"];
  const slots = [0, 1, 2, 3, 4].map((ago) => now - ago * 96);
  await gatehouse.d1
    .prepare(
      "INSERT OR REPLACE INTO slot_count (name, slot, value) SELECT name.value, slot.value, 10 FROM json_each(?) AS name, json_each(?) AS slot",
    )
    .bind(JSON.stringify(names), JSON.stringify(slots))
    .run();
});

/** Returns the columns of the chart, one for each day. */
function daysOf(page: Page, t: ReturnType<typeof translationsIn>) {
  return page.getByRole("group", { name: t("manager:dashboard.chart.columns") }).getByRole("img");
}

/** Returns the title of the first chart, below the line where a chosen day's figures stand. */
function titleOf(page: Page, t: ReturnType<typeof translationsIn>) {
  return page.getByRole("heading", { name: t("manager:dashboard.chart.signIns"), exact: true });
}

/** True when the page cannot be scrolled sideways. */
function fitsWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

for (const language of EACH_DIRECTION) {
  const t = translationsIn(language);

  test(`the keyboard reaches every day of the chart and opens its tooltip (${language})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { locale: language });
    await page.goto("/manager/dashboard");
    await hydrated(page);
    const days = daysOf(page, t);
    const tips = days.locator("> span");
    await expect(tips.filter({ visible: true })).toHaveCount(0);

    await page
      .getByRole("link", { name: t("manager:dashboard.chart.lastDays", { count: 90 }) })
      .focus();
    // Past the links of the three charts; all days are one stop.
    for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press("Tab");
    await expect(days.last()).toBeFocused();
    await expect(tips.last()).toBeVisible();
    const [back, on] =
      language === "ar" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const today = await days.last().boundingBox();
    await page.keyboard.press(back);
    await expect(days.nth(28)).toBeFocused();
    const yesterday = await days.nth(28).boundingBox();
    // Time runs in the reading direction.
    expect(Math.sign((today?.x ?? 0) - (yesterday?.x ?? 0))).toBe(language === "ar" ? -1 : 1);
    await expect(tips.filter({ visible: true })).toHaveCount(1);
    await expect(tips.nth(28)).toContainText(t("manager:dashboard.series.signIns"));
    await page.keyboard.press(on);
    await expect(days.last()).toBeFocused();
    await page.keyboard.press("Home");
    await expect(tips.first()).toBeVisible();
    await page.keyboard.press("End");
    await expect(tips.last()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(tips.filter({ visible: true })).toHaveCount(0);
  });
}

for (const { language, javaScriptEnabled } of matrix(
  {
    language: EACH_DIRECTION,
    javaScriptEnabled: [true, false],
  },
  0,
)) {
  const t = translationsIn(language);
  const how = `${language}, ${javaScriptEnabled ? "with" : "without"} JavaScript`;

  test(`a tap on a day opens its tooltip inside the window (${how})`, async ({ signedIn }) => {
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.phone, hasTouch: true, javaScriptEnabled },
    );
    for (const period of [7, 30, 90]) {
      await page.goto("/manager/dashboard");
      const label = t("manager:dashboard.chart.lastDays", { count: period });
      await page.getByRole("link", { name: label, exact: true }).tap();
      await expect(page).toHaveURL(`/manager/dashboard?days=${period}`);
      const days = daysOf(page, t);
      await expect(days).toHaveCount(period);
      expect(await fitsWindow(page)).toBe(true);
      for (const index of [0, Math.ceil(period / 2) - 1, Math.ceil(period / 2), period - 1]) {
        await days.nth(index).tap();
        const tip = days.nth(index).locator("> span");
        await expect(tip).toBeVisible();
        await expect(tip).toBeInViewport({ ratio: 1 });
        const tipBox = await tip.boundingBox();
        const periods = await page.getByRole("link", { name: label, exact: true }).boundingBox();
        expect(tipBox?.y).toBeGreaterThanOrEqual((periods?.y ?? 0) + (periods?.height ?? 0));
        const firstTitle = await titleOf(page, t).boundingBox();
        expect((tipBox?.y ?? 0) + (tipBox?.height ?? 0)).toBeLessThanOrEqual(firstTitle?.y ?? 0);
        await expect(days.locator("> span").filter({ visible: true })).toHaveCount(1);
      }
    }
  });

  test(`the pointer opens a day's tooltip in place of the focused day's (${how})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { locale: language, javaScriptEnabled });
    await page.goto("/manager/dashboard");
    const days = daysOf(page, t);
    await days.last().focus();
    await days.nth(3).hover();
    const tips = days.locator("> span").filter({ visible: true });
    await expect(tips).toHaveCount(1);
    await expect(days.nth(3).locator("> span")).toBeVisible();
    const tipBox = await tips.boundingBox();
    const firstTitle = await titleOf(page, t).boundingBox();
    expect((tipBox?.y ?? 0) + (tipBox?.height ?? 0)).toBeLessThanOrEqual(firstTitle?.y ?? 0);

    await expect(page.getByRole("table")).toBeHidden();
    await page.getByText(t("manager:dashboard.chart.table")).click();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(31);
  });
}

test("the mark of a chosen day covers no other of 90 days on a phone", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  await page.goto("/manager/dashboard?days=90");
  const markOf = (element: Element) => {
    const { inlineSize, backgroundColor, outlineStyle } = getComputedStyle(element, "::before");
    const hasColour = backgroundColor !== "rgba(0, 0, 0, 0)";
    return { width: Number.parseFloat(inlineSize), hasColour, outlineStyle };
  };
  const today = daysOf(page, translationsIn("en")).last();
  const width = (await today.boundingBox())?.width ?? 0;
  expect(width).toBeLessThan(8);

  await today.focus();
  expect(await today.evaluate(markOf)).toEqual({
    width: expect.closeTo(width, 1),
    hasColour: true,
    outlineStyle: "none",
  });
  await page.emulateMedia({ forcedColors: "active" });
  expect(await today.evaluate(markOf)).toMatchObject({ outlineStyle: "solid" });
});

test("with forced colours the bars have the colour of text", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/manager/dashboard");
  const [text, bars] = await page.evaluate(() => {
    const bar = document.querySelector("figure svg path:nth-of-type(2)");
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "CanvasText";
    return [getComputedStyle(probe).color, bar && getComputedStyle(bar).fill];
  });
  expect(bars).toBe(text);
});

test("with reduced motion a day's figures are there at once", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" }, { reducedMotion: "reduce" });
  await page.goto("/manager/dashboard");

  // In one step, because a transition would have ended before the next.
  const visibility = await daysOf(page, translationsIn("en"))
    .last()
    .evaluate((day) => {
      day.focus();
      return [...day.querySelectorAll("*")].map((part) => getComputedStyle(part).visibility);
    });

  expect(visibility).toEqual(Array.from(visibility, () => "visible"));
  expect(visibility.length).toBeGreaterThan(4);
});
