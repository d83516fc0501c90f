import {
  confirmButton,
  expect,
  hydrated,
  SIZES,
  signInAs,
  test,
  toast,
} from "../../../../tests/support/e2e.ts";
import { ANY_LANGUAGE, matrix } from "../../../../tests/support/matrix.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, newName } from "./repositories.ts";

const LIST = "/manager/repositories";
let shelves = 0;

/** Makes repositories that one search finds: "shelf3 001" and so on. */
async function aShelf(gatehouse: Gatehouse, count: number): Promise<string> {
  shelves += 1;
  const word = `shelf${shelves}x${process.pid}`;
  for (let index = 1; index <= count; index++) {
    await aRepository(gatehouse, { name: `${word} ${String(index).padStart(3, "0")}` });
  }
  return word;
}

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  0,
)) {
  const t = translationsIn(language);

  test(`repositories are searched, loaded, selected and deleted together (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = await aShelf(gatehouse, 22);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES[size] });
    await page.goto(`${LIST}?sort=name&direction=desc`);
    await hydrated(page);

    await page.getByRole("searchbox").fill(word);
    await expect(page.getByRole("status").filter({ hasText: word })).toBeVisible();
    if (size === "desktop") {
      await page.getByRole("link", { name: t("repositories:name") }).click();
      await expect(page.locator("tbody tr").first()).toContainText(`${word} 001`);
      await expect(
        page.getByRole("columnheader", { name: t("repositories:name") }),
      ).toHaveAttribute("aria-sort", "ascending");
    }
    await page.getByRole("link", { name: t("common:list.loadMore") }).click();
    await expect(page.locator("tbody tr")).toHaveCount(22);
    await expect(page.locator("tbody tr").nth(20).getByRole("link").first()).toBeFocused();
    await expect(page.getByRole("link", { name: t("common:list.export") })).toHaveAttribute(
      "href",
      new RegExp(`repositories/export\\?.*searchTerm=${word}`),
    );

    for (const index of [0, 2]) {
      await page.locator('tbody input[type="checkbox"]').nth(index).check();
    }
    const bar = page.getByRole("form", { name: t("common:selection.label") });
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(t("repositories:bulk.deleteText", { count: 2 }));
    await confirmButton(question).click();
    const report = page.locator('section[role="status"]');
    await expect(report).toContainText(t("repositories:bulk.deleted", { count: 2 }));
    await expect(page.locator("tbody tr")).toHaveCount(20);
    await report.getByRole("button", { name: t("common:actions.undo") }).click();
    await expect(report).toContainText(t("repositories:bulk.restored", { count: 2 }));
    await expect(report).toBeFocused();
    const rows = page.locator("tbody").getByRole("link", { name: new RegExp(`^${word} 00[13]`) });
    await expect(rows).toHaveCount(2);

    await page.getByRole("searchbox").fill(`${word} nothing`);
    await expect(page.getByRole("status").filter({ hasText: `${word} nothing` })).toBeVisible();
    await expect(page.getByRole("table")).toBeHidden();
    await page
      .getByRole("link", { name: t("common:list.clearSearch") })
      .first()
      .click();
    await expect(page.getByRole("table")).toBeVisible();
    await expect(page.getByRole("searchbox")).toHaveValue("");
  });

  test(`a repository is deleted from its row's menu (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = await aShelf(gatehouse, 2);
    const name = `${word} 001`;
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES[size] });
    await page.goto(`${LIST}?searchTerm=${word}`);
    await hydrated(page);
    const label = t("common:list.rowActions", { name });

    await page.getByRole("link", { name: label }).click();
    const menu = page.getByRole("group", { name: label });
    await expect(menu.getByRole("link")).toHaveText([
      t("common:list.open"),
      t("common:actions.edit"),
    ]);
    await menu.getByRole("button", { name: t("common:actions.delete") }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(t("repositories:bulk.deleteText", { count: 1 }));
    await confirmButton(question).click();

    await expect(page.locator('section[role="status"]')).toContainText(
      t("repositories:bulk.deleted", { count: 1 }),
    );
    await expect(page.locator("tbody tr")).toHaveCount(1);
    await expect(page.locator("tbody tr")).toContainText(`${word} 002`);
  });

  test(`users browse repositories and return to the list (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = await aShelf(gatehouse, 21);
    const { page } = await signedIn({}, { locale: language, viewport: SIZES[size] });
    await page.goto(`/app/repositories?searchTerm=${word}&sort=name&direction=asc`);
    await hydrated(page);

    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await page.getByRole("link", { name: t("common:list.loadMore") }).click();
    const last = page.getByRole("link", { name: `${word} 021` });
    await expect(last).toBeFocused();
    const url = page.url();
    await last.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word} 021`);
    // A reload keeps everything.
    await page.reload();
    await hydrated(page);
    const back =
      size === "phone"
        ? page.getByRole("link", { name: t("common:actions.back") })
        : page.locator("main nav").getByRole("link", { name: t("repositories:title") });
    await expect(back).toHaveAttribute("href", new RegExp(`searchTerm=${word}.*pages=2`));
    await back.click();
    await expect(page).toHaveURL(url);
    await expect(page.locator("tbody tr")).toHaveCount(21);
  });
}

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);

  test(`repositories are created, changed, deleted and restored without JavaScript (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = await aShelf(gatehouse, 2);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, javaScriptEnabled: false },
    );
    const question = page.getByRole("alertdialog");
    const confirm = confirmButton(question);

    await page.goto(`${LIST}/new`);
    await page.getByRole("textbox", { name: t("repositories:name") }).fill(`${word} new`);
    await page.getByRole("textbox", { name: t("repositories:link") }).fill("nodot");
    await page.getByRole("button", { name: t("repositories:create") }).click();
    await expect(
      page.getByRole("alert").filter({ hasText: t("validation:link.dot") }),
    ).toBeVisible();
    await page.getByRole("textbox", { name: t("repositories:link") }).fill("git.example/x");
    await page.getByRole("button", { name: t("repositories:create") }).click();
    await expect(page.getByRole("heading", { name: `${word} new` })).toBeVisible();
    await page.getByRole("link", { name: t("common:actions.edit") }).click();
    await page.getByRole("textbox", { name: t("repositories:name") }).fill(`${word} renamed`);
    await page.getByRole("button", { name: t("repositories:save") }).click();
    await expect(page.getByRole("heading", { name: `${word} renamed` })).toBeVisible();

    await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
    await page.getByRole("button", { name: t("common:actions.delete") }).click();
    await confirm.click();
    await expect(toast(page, t("repositories:toast.deleted"))).toBeVisible();
    await page.getByRole("button", { name: t("common:actions.undo") }).click();
    await expect(page.getByRole("heading", { name: `${word} renamed` })).toBeVisible();

    await page.goto(LIST);
    await page.getByRole("searchbox").fill(word);
    await page.getByRole("button", { name: t("common:list.submit") }).click();
    await expect(page.locator("tbody tr")).toHaveCount(3);
    for (const name of [`${word} 001`, `${word} renamed`]) {
      await page.getByRole("checkbox", { name: t("common:selection.choose", { name }) }).check();
    }
    await page
      .getByRole("form", { name: t("common:selection.label") })
      .getByRole("button", { name: t("common:actions.delete") })
      .click();
    await expect(question).toContainText(t("repositories:bulk.deleteTextAny"));
    await confirm.click();
    await expect(page.locator('section[role="status"]')).toContainText(
      t("repositories:bulk.deleted", { count: 2 }),
    );
    await expect(page.locator("tbody tr")).toHaveCount(1);
    await page.getByRole("button", { name: t("common:actions.undo") }).click();
    await expect(page.locator('section[role="status"]')).toContainText(
      t("repositories:bulk.restored", { count: 2 }),
    );
    await expect(page.locator("tbody tr")).toHaveCount(3);
  });
}

test("a message about the typed name replaces the previous error", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const { name } = await aRepository(gatehouse);
  await page.goto("/manager/repositories/new");
  await hydrated(page);
  await page.getByRole("main").getByRole("button").first().click();
  await expect(page.getByText("Name is required")).toBeVisible();

  await page.getByLabel("Name").fill(name);

  await expect(page.getByText("Name already used")).toBeVisible();
  await expect(page.getByText("Name is required")).toBeHidden();
  await page.getByLabel("Name").fill(newName("free"));
  await expect(page.getByText("Name already used")).toBeHidden();
});
