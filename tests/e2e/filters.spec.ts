import type { Page } from "@playwright/test";
import { formatsOf } from "../../app/i18n/formats.ts";
import { LANGUAGE_COOKIE } from "../../app/i18n/languages.ts";
import { isolate } from "../../app/ui/isolate.ts";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { ANY_LANGUAGE, matrix } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

/** Opens the filter of the day on which users were created. */
async function openCreated(page: Page, label = "Created"): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${label}`) }).click();
}

/** Returns the button of a date filter, by its text. */
function dayButton(page: Page, label: string, text: string) {
  return page.getByRole("button", { name: new RegExp(`^${label}\\s?: ${text}$`) });
}

for (const language of ANY_LANGUAGE) {
  test(`a day is picked from a calendar in the product's language, not the browser's (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page, context } = await signedIn(
      { role: "admin" },
      { locale: language === "en" ? "de" : "en" },
    );
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: gatehouse.origin }]);
    await page.goto(LIST);
    await hydrated(page);
    const today = new Date();
    const from = t("common:list.from");

    await openCreated(page, t("users:created"));
    await dayButton(page, from, t("common:list.any")).click();
    const grid = page.getByRole("grid");
    await expect(grid.getByRole("button").filter({ visible: true }).first()).toBeVisible();
    await expect(page.getByRole("table")).toHaveCSS("direction", language === "ar" ? "rtl" : "ltr");
    await grid.locator(":focus").press("Enter");

    await expect(page).toHaveURL(new RegExp(`from=${today.toISOString().slice(0, 10)}`));
    const picked = dayButton(page, from, formatsOf(language).day(today));
    await expect(picked).toBeFocused();
    await picked.click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("common:datePicker.clear"), exact: true })
      .click();
    await expect(page).toHaveURL(/[?&]from=(&|$)/);
    await expect(dayButton(page, from, t("common:list.any"))).toBeFocused();
  });
}

test("a typed day filters once it is complete, never with a part of the year", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto(LIST);
  await hydrated(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith(LIST)) asked.push(searchParams.get("from") ?? "");
  });
  await openCreated(page);
  await dayButton(page, "From", "Any").click();
  const panel = page.getByRole("dialog", { name: "Pick a date" });
  const typed = panel.getByRole("textbox");

  await typed.fill("");
  await typed.pressSequentially("0202-03-10");
  await expect(typed).toHaveAttribute("aria-invalid", "true");
  await expect(panel.getByRole("alert")).toContainText("Enter a date between 2000-01-01 and");
  await typed.press("Enter");
  await expect(typed).toHaveValue("0202-03-10");
  await typed.fill("");
  await typed.pressSequentially("2025/03/10");

  await expect(page).toHaveURL(/from=2025-03-10/);
  await expect(dayButton(page, "From", "10 Mar 2025")).toBeFocused();
  expect(asked).toEqual(["2025-03-10"]);
});

test("a calendar that loads late leaves the focus in the date field", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const code = Promise.withResolvers<void>();
  await page.route("**/calendar-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto(LIST);
  await hydrated(page);
  await openCreated(page);
  await dayButton(page, "From", "Any").click();
  const typed = page.getByRole("dialog", { name: "Pick a date" }).getByRole("textbox");
  await typed.pressSequentially("2025-");

  code.resolve();
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(typed).toBeFocused();
  await page.keyboard.type("03-10");

  await expect(page).toHaveURL(/from=2025-03-10/);
});

test("changing the calendar's month sends no request", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto(LIST);
  await hydrated(page);
  const url = page.url();
  await openCreated(page);
  await dayButton(page, "From", "Any").click();

  await page.getByRole("combobox", { name: "Year" }).selectOption("2025");

  await expect(page.getByRole("grid", { name: /2025/ })).toBeVisible();
  expect(page.url()).toBe(url);
});

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`the first filter shifts nothing on the page (${language}, ${size})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES[size] });
    await page.goto(LIST);
    await hydrated(page);
    const list = page.getByRole("table");
    const before = (await list.boundingBox())?.y ?? Number.NaN;

    if (size === "phone") {
      await page.getByRole("button", { name: t("common:list.filters") }).click();
    }
    await page.getByRole("button", { name: t("users:role"), exact: true }).click();
    await page.getByRole("link", { name: t("users:roles.admin"), exact: true }).click();
    await expect(page).toHaveURL(/role=admin/);

    const clear = page.getByRole("link", { name: t("common:list.clearFilters") });
    await expect(clear).toBeAttached();
    // Chip and field round their heights to different parts of a pixel.
    expect((await list.boundingBox())?.y).toBeCloseTo(before, 0);
    await clear.click();
    await expect(page).toHaveURL(/\/manager\/users$/);
    await expect(clear).toBeHidden();
  });
}

for (const language of ANY_LANGUAGE) {
  test(`days are filtered with the browser's own fields without JavaScript (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, javaScriptEnabled: false },
    );
    await page.goto(LIST);
    await openCreated(page, t("users:created"));
    const days = page
      .getByRole("form", { name: t("common:list.days.custom") })
      .filter({ visible: true });
    await days.getByLabel(t("common:list.from"), { exact: true }).fill("2025-03-10");
    await days.getByRole("button", { name: t("common:list.apply") }).click();

    await expect(page).toHaveURL(/from=2025-03-10/);
    await expect(
      page.getByRole("link", { name: new RegExp(t("users:created")) }).first(),
    ).toBeVisible();
  });
}

for (const { language, javaScriptEnabled } of matrix(
  { language: ["en", "ar"], javaScriptEnabled: [true, false] },
  1,
)) {
  test(`a list is saved as a view, opened and deleted (${language}, JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin", language },
      { javaScriptEnabled, viewport: language === "ar" ? SIZES.phone : SIZES.desktop },
    );
    await page.goto(`${LIST}?status=banned`);
    if (javaScriptEnabled) await hydrated(page);
    const views = page.getByRole("button", { name: t("common:views.title"), exact: true });

    await views.click();
    await page.getByLabel(t("common:views.name")).fill("Blocked people");
    await page.getByRole("button", { name: t("common:views.save") }).click();

    await expect(toast(page, t("common:views.saved", { name: "Blocked people" }))).toBeVisible();
    await page.goto(LIST);
    if (javaScriptEnabled) await hydrated(page);
    await views.click();
    await page.getByRole("link", { name: "Blocked people" }).click();
    await expect(page).toHaveURL(`${LIST}?status=banned`);

    await views.click();
    const link = page.getByRole("link", { name: "Blocked people" });
    await expect(link).toHaveAttribute("aria-current", "true");
    await page
      .getByRole("button", { name: t("common:views.delete", { name: isolate("Blocked people") }) })
      .click();
    await expect(toast(page, t("common:views.deleted"))).toBeVisible();
    await views.click();
    await expect(link).toHaveCount(0);
  });
}
