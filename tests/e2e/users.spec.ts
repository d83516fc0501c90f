import type { Page } from "@playwright/test";
import { aCrowd } from "../support/crowd.ts";
import {
  confirmButton,
  expect,
  hydrated,
  openUserMenu,
  SIZES,
  signInAs,
  test,
  toast,
} from "../support/e2e.ts";
import { ANY_LANGUAGE, matrix } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";
/** Returns the names of the rows, in order. */
function namesOn(page: Page): Promise<string[]> {
  return page.locator("tbody tr a bdi").allInnerTexts();
}

function report(page: Page) {
  return page.locator('section[role="status"]');
}

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  const t = translationsIn(language);

  test(`users are searched, filtered, loaded, selected and changed together (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { word } = await aCrowd(gatehouse, 23);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES[size] });
    await page.goto(`${LIST}?sort=name&direction=asc`);
    await hydrated(page);

    await page.getByRole("searchbox").fill(word);
    const results = t("common:list.results", { count: 23, formatted: "23", searchTerm: word });
    await expect(page.getByRole("status").filter({ hasText: word })).toHaveText(
      new RegExp(results.replace(word, `.?${word}.?`)),
    );
    await page.getByRole("button", { name: t("common:list.filters"), exact: true }).click();
    await page.getByRole("link", { name: t("users:roles.admin"), exact: true }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByText(new RegExp(`${word}`)).first()).toBeVisible();
    await expect(page.getByRole("table")).toBeHidden();
    await page
      .getByRole("link", { name: t("common:list.clearFilters") })
      .filter({ visible: true })
      .last()
      .click();
    await expect(page.getByRole("searchbox")).toBeFocused();
    await expect(page.locator("tbody tr")).toHaveCount(20);
    await expect(page).toHaveURL(
      new RegExp(`sort=name.*searchTerm=${word}|searchTerm=${word}.*sort=name`),
    );

    await page.getByRole("link", { name: t("common:list.loadMore") }).click();
    await expect(page.locator("tbody tr")).toHaveCount(23);
    await expect(page.locator("tbody tr").nth(20).getByRole("link").first()).toBeFocused();
    expect((await namesOn(page)).at(-1)).toBe(`${word} 023`);
    const exported = page.getByRole("link", { name: t("common:list.export") });
    await expect(exported).toHaveAttribute("href", new RegExp(`export\\?.*searchTerm=${word}`));

    const boxes = page.locator('tbody input[type="checkbox"]');
    await boxes.nth(1).check();
    await boxes.nth(4).click({ modifiers: ["Shift"] });
    const bar = page.getByRole("form", { name: t("common:selection.label") });
    await expect(bar).toContainText(t("common:selection.count", { count: 4 }));
    const all = page
      .getByRole("checkbox", { name: t("common:selection.all") })
      .filter({ visible: true });
    await expect(all).toBeChecked({ indeterminate: true });
    await all.press("Space");
    await expect(bar).toContainText(t("common:selection.count", { count: 23 }));
    await page.keyboard.press("Escape");
    await expect(bar).toBeHidden();

    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await bar.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(t("users:bulk.ban", { count: 2 }));
    await expect(question).toContainText(t("users:bulk.banText", { count: 2 }));
    await expect(question.getByRole("listitem")).toContainText([`${word} 001`, `${word} 003`]);
    await expect(question.getByLabel(t("users:ban.duration"))).toHaveValue("7");
    await question.getByRole("textbox").fill("Spam");
    await confirmButton(question).click();
    await expect(report(page)).toBeFocused();
    await expect(report(page)).toContainText(t("users:bulk.banned", { count: 2 }));
    await expect(report(page)).toContainText(`${word} 001`);
    await expect(page.locator("tbody tr").nth(2)).toContainText(t("users:statuses.banned"));
    await expect(bar).toBeHidden();
    await page.getByRole("link", { name: t("common:selection.dismiss") }).click();
    await expect(report(page)).toBeHidden();

    // Back on the list, the search, the pages and the scroll position are as before.
    const row = page.getByRole("link", { name: `${word} 022`, exact: true });
    await row.scrollIntoViewIfNeeded();
    const url = page.url();
    const scrollTop = await page.evaluate(() => scrollY);
    expect(scrollTop).toBeGreaterThan(0);
    await row.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} 022`);
    await page
      .getByRole("navigation", { name: t("common:breadcrumb") })
      .getByRole("link", { name: t("users:title") })
      .click();
    await expect(page).toHaveURL(url);
    await expect(page.locator("tbody tr")).toHaveCount(23);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrollTop);

    await page.getByRole("link", { name: t("common:list.clearSearch") }).click();
    await expect(page.getByRole("searchbox")).toBeFocused();
    await expect(page).toHaveURL(`${LIST}?sort=name&direction=asc`);
  });
}

