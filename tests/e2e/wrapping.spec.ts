import type { Locator, Page } from "@playwright/test";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, SIZES, test } from "../support/e2e.ts";
import { middleOf } from "../support/layout.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { SCREENS } from "../support/screens.ts";
import { translationsIn } from "../support/translations.ts";

const HEIGHT = 800;
/** Windows of phones, so that a line ends at each possible place of the texts. */
const WIDTHS = Array.from({ length: 15 }, (_, index) => 320 + index * 8);
/** Pixels between the middles of two things on one line. */
const ON_ONE_LINE = 6;

function openScreen(name: string) {
  const screen = SCREENS.find((one) => one.name === name);
  if (!screen) throw new Error(`There is no screen "${name}"`);
  return screen.open;
}

/** Returns by how many pixels a mark at the end of a text stands below the text's last line: the most of all widths. */
async function worstDrop(page: Page, marks: Locator): Promise<number> {
  const drops: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const dropsHere = await marks.evaluateAll((elements) =>
      elements.map((element) => {
        const text = document.createRange();
        text.setStart(element.closest("li, th") ?? element, 0);
        text.setEndBefore(element);
        const lines = [...text.getClientRects()].filter((line) => line.width > 0);
        const middle = (box?: DOMRect) => (box ? box.top + box.height / 2 : Number.NaN);
        return Math.abs(middle(lines.at(-1)) - middle(element.getBoundingClientRect()));
      }),
    );
    drops.push(...dropsHere);
  }
  return Math.max(...drops);
}

type MarkCase = [what: string, screen: string, count: number, marksOf: (page: Page) => Locator];

const MARKS: MarkCase[] = [
  [
    "key of a permission",
    "manager-settings-roles",
    6,
    (page) => page.getByRole("rowheader").locator("svg"),
  ],
];

for (const [what, screen, count, marksOf] of MARKS) {
  test(`the ${what} stays on the last line of its text`, async ({ newContext, gatehouse }) => {
    const page = await (await newContext({ locale: "fr" })).newPage();
    await openScreen(screen)({ page, gatehouse, t: translationsIn("fr") });
    const marks = marksOf(page);

    await expect(marks).toHaveCount(count);
    expect(await worstDrop(page, marks)).toBeLessThan(ON_ONE_LINE);
  });
}

test("a full stop stays on the line of the e-mail before it", async ({ newContext, gatehouse }) => {
  const page = await (await newContext({ locale: "sw" })).newPage();
  await openScreen("invitation-foreign")({ page, gatehouse, t: translationsIn("sw") });
  const email = page.getByRole("main").locator("bdi").filter({ hasText: "@" });

  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const drop = await email.evaluate((element) => {
      const next = element.nextSibling ?? element.parentElement?.nextSibling;
      if (!next) throw new Error("nothing follows the e-mail");
      const sign = document.createRange();
      sign.setStart(next, 0);
      sign.setEnd(next, 1);
      return sign.getBoundingClientRect().top - (element.getClientRects()[0]?.top ?? 0);
    });
    expect(Math.abs(drop)).toBeLessThan(ON_ONE_LINE);
  }
});

test("the time of a manager's change follows on the last line of its sentence", async ({
  newContext,
  gatehouse,
}) => {
  const page = await (await newContext({ locale: "ar", viewport: SIZES.phone })).newPage();
  await openScreen("manager-user-methods")({ page, gatehouse, t: translationsIn("ar") });
  const time = page.getByRole("status").getByRole("time");

  const drop = await time.evaluate((element) => {
    const sentence = document.createRange();
    sentence.setStart(element.closest("p") ?? element, 0);
    sentence.setEndBefore(element);
    const lines = [...sentence.getClientRects()].filter(({ width }) => width > 0);
    if (lines.length < 2) throw new Error("The sentence has one line");
    return (lines.at(-1)?.bottom ?? 0) - element.getBoundingClientRect().bottom;
  });
  expect(Math.abs(drop)).toBeLessThan(ON_ONE_LINE);
});

for (const screen of ["not-found", "forbidden", "impersonating-forbidden"]) {
  test(`on a phone the lines of "${screen}" have one middle`, async ({ newContext, gatehouse }) => {
    for (const language of EACH_DIRECTION) {
      const page = await (await newContext({ locale: language, viewport: SIZES.phone })).newPage();
      await openScreen(screen)({ page, gatehouse, t: translationsIn(language) });
      const texts = page.getByRole("main").locator("h1, h1 ~ p, p:has(+ h1)");

      expect(await texts.count()).toBe(3);
      const middles = await texts.evaluateAll((elements) =>
        elements.map((element) => {
          const text = document.createRange();
          text.selectNodeContents(element);
          const { left, width } = text.getBoundingClientRect();
          return left + width / 2;
        }),
      );
      for (const middle of middles) {
        expect(Math.abs(middle - SIZES.phone.width / 2), language).toBeLessThanOrEqual(1);
      }
    }
  });
}

