import { aCrowd } from "../support/crowd.ts";
import { expect, holdData, hydrated, SIZES, signInAs, test } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

test("while another search loads, bars replace the texts and nothing shifts", async ({
  page,
  gatehouse,
}) => {
  const { search, word } = await aCrowd(gatehouse, 5);
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(search);
  await hydrated(page);
  const answer = await holdData(page, "/manager/users");
  const table = page.getByRole("table");
  const all = page.getByRole("checkbox", { name: "Select all shown" });
  await expect(all).toBeVisible();
  const before = await table.boundingBox();

  await page.getByRole("searchbox").fill(`${word} 00`);
  await expect(table).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("link", { name: `${word} 001`, exact: true })).toBeHidden();
  await expect(all).toBeHidden();
  expect(await table.boundingBox()).toEqual(before);

  answer();
  await expect(page.getByRole("link", { name: `${word} 001`, exact: true })).toBeVisible();
  await expect(table).not.toHaveAttribute("aria-busy", "true");
});

test("a slow next page leaves the focus in a menu that was opened meanwhile", async ({
  page,
  gatehouse,
}) => {
  const { search } = await aCrowd(gatehouse, 30);
  await signInAs(gatehouse, page.context(), { role: "admin" });
  await page.goto(search);
  await hydrated(page);
  const answer = await holdData(page, "/manager/users");

  await page.getByRole("link", { name: "Load more" }).click();
  await page.getByRole("button", { name: "20 per page" }).press("Enter");
  const choice = page.getByRole("link", { name: "20 per page" });
  await expect(choice).toBeFocused();

  answer();
  await expect(page.locator("tbody tr")).toHaveCount(30);
  await expect(choice).toBeFocused();
});

test("on a phone the outline of a row without a box is as wide as those of the others", async ({
  newContext,
  gatehouse,
}) => {
  await aCrowd(gatehouse, 2);
  const context = await newContext({ viewport: SIZES.phone });
  await signInAs(gatehouse, context, { role: "admin" });
  const page = await context.newPage();
  await page.goto(LIST);
  await hydrated(page);
  const answer = await holdData(page, "/manager/users");

  await page.getByRole("searchbox").fill("a");
  await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "true");
  // The outline stands in the label of a row's box, or in its first cell when it has no box.
  const widths = await page.getByRole("row").evaluateAll((rows) =>
    rows
      .map((row) => row.querySelector("[role=cell]"))
      .filter((cell) => cell !== null)
      .map((cell) => getComputedStyle(cell.querySelector("label") ?? cell, "::before").width),
  );
  expect(widths.length).toBeGreaterThan(2);
  expect(new Set(widths).size).toBe(1);
  answer();
});

for (const locale of ANY_LANGUAGE) {
  test(`while a list with numbers loads, each bar stays within its cell (${locale})`, async ({
    newContext,
    gatehouse,
  }) => {
    await anOrganization(gatehouse);
    const context = await newContext({ locale, viewport: SIZES.desktop });
    await signInAs(gatehouse, context, { role: "admin" });
    const page = await context.newPage();
    await page.goto("/manager/organizations");
    await hydrated(page);
    const answer = await holdData(page, "/manager/organizations");

    await page.getByRole("searchbox").fill("a");
    await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "true");
    const rooms = await page.getByRole("cell").evaluateAll((cells) =>
      cells
        .map((cell) => getComputedStyle(cell, "::before"))
        .filter(({ content }) => content !== "none")
        .map(({ left, right }) => Math.min(Number.parseFloat(left), Number.parseFloat(right))),
    );
    expect(rooms.length).toBeGreaterThan(3);
    expect(Math.min(...rooms)).toBeGreaterThanOrEqual(0);
    answer();
  });
}

for (const language of ANY_LANGUAGE) {
  test(`a list that cannot be loaded shows an error, and Retry loads it (${language})`, async ({
    newContext,
    newGatehouse,
    expectProblem,
  }) => {
    expectProblem("500 /manager/users.data");
    const t = translationsIn(language);
    const gatehouse = await newGatehouse({});
    gatehouse.expectErrors("request.failed");
    const context = await newContext({ baseURL: gatehouse.origin, locale: language });
    const page = await context.newPage();
    await signInAs(gatehouse, context, { role: "admin" });
    const { name } = await aUser(gatehouse, { name: "Zuri Mwangi" });
    await page.goto(LIST);
    await hydrated(page);
    await gatehouse.d1.exec("ALTER TABLE user_search RENAME TO elsewhere");

    await page.getByRole("searchbox").fill(name);
    const alert = page.getByRole("alert").filter({ hasText: t("common:errors.failed") });
    await expect(alert).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("users:title"));
    await expect(page.getByRole("searchbox")).toHaveValue(name);
    await gatehouse.d1.exec("ALTER TABLE elsewhere RENAME TO user_search");
    await page.getByRole("link", { name: t("common:actions.retry") }).click();
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
    await expect(alert).toBeHidden();
  });
}
