import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

for (const language of ["en", "ar"] as const) {
  test(`the first user is at most 232 px from the top, in a row of 44 px (${language})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES.desktop },
    );
    await page.goto(LIST);
    await hydrated(page);

    const row = await page.locator("tbody > tr").first().boundingBox();

    expect(row?.y).toBeLessThanOrEqual(232);
    expect(row?.height).toBeLessThanOrEqual(44);
  });

  test(`on a phone the first user is at most 240 px from the top, in a card of 76 px (${language})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES.phone });
    await page.goto(LIST);
    await hydrated(page);

    const card = await page.locator("tbody > tr").first().boundingBox();

    expect(card?.y).toBeLessThanOrEqual(240);
    expect(card?.height).toBeLessThanOrEqual(76);
  });
}

test("at most twelve Tabs lead from the top of the page to the first row", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto(LIST);
  await hydrated(page);

  let tabs = 0;
  do {
    await page.keyboard.press("Tab");
    tabs += 1;
  } while (tabs < 40 && !(await page.locator("tbody :focus").count()));

  expect(tabs).toBeLessThanOrEqual(12);
});

test("three clicks ban a user for seven days, from the list", async ({ signedIn, gatehouse }) => {
  const t = translationsIn("en");
  const user = await aUser(gatehouse, { name: "Ban Me" });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto(`${LIST}?searchTerm=${encodeURIComponent(user.email)}`);
  await hydrated(page);

  await page.getByRole("link", { name: t("common:list.rowActions", { name: user.name }) }).click();
  await page
    .getByRole("button", { name: t("users:ban.title"), exact: true })
    .first()
    .click();
  const question = page.getByRole("alertdialog").filter({ visible: true });
  await question.getByLabel(t("users:ban.reason")).fill("Spam");
  await question.getByRole("button", { name: t("common:actions.confirm") }).click();

  await expect
    .poll(() =>
      gatehouse.d1
        .prepare("SELECT ban_expires - unixepoch() * 1000 AS rest FROM user WHERE id = ?")
        .bind(user.id)
        .first<number>("rest"),
    )
    .toBeGreaterThan(6 * 86_400_000);
});

test("j and k go through the rows, x chooses one, Enter opens it", async ({
  signedIn,
  gatehouse,
}) => {
  const user = await aUser(gatehouse, { name: "Key Reader" });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto(`${LIST}?sort=created&direction=desc`);
  await hydrated(page);

  await page.keyboard.press("j");
  await expect(page.locator("tbody > tr").nth(0).locator(".list-link")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await expect(page.locator("tbody > tr").nth(0).getByRole("checkbox")).toBeChecked();
  await page.goto(`${LIST}?searchTerm=${encodeURIComponent(user.email)}`);
  await hydrated(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/manager/users/${user.id}`));
});

test("columns can be hidden, and a page can show fifty users, by plain links", async ({
  signedIn,
}) => {
  const { page } = await signedIn(
    { role: "admin" },
    { viewport: SIZES.desktop, javaScriptEnabled: false },
  );
  await page.goto(LIST);

  await page.getByRole("button", { name: "Columns" }).click();
  const columns = page.getByRole("group", { name: "Columns" });
  await columns.getByRole("link", { name: "Email", exact: true }).click();
  await expect(page).toHaveURL(/hide=email/);
  await expect(page.getByRole("columnheader", { name: "Email" })).toHaveCount(0);
});
