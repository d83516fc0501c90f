import { formatLocaleOf } from "../../app/i18n/languages.ts";
import {
  confirmButton,
  expect,
  hydrated,
  openUserMenu,
  SIZES,
  signInAs,
  test,
} from "../support/e2e.ts";
import { ANY_LANGUAGE, matrix } from "../support/matrix.ts";
import { aUser, type Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const DAY_MS = 86_400_000;
const MAX_STEPS = 40;

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`a ban's last day is picked with the keyboard, and typed (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES[size] });
    const person = await aUser(gatehouse, { name: "Zuri" });
    await page.goto(`/manager/users/${person.id}`);
    await hydrated(page);
    const drawer = page.getByRole("alertdialog");
    await openUserMenu(page, t("common:list.actions"));
    await page.getByRole("button", { name: t("users:ban.title") }).click();
    const pick = drawer.getByRole("button", { name: t("common:datePicker.pick") });
    await expect(pick).toBeHidden();
    await drawer.getByLabel(t("users:ban.duration")).selectOption("date");

    await pick.press("Enter");
    const grid = page.getByRole("grid");
    await expect(grid).toBeInViewport({ ratio: 1 });
    const calendar = page.getByRole("dialog", { name: t("common:datePicker.pick") });
    const title = calendar.getByText(t("users:ban.until"));
    // A phone says above the calendar what the day is for, and closes it by a button too.
    await expect(title).toBeVisible({ visible: size === "phone" });
    if (size === "phone") {
      await calendar.getByRole("button", { name: t("common:actions.close") }).click();
      await expect(grid).toBeHidden();
      await expect(pick).toBeFocused();
      await pick.press("Enter");
    }
    const tomorrow = dayButtonName(language, 1);
    await expect(grid.getByRole("button", { name: tomorrow })).toBeFocused();
    const today = grid.getByRole("button", { name: dayButtonName(language, 0) });
    if ((await today.count()) > 0) await expect(today).toBeDisabled();
    // The arrow key towards the end of the line: left in Arabic.
    for (let step = 0; step < 2; step++) {
      await page.keyboard.press(language === "ar" ? "ArrowLeft" : "ArrowRight");
    }
    await page.keyboard.press("ArrowDown");
    await expect(grid.getByRole("button", { name: dayButtonName(language, 10) })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(grid).toBeHidden();
    const picked = drawer.getByRole("button", { name: longDay(language, 10) });
    await expect(picked).toBeFocused();

    // The field for typing holds the picked day, and takes another.
    await picked.press("Enter");
    const typed = calendar.getByRole("textbox", { name: t("common:datePicker.type") });
    await expect(typed).toHaveValue(dayIn(10));
    await typed.fill(dayIn(11));
    await expect(grid).toBeHidden();
    await expect(drawer.getByRole("button", { name: longDay(language, 11) })).toBeFocused();
    await confirmButton(drawer).click();

    await expect(page.getByRole("button", { name: t("users:ban.unban") })).toBeVisible();
    const row = await gatehouse.d1
      .prepare("SELECT ban_expires FROM user WHERE id = ?")
      .bind(person.id)
      .first<Person>();
    expect(row?.ban_expires).toBe(Date.parse(`${dayIn(11)}T23:59:59.999Z`));
  });
}

test("a ban's typed reason stays while the proof of identity grows old, and is sent", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" });
  const person = await aUser(gatehouse, { name: "Juma" });
  const drawer = page.getByRole("alertdialog");
  const reason = drawer.getByLabel(t("users:ban.reason"));
  const confirm = confirmButton(drawer);
  async function openBan() {
    await openUserMenu(page);
    await page.getByRole("button", { name: t("users:ban.title") }).click();
    await expect(drawer).toBeVisible();
  }
  await page.clock.install();
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);

  await openBan();
  await reason.fill("Sends spam");
  await page.clock.fastForward(12 * 60_000);
  await expect(reason).toHaveValue("Sends spam");
  await confirm.click();
  await expect(page.getByRole("button", { name: t("users:ban.unban") })).toBeVisible();
  const row = await gatehouse.d1
    .prepare("SELECT ban_reason FROM user WHERE id = ?")
    .bind(person.id)
    .first<Person>();
  expect(row?.ban_reason).toBe("Sends spam");
});

for (const language of ANY_LANGUAGE) {
  test(`a ban until a day is set without JavaScript, and the input is kept (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, javaScriptEnabled: false },
    );
    const person = await aUser(gatehouse, { name: "Zuri" });
    await page.goto(`/manager/users/${person.id}`);
    const drawer = page.getByRole("alertdialog");
    const confirm = confirmButton(drawer);
    const day = drawer.getByLabel(t("users:ban.until"));
    await openUserMenu(page, t("common:list.actions"));
    await page.getByRole("button", { name: t("users:ban.title") }).click();
    await drawer.getByRole("textbox", { name: t("users:ban.reason") }).fill("Spam");
    await drawer.getByLabel(t("users:ban.duration")).selectOption("date");
    await day.fill("2020-01-01");
    await confirm.click();

    await expect(day).toHaveValue("2020-01-01");
    await expect(drawer.getByRole("textbox", { name: t("users:ban.reason") })).toHaveValue("Spam");
    await expect(drawer.getByRole("alert").filter({ hasText: /\d/ })).toBeVisible();
    await day.fill(dayIn(10));
    await confirm.click();

    await expect(page.getByRole("button", { name: t("users:ban.unban") })).toBeVisible();
  });
}

