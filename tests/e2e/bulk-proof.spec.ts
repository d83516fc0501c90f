import type { Page } from "@playwright/test";
import { confirmButton, expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

// A proof of identity that is asked in the middle of a bulk action keeps the chosen rows and the action.

const LIST = "/manager/users";
const MINUTE_MS = 60_000;

/** Moves the last proof of a user's sessions into the past. */
async function makeStale({ d1 }: Gatehouse, userId: string) {
  await d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - 16 * MINUTE_MS, userId)
    .run();
}

function checkedNames(page: Page) {
  return page.locator('tbody tr:has(input[name="id"]:checked) a bdi').allInnerTexts();
}

for (const { language, size, hasScript, isAged } of matrix(
  {
    language: ["en", "ar", "en"],
    size: ["desktop", "phone", "phone"],
    hasScript: [true, false, false],
    // Whether the last proof is too old before the list opens, or only when the question is answered.
    isAged: ["before", "before", "meanwhile"],
  },
  1,
)) {
  const setting = `${language}, ${size}, JavaScript ${hasScript ? "on" : "off"}, aged ${isAged}`;
  // With JavaScript the question follows the clock.
  if (hasScript && isAged === "meanwhile") continue;

  test(`a proof in the middle of a bulk deletion keeps rows and action (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const word = `proof${process.pid}${language}${size}${hasScript}${isAged}`.toLowerCase();
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      ids.push((await aUser(gatehouse, { name: `${word} ${number}`, email: newEmail(word) })).id);
    }
    const { page, user } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript },
    );
    if (isAged === "before") await makeStale(gatehouse, user.id);
    const list = `${LIST}?searchTerm=${word}&sort=name&direction=asc`;
    await page.goto(list);
    if (hasScript) await hydrated(page);

    for (const number of [2, 3]) {
      const name = t("common:selection.choose", { name: `${word} ${number}` });
      await page.getByRole("checkbox", { name }).check();
    }
    const bar = page.getByRole("form", { name: t("common:selection.label") });
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    const question = page.getByRole("alertdialog");
    if (isAged === "before") {
      await question.getByRole("button", { name: t("common:proof.confirm") }).click();
    } else {
      await makeStale(gatehouse, user.id);
      await confirmButton(question).click();
    }

    // Cancelled, the rows are still chosen and the question is closed.
    await page.getByRole("link", { name: t("common:actions.cancel") }).click();
    await expect.poll(() => checkedNames(page)).toEqual([`${word} 2`, `${word} 3`]);
    await expect(question).toBeHidden();
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    await question.getByRole("button", { name: t("common:proof.confirm") }).click();

    await page.getByRole("button", { name: t("account:code.send") }).click();
    const code = await gatehouse.mailbox.codeFor(user.email);
    await page.getByLabel(t("login:code")).fill(code);
    if (!hasScript) await page.getByRole("button", { name: t("login:confirm") }).click();

    // The same rows, and the question about them.
    await expect(question).toBeVisible();
    expect(await checkedNames(page)).toEqual([`${word} 2`, `${word} 3`]);
    if (hasScript) {
      await expect(page).toHaveURL(list);
      await expect(question).toContainText(t("users:bulk.delete", { count: 2 }));
    }
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

test("a proof in the middle of a ban comes back to the open question", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const person = await aUser(gatehouse, { name: "Zuri" });
  const { page, user } = await signedIn({ role: "admin" });
  await makeStale(gatehouse, user.id);
  await page.goto(`${LIST}/${person.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: t("common:list.actions") }).click();
  await page.getByRole("button", { name: t("users:ban.title") }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("link", { name: t("common:proof.confirm") }).click();
  await page.getByRole("button", { name: t("account:code.send") }).click();
  const code = await gatehouse.mailbox.codeFor(user.email);
  await page.getByRole("textbox").first().pressSequentially(code);

  await expect(question).toBeVisible();
  await confirmButton(question).click();
  await expect(page.getByText(t("users:toast.banned"))).toBeVisible();
  await expect(question).toBeHidden();
});

test("a proof that a form's roles ask for opens them, without a reload", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const person = await aUser(gatehouse, { name: "Zuri" });
  const { page, user } = await signedIn({ role: "admin" });
  await makeStale(gatehouse, user.id);
  await page.goto(`/manager/users/${person.id}/update`);
  await hydrated(page);
  const support = page.getByRole("checkbox", { name: t("users:roles.support") });
  await expect(support).toHaveCount(0);

  await page.getByRole("link", { name: t("common:proof.confirm") }).click();
  await page.getByRole("button", { name: t("account:code.send") }).click();
  await page.getByLabel(t("login:code")).fill(await gatehouse.mailbox.codeFor(user.email));

  await expect(page).toHaveURL(`/manager/users/${person.id}/update`);
  await support.check();
  await page.getByRole("button", { name: t("users:save") }).click();
  await expect(page).toHaveURL(`/manager/users/${person.id}`);
  const role = await gatehouse.d1
    .prepare("SELECT role FROM user WHERE id = ?")
    .bind(person.id)
    .first<string>("role");
  expect(role).toContain("support");
});