// Letters such as "ي" have dots below, which a box as low as its line would cut.
test("in Arabic a name in the audit log has room for the dots below it", async ({
  newContext,
  gatehouse,
}) => {
  const page = await (await newContext({ locale: "ar" })).newPage();
  await openScreen("manager-audit")({ page, gatehouse, t: translationsIn("ar") });
  // The manager's own sign-in is among the newest events, whatever else the database has. Ids have a smaller font.
  const name = page.locator(".list-sub-link > bdi:not(.font-mono)").first();

  const room = await name.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).fontSize),
  );
  expect(room).toBeGreaterThan(1.4);
});

/** Lists with a button for a new entry. */
const LISTS = ["organizations", "manager-organizations", "manager-repositories", "manager-users"];

// In French the titles and the buttons are the longest.
test("on a phone the button of a list stands beside its title in French", async ({
  newContext,
  gatehouse,
}) => {
  for (const screen of LISTS) {
    const context = await newContext({ locale: "fr", viewport: SIZES.phone });
    const page = await context.newPage();
    await openScreen(screen)({ page, gatehouse, t: translationsIn("fr") });
    const button = page.getByRole("main").locator("a[href$='/new']").first();
    const title = page.getByRole("heading", { level: 1 });

    const distance = (await middleOf(title)) - (await middleOf(button));
    expect(Math.abs(distance), screen).toBeLessThan(ON_ONE_LINE);
  }
});

/** Returns on how many lines a text stands. */
async function linesOf(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    // Letters and digits of one line may have other fonts, so that only their middles are near each other.
    const lines: number[] = [];
    for (const { top, height, width } of range.getClientRects()) {
      const middle = top + height / 2;
      const isNew = lines.every((line) => Math.abs(line - middle) > height / 2);
      // A screen reader's text is a pixel wide.
      if (isNew && width > 1) lines.push(middle);
    }
    return lines.length;
  });
}

test("on a phone the moments of a user stand on one line each", async ({
  newContext,
  gatehouse,
}) => {
  for (const language of LANGUAGES) {
    const context = await newContext({ locale: language, viewport: SIZES.phone });
    const page = await context.newPage();
    await openScreen("manager-user-methods")({ page, gatehouse, t: translationsIn(language) });

    const moments = page.getByRole("definition").getByRole("time");
    // Created, onboarded and last seen.
    await expect(moments).toHaveCount(3);
    for (const moment of await moments.all()) expect(await linesOf(moment), language).toBe(1);
  }
});

test("the banner of an impersonation keeps an e-mail on one line", async ({
  newContext,
  gatehouse,
}) => {
  const page = await (await newContext({ locale: "ar", viewport: SIZES.phone })).newPage();
  await openScreen("impersonating-nameless")({ page, gatehouse, t: translationsIn("ar") });
  const email = page.getByRole("status").getByText("@example.com");
  await expect(email).toBeVisible();

  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    expect(await linesOf(email), `${width} px`).toBe(1);
  }
});

test("on a phone an organization's role ends the breadcrumb's line, above the name", async ({
  newContext,
  gatehouse,
}) => {
  for (const language of EACH_DIRECTION) {
    const t = translationsIn(language);
    const page = await (await newContext({ locale: language, viewport: SIZES.phone })).newPage();
    await openScreen("organization")({ page, gatehouse, t });
    const main = page.getByRole("main");
    const role = main.getByText(t("organizations:roles.owner")).first();
    const above = main
      .getByRole("navigation", { name: t("common:breadcrumb") })
      .getByRole("link", { name: t("organizations:title") });
    const title = page.getByRole("heading", { level: 1 });

    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const box = await role.boundingBox();
      const drop = (await middleOf(role)) - (await middleOf(above));
      expect(Math.abs(drop), `${language} ${width} px`).toBeLessThan(ON_ONE_LINE);
      expect(await middleOf(role)).toBeLessThan((await title.boundingBox())?.y ?? 0);
      const end = language === "ar" ? box?.x : width - (box?.x ?? 0) - (box?.width ?? 0);
      expect(end, `${language} ${width} px`).toBeCloseTo(16, 0);
    }
  }
});