test("the calendar covers tomorrow's month to the month in five years", async ({
  context,
  page,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);
  await openUserMenu(page);
  await page.getByRole("button", { name: "Ban" }).click();
  await page.getByLabel("Duration").selectOption("date");
  const pick = page.getByRole("button", { name: "Pick a date" });
  await pick.click();
  const next = page.getByRole("button", { name: "Next month" });
  const [field, calendar] = [await pick.boundingBox(), await page.getByRole("grid").boundingBox()];
  // Beside the question, which stays readable.
  expect(calendar?.x).toBeGreaterThan((field?.x ?? 0) + (field?.width ?? 0));
  await expect(page.getByRole("button", { name: "Previous month" })).toBeDisabled();

  const years = page.getByRole("combobox", { name: "Year" });
  const options = await years.getByRole("option").allTextContents();
  expect(options).toHaveLength(6);
  await years.selectOption(options.at(-1) ?? "");
  for (let step = 0; step < MAX_STEPS && (await next.isEnabled()); step++) await next.click();
  const end = new Date();
  end.setUTCFullYear(end.getUTCFullYear() + 5);
  const lastDay = page.getByRole("button", { name: fullDay("en", end) });
  await expect(lastDay).toBeEnabled();
  await expect(next).toBeDisabled();

  await page.keyboard.press("Escape");
  await expect(page.getByRole("grid")).toBeHidden();
  await expect(page.getByRole("button", { name: "Pick a date" })).toBeFocused();
});

test("when the calendar's script fails, the browser's own date field replaces it", async ({
  context,
  page,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { role: "admin" });
  await page.route("**/calendar-*.js", (route) => route.abort());
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);
  await openUserMenu(page);
  await page.getByRole("button", { name: "Ban" }).click();
  await page.getByLabel("Duration").selectOption("date");
  await page.getByRole("button", { name: "Pick a date" }).click();
  await page.getByRole("dialog").getByLabel("Pick a date").fill(dayIn(10));

  await expect(page.getByRole("button", { name: longDay("en", 10) })).toBeVisible();
});

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

function dayButtonName(language: "en" | "ar", days: number): string {
  return fullDay(language, new Date(Date.now() + days * DAY_MS));
}

function fullDay(language: "en" | "ar", date: Date): string {
  return write(language, date, "full");
}

function longDay(language: "en" | "ar", days: number): string {
  return write(language, new Date(Date.now() + days * DAY_MS), "long");
}

function write(language: "en" | "ar", date: Date, dateStyle: "full" | "long"): string {
  return new Intl.DateTimeFormat(formatLocaleOf(language), { dateStyle, timeZone: "UTC" }).format(
    date,
  );
}

test("a question keeps the focus, makes the page behind inert, and says for how long it bans", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" });
  const person = await aUser(gatehouse, { name: "Juma" });
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);
  await openUserMenu(page);
  await page.getByRole("button", { name: "Ban", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Ban for 7 days" })).toBeVisible();
  await question.getByLabel("Duration").selectOption("forever");
  await expect(question.getByRole("button", { name: "Ban permanently" })).toBeVisible();

  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press("Tab");
    const isOutside = await question.evaluate(
      (drawer) =>
        document.activeElement !== document.body && !drawer.contains(document.activeElement),
    );
    expect([press, isOutside]).toEqual([press, false]);
  }
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(page.getByRole("button", { name: "Actions", exact: true })).toBeFocused();
});