for (const language of ANY_LANGUAGE) {
  test(`users are found, selected and changed without JavaScript (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { word } = await aCrowd(gatehouse, 3);
    const { page, user: self } = await signedIn(
      { role: "admin", name: `${word} self` },
      { locale: language, javaScriptEnabled: false },
    );
    await page.goto(LIST);

    await page.getByRole("searchbox").fill(word);
    await page.getByRole("button", { name: t("common:list.submit") }).click();
    await expect(page.locator("tbody tr")).toHaveCount(4);
    const own = page.locator("tbody tr").filter({ hasText: self.name });
    await expect(own.getByText(t("common:you"), { exact: true })).toBeVisible();
    await expect(own.getByRole("checkbox")).toHaveCount(0);
    for (const name of [`${word} 001`, `${word} 002`]) {
      await page.getByRole("checkbox", { name: t("common:selection.choose", { name }) }).check();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(t("users:bulk.banTextAny"));
    await confirmButton(question).click();
    await expect(report(page)).toContainText(t("users:bulk.banned", { count: 2 }));
    await expect(page).toHaveURL(new RegExp(`searchTerm=${word}`));
    await page.getByRole("link", { name: t("common:selection.dismiss") }).click();
    await expect(report(page)).toBeHidden();
    await expect(page.locator("tbody tr")).toHaveCount(4);

    const email = newEmail(word);
    await page.getByRole("link", { name: t("users:new") }).click();
    await page.getByRole("textbox", { name: t("users:name") }).fill(`${word} new`);
    await page.getByRole("button", { name: t("users:create") }).click();
    await expect(
      page.getByRole("alert").filter({ hasText: t("validation:email.required") }),
    ).toBeVisible();
    await page.getByRole("textbox", { name: t("users:email") }).fill(email);
    await page.getByRole("button", { name: t("users:create") }).click();
    await expect(page.getByRole("heading", { name: `${word} new` })).toBeVisible();

    await page.goto(`${LIST}?searchTerm=${email}`);
    await page.getByRole("link", { name: `${word} new`, exact: true }).click();
    await page.getByRole("link", { name: t("common:actions.edit") }).click();
    await page.getByRole("textbox", { name: t("users:name") }).fill(`${word} renamed`);
    await page.getByRole("button", { name: t("users:save") }).click();
    await expect(page.getByRole("heading", { name: `${word} renamed` })).toBeVisible();
    await openUserMenu(page, t("common:list.actions"));
    await page.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    await confirmButton(question).click();
    await expect(toast(page, t("users:toast.banned"))).toBeVisible();
    await openUserMenu(page, t("common:list.actions"));
    await page.getByRole("button", { name: t("common:actions.delete") }).click();
    await confirmButton(question).click();
    await expect(page).toHaveURL(LIST);
    await expect(toast(page, t("users:toast.deleted"))).toBeVisible();
  });
}

test("many users are changed at once, and stay chosen when the network is lost", async ({
  page,
  gatehouse,
}) => {
  const { search, word } = await aCrowd(gatehouse, 60);
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(`${search}&pages=3`);
  await hydrated(page);
  const goOn = Promise.withResolvers<void>();
  await page.route(
    "**/manager/users.data*",
    async (route) => {
      await goOn.promise;
      return route.abort();
    },
    { times: 1 },
  );
  const bar = page.getByRole("form", { name: "Selected rows" });

  await page.getByRole("checkbox", { name: "Select all shown" }).filter({ visible: true }).check();
  await expect(bar).toContainText("60 selected");
  await bar.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("listitem")).toHaveCount(6);
  await expect(question.getByRole("listitem").last()).toHaveText("and 55 more");
  const confirm = confirmButton(question);
  await expect(confirm).toBeDisabled();
  await question.getByLabel("Type 60 to confirm").fill("60");
  await confirm.click();
  await expect(bar).toContainText("Changing the selected rows…");
  goOn.resolve();

  await expect(report(page)).toContainText(translationsIn("en")("common:selection.broken"));
  await expect(bar).toContainText("60 selected");
  await bar.getByRole("button", { name: "Delete" }).click();
  await question.getByLabel("Type 60 to confirm").fill("60");
  await confirm.click();
  await expect(report(page)).toContainText("60 deleted:");
  await expect(page.getByText(`No results for "${word}"`)).toBeVisible();
});

test("the manager's own row offers no change", async ({ signedIn }) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({ role: "admin" });
  await page.goto(`${LIST}?searchTerm=${encodeURIComponent(user.email)}`);
  await hydrated(page);

  const name = t("common:list.rowActions", { name: user.name });
  await page.getByRole("link", { name }).click();

  const menu = page.getByRole("group", { name });
  await expect(menu.getByRole("link", { name: t("common:actions.edit") })).toBeVisible();
  await expect(menu.getByRole("button", { name: t("users:ban.title") })).toHaveCount(0);
  await expect(menu.getByRole("button", { name: t("common:actions.delete") })).toHaveCount(0);
});

test("Enter in a checkbox submits nothing", async ({ page, gatehouse }) => {
  const { search } = await aCrowd(gatehouse, 1);
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(search);
  await hydrated(page);

  await page.locator('tbody input[type="checkbox"]').check();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("form", { name: "Selected rows" })).toBeVisible();
  await page.reload();
  await expect(page.locator("tbody tr")).toContainText("Active");
});
