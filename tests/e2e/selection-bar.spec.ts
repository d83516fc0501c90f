import { expect, hydrated, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const SMALL_PHONE = { width: 320, height: 700 };

for (const language of EACH_DIRECTION) {
  test(`on a small phone a list fits, and the bar of its chosen rows breaks no word (${language})`, async ({
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
    const actions = bar.locator(".selection-actions > button");
    await expect(actions).toHaveCount(5);
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
