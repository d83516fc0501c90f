import type { Page } from "@playwright/test";
import { confirmButton, expect, SIZES, test } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { aUser, newEmail } from "../support/people.ts";
import { makeProofOld } from "../support/sessions.ts";
import { translationsIn } from "../support/translations.ts";

// Without JavaScript a proof of identity is asked for on a screen of its own, which comes back to
// the chosen rows and the open question.

const LIST = "/manager/users";

function checkedNames(page: Page) {
  return page.locator('tbody tr:has(input[name="id"]:checked) a bdi').allInnerTexts();
}

for (const { language, size, isAged } of matrix(
  {
    language: ["ar", "en"],
    size: ["phone", "phone"],
    // Whether the last proof is too old before the list opens, or only when the question is
    // answered.
    isAged: ["before", "meanwhile"],
  },
  1,
)) {
  const setting = `${language}, ${size}, aged ${isAged}`;

  test(`a proof in the middle of a bulk deletion keeps rows and action (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const word = `proof${process.pid}${language}${size}${isAged}`.toLowerCase();
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      ids.push((await aUser(gatehouse, { name: `${word} ${number}`, email: newEmail(word) })).id);
    }
    const { page, user } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES[size], javaScriptEnabled: false },
    );
    if (isAged === "before") await makeProofOld(gatehouse, user);
    await page.goto(`${LIST}?searchTerm=${word}&sort=name&direction=asc`);

    for (const number of [2, 3]) {
      const name = t("common:selection.choose", { name: `${word} ${number}` });
      await page.getByRole("checkbox", { name }).check();
    }
    const bar = page.getByRole("form", { name: t("common:selection.label") });
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    const question = page.getByRole("alertdialog");
    const offer = question.getByRole("button", { name: t("common:proof.confirm") });
    if (isAged === "before") {
      await expect(question).toContainText(t("common:proof.first"));
      await offer.click();
    } else {
      await makeProofOld(gatehouse, user);
      await confirmButton(question).click();
    }

    // Cancelled, the rows are still chosen and the question is closed.
    await page.getByRole("link", { name: t("common:actions.cancel") }).click();
    await expect.poll(() => checkedNames(page)).toEqual([`${word} 2`, `${word} 3`]);
    await expect(question).toBeHidden();
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    await offer.click();

    await page.getByRole("button", { name: t("account:code.send") }).click();
    await page.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(user.email));
    await page.getByRole("button", { name: t("login:confirm") }).click();

    // The same rows are chosen, and their question is open.
    await expect(question).toBeVisible();
    expect(await checkedNames(page)).toEqual([`${word} 2`, `${word} 3`]);
    await confirmButton(question).click();
    await expect(page.locator('section[role="status"]')).toContainText(
      t("users:bulk.deleted", { count: 2 }),
    );
    await expect(question).toBeHidden();
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM user WHERE id IN (?, ?, ?, ?)")
      .bind(...ids)
      .all<{ id: string }>();
    expect(results.map(({ id }) => id).sort()).toEqual([ids[0], ids[3]].sort());
  });
}
