import type { Locator, Page } from "@playwright/test";
import { formatsOf } from "../../app/i18n/formats.ts";
import { formatLocaleOf, LANGUAGE_COOKIE } from "../../app/i18n/languages.ts";
import { isolate } from "../../app/ui/text/isolate.ts";
import { findViolations } from "../support/axe.ts";
import { expect, holdData, hydrated, SIZES, signInAs, test } from "../support/e2e.ts";
import { cutTexts } from "../support/layout.ts";
import { ANY_LANGUAGE, matrix } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

/** Opens the panel of all filters. */
async function openFilters(page: Page, label = "Filters"): Promise<void> {
  await page.getByRole("button", { name: label, exact: true }).click();
}

/** Opens the calendar of the day on which users were created: its button shows the range, or "Custom range". */
async function openCalendar(
  page: Page,
  text = "Custom range",
  label = "Created",
): Promise<Locator> {
  await page.getByRole("group", { name: label }).getByRole("button", { name: text }).click();
  return page.getByRole("dialog").filter({ visible: true }).last();
}

for (const { language, size } of matrix(
  { language: ["en", "ar"], size: ["desktop", "phone"] },
  1,
)) {
  test(`a range is picked from a calendar in the product's language, not the browser's (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page, context } = await signedIn(
      { role: "admin" },
      { locale: language === "en" ? "de" : "en", viewport: SIZES[size] },
    );
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: gatehouse.origin }]);
    await page.goto(`${LIST}?from=2025-03-10&to=2025-03-10`);
    await hydrated(page);
    const { day, shortDay } = formatsOf(language);
    const from = (text: string) => new RegExp(`[?&]from=${text}(&|$)`);
    const range = (first: string, last: string) =>
      t("common:list.days.between", {
        from: isolate(shortDay(new Date(first))),
        to: isolate(day(new Date(last))),
      });

    const filters = page.getByRole("button", { name: t("common:list.filters"), exact: true });
    await filters.click();
    const created = t("users:created");
    const calendar = await openCalendar(page, isolate(day(new Date("2025-03-10"))), created);
    const grid = calendar.getByRole("grid");
    await expect(grid).toHaveAttribute("aria-multiselectable", "true");
    await expect(grid.locator(":focus")).toBeVisible();
    await expect(grid).toHaveCSS("direction", language === "ar" ? "rtl" : "ltr");
    await grid.getByRole("button", { name: fullDay(language, "2025-03-12") }).click();
    await grid.getByRole("button", { name: fullDay(language, "2025-03-05") }).click();
    await expect(grid.locator('[aria-selected="true"]')).toHaveCount(8);
    expect(await findViolations(page)).toEqual([]);
    expect(await cutTexts(page)).toEqual([]);
    await expect(page).toHaveURL(from("2025-03-10"));
    await calendar.getByRole("button", { name: t("common:list.apply") }).click();

    await expect(page).toHaveURL(/[?&]from=2025-03-05&to=2025-03-12$/);
    const chosen = range("2025-03-05", "2025-03-12");
    await expect(page.getByRole("link", { name: chosen })).toBeVisible();
    await expect(filters).toBeFocused();
    await filters.click();
    await openCalendar(page, chosen, created);
    await calendar.getByRole("button", { name: t("common:datePicker.clear") }).click();
    await expect(page).toHaveURL(from(""));
  });
}

test("typed days filter only when they are applied, never with a part of the year", async ({
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
    const days = `${searchParams.get("from") ?? ""} ${searchParams.get("to") ?? ""}`;
    if (pathname.startsWith(LIST)) asked.push(days);
  });
  await openFilters(page);
  const calendar = await openCalendar(page);
  const from = calendar.getByLabel("From");
  const to = calendar.getByLabel("To");

  await from.fill("");
  await from.pressSequentially("0202-03-10");
  await from.press("Enter");
  await expect(from).toHaveAttribute("aria-invalid", "true");
  await expect(calendar.getByRole("alert").first()).toContainText("between 2000-01-01 and");
  await expect(from).toHaveValue("0202-03-10");
  await from.fill("2025/03/10");
  await expect(from).not.toHaveAttribute("aria-invalid");
  await to.fill("2025-03-09");
  await calendar.getByRole("button", { name: "Apply" }).click();
  await expect(to).toHaveAttribute("aria-invalid", "true");
  await expect(to).toBeFocused();
  await expect(calendar.getByRole("alert").last()).toContainText("between 2025-03-10 and");
  await to.fill("");
  await to.press("Enter");

  await expect(page).toHaveURL(/[?&]from=2025-03-10&to=$/);
  await expect(page.getByRole("link", { name: /Created: .*From .*10 Mar 2025/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Filters" })).toBeFocused();
  expect(asked).toEqual(["2025-03-10 "]);
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
  await openFilters(page);
  const typed = (await openCalendar(page)).getByLabel("From");
  await typed.pressSequentially("2025-");

  code.resolve();
  await expect(page.getByRole("grid")).toBeVisible();
  await expect(typed).toBeFocused();
  await page.keyboard.type("03-10");
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL(/from=2025-03-10/);
});

test("a range can be typed when the calendar's script fails", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.route("**/calendar-*.js", (route) => route.abort());
  await page.goto(LIST);
  await hydrated(page);
  await openFilters(page);
  const calendar = await openCalendar(page);

  await calendar.getByLabel("To").fill("2025-03-10");
  await calendar.getByRole("button", { name: "Apply" }).click();

  await expect(page).toHaveURL(/from=&to=2025-03-10/);
  await expect(page.getByRole("link", { name: /Created: .*Until .*10 Mar 2025/ })).toBeVisible();
});

test("changing the calendar's month sends no request", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto(LIST);
  await hydrated(page);
  const url = page.url();
  await openFilters(page);
  await openCalendar(page);

  await page.getByRole("combobox", { name: "Year" }).selectOption("2025");

  await expect(page.getByRole("grid", { name: /2025/ })).toBeVisible();
  expect(page.url()).toBe(url);
});

for (const language of ANY_LANGUAGE) {
  test(`filters are chosen in one panel, shown beside its button, and cleared (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language });
    await page.goto(LIST);
    await hydrated(page);
    // The panel is not part of the page before it opens.
    const status = page.getByRole("combobox", { name: t("users:status"), exact: true });
    await expect(status).toHaveCount(0);

    const filters = page.getByRole("button", { name: t("common:list.filters"), exact: true });
    await filters.click();
    await expect(status).toBeVisible();
    const admin = page.getByRole("link", { name: t("users:roles.admin"), exact: true });
    await admin.click();
    await expect(page).toHaveURL(/role=admin/);
    // The URL changes before the page does, so the next choice waits for what the page shows.
    await expect(admin).toHaveAttribute("aria-current", "true");
    const clear = page.getByRole("link", { name: t("common:list.clearFilters") });
    await expect(clear).toHaveCount(0);
    await status.selectOption("active");
    await expect(page).toHaveURL(/status=active/);
    await page.keyboard.press("Escape");
    await expect(filters).toBeFocused();
    await expect(clear).toBeVisible();

    const role = t("common:labelled", {
      label: t("users:role"),
      value: isolate(t("users:roles.admin")),
    });
    const chip = page.getByRole("link", { name: t("common:list.removeFilter", { name: role }) });
    await chip.click();
    await expect(page).not.toHaveURL(/role=/);
    await expect(chip).toHaveCount(0);
    await expect(filters).toBeFocused();
    await filters.click();
    await admin.click();
    await page.keyboard.press("Escape");
    await clear.click();
    await expect(page).toHaveURL(/\/manager\/users$/);
    await expect(clear).toBeHidden();
  });
}

test("a filter chosen while the one before still loads keeps it", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" });
  await page.goto(LIST);
  await hydrated(page);
  const answer = await holdData(page, LIST);
  await openFilters(page);
  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "true");
  await page.getByRole("combobox", { name: "Status", exact: true }).selectOption("active");

  answer();
  await expect(page).toHaveURL(/[?&]role=admin&status=active$/);
});

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
    await openFilters(page, t("common:list.filters"));
    const days = page
      .getByRole("group", { name: t("users:created") })
      .getByRole("form", { name: t("common:list.days.custom") });
    await days.getByLabel(t("common:list.from"), { exact: true }).fill("2025-03-10");
    await days.getByRole("button", { name: t("common:list.apply") }).click();

    await expect(page).toHaveURL(/from=2025-03-10/);
    await expect(
      page.getByRole("link", { name: new RegExp(t("users:created")) }).first(),
    ).toBeVisible();
  });
}

function fullDay(language: "en" | "ar", day: string): string {
  const format = new Intl.DateTimeFormat(formatLocaleOf(language), {
    dateStyle: "full",
    timeZone: "UTC",
  });
  return format.format(new Date(day));
}
