import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { aUser } from "../support/people.ts";
import { aRepository } from "../support/repositories.ts";
import { translationsIn } from "../support/translations.ts";

const SMALL_PHONE = { width: 320, height: 700 };

for (const language of LANGUAGES) {
  test(`on a small phone a list fits, and the bar of its chosen rows is low, with whole words (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = `barred${process.pid}`;
    await Promise.all(
      Array.from({ length: 20 }, (_, row) => aUser(gatehouse, { name: `${word} ${row}` })),
    );
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SMALL_PHONE, hasTouch: true, isMobile: true },
    );
    await page.goto(`/manager/users?searchTerm=${word}`);
    await hydrated(page);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow).toBe(0);
    await page.locator('input[name="id"]').first().check();

    const bar = page.getByRole("form", { name: t("common:selection.label") });
    const box = await bar.boundingBox();
    expect(box?.height).toBeLessThanOrEqual(136);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(SMALL_PHONE.height, 0);
    const actions = bar.locator(".selection-actions > button");
    await expect(actions).toHaveCount(4);
    const broken = await actions.evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const text = [...button.childNodes].find(({ nodeName }) => nodeName === "#text");
        const words = [...(text?.textContent ?? "").matchAll(/\S+/g)];
        return words.flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text as Node, index);
          range.setEnd(text as Node, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
    expect(broken).toEqual([]);
  });
}

for (const language of LANGUAGES) {
  test(`on a phone a single action shares the line of the bar (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    await aRepository(gatehouse);
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.phone, hasTouch: true, isMobile: true },
    );
    await page.goto("/manager/repositories");
    await hydrated(page);
    await page.locator('input[name="id"]').first().check();

    const bar = page.getByRole("form", { name: t("common:selection.label") });
    expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(56);
    await bar.getByRole("button", { name: t("common:selection.clear") }).click();
    await expect(bar).toBeHidden();
  });
}

test("the buttons of a report stand in its middle", async ({ signedIn, gatehouse }) => {
  const word = `reported${process.pid}`;
  await aRepository(gatehouse, { name: word });
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" });
  await page.goto(`/manager/repositories?searchTerm=${word}`);
  await hydrated(page);
  await page.locator('input[name="id"]').first().check();
  await page
    .getByRole("form", { name: t("common:selection.label") })
    .getByRole("button", { name: t("common:actions.delete") })
    .click();
  await page.getByRole("button", { name: t("common:actions.confirm") }).click();

  const report = page.locator('section[role="status"]');
  const middle = async (part = report) => {
    const box = await part.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) / 2;
  };
  const undo = report.getByRole("button", { name: t("common:actions.undo") });
  const dismiss = report.getByRole("link", { name: t("common:selection.dismiss") });
  expect(await middle(undo)).toBeCloseTo(await middle(), 0);
  expect(await middle(dismiss)).toBeCloseTo(await middle(), 0);
});
