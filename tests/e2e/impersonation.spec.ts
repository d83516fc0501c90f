import type { Locator, Page } from "@playwright/test";
import { confirmButton, expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { shiftsOf } from "../support/layout.ts";
import { matrix } from "../support/matrix.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const MINUTE_MS = 60_000;

for (const { language, size, javaScriptEnabled } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    javaScriptEnabled: [true, false],
  },
  0,
)) {
  test(`a manager impersonates a user and returns (${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { name: "Mona", role: "admin" },
      {
        locale: language,
        viewport: SIZES[size],
        javaScriptEnabled,
      },
    );
    const person = await aUser(gatehouse, { name: "Zuri" });
    await page.goto(`/manager/users/${person.id}`);
    if (javaScriptEnabled) await hydrated(page);

    const drawer = page.getByRole("alertdialog");
    const reason = drawer.getByRole("textbox", { name: t("users:impersonate.reason") });
    const confirm = confirmButton(drawer);
    await page.getByRole("button", { name: t("users:impersonate.title") }).click();
    await confirm.click();
    await expect(drawer.getByRole("alert")).toHaveText(t("validation:reason.required"));
    await expect(reason).toHaveAccessibleDescription(new RegExp(t("validation:reason.required")));
    if (javaScriptEnabled) await expect(reason).toBeFocused();
    await reason.fill("Their list does not load");
    await confirm.click();

    await expect(page).toHaveURL("/app");
    const banner = page.getByRole("region", { name: t("common:impersonation.label") });
    await expect(banner.getByRole("status")).toHaveText(
      isolated(t("common:impersonation.notice", { manager: "Mona", name: "Zuri" })),
    );
    await expect(banner).toContainText(t("common:impersonation.minutesLeft", { count: 60 }));
    expect(await isAbove(banner, page.getByRole("main"))).toBe(true);

    await page
      .getByRole("link", { name: t("app:organizations.title") })
      .first()
      .click();
    await expect(page).toHaveURL("/app/organizations");
    await expect(banner).toBeInViewport();
    const response = await page.goto("/manager");
    expect(response?.status()).toBe(403);
    await expect(banner).toBeInViewport();
    await expect(page.getByText(t("common:impersonation.closed"))).toBeVisible();
    if (javaScriptEnabled) await hydrated(page);

    await banner.getByRole("button", { name: t("common:impersonation.stop") }).click();
    await expect(page).toHaveURL(`/manager/users/${person.id}`);
    await expect(toast(page, t("common:impersonation.ended")).first()).toBeVisible();
    await expect(banner).toHaveCount(0);
    await expect(page.getByText(t("events:user.impersonation_stopped"))).toBeVisible();
  });
}

test("the banner appears in the manager's other tabs, and disappears there too", async ({
  context,
  page,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { name: "Mona", role: "admin" });
  const other = await context.newPage();
  await other.goto("/app");
  await hydrated(other);
  await impersonate(page, person.id);

  const banner = other.getByRole("region", { name: "Impersonation" });
  await expect(banner).toContainText(isolated("Mona is impersonating Zuri."));
  await expect(other.getByRole("heading", { name: /Zuri/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(banner).toHaveCount(0);
  await expect(other.getByRole("heading", { name: /Mona/ })).toBeVisible();
});

test("the minutes count down, and at the end of the hour the page returns to the manager's session", async ({
  context,
  page,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { name: "Mona", role: "admin" });
  await page.clock.install();
  await impersonate(page, person.id);
  const banner = page.getByRole("region", { name: "Impersonation" });
  await expect(banner).toContainText("60 minutes left");

  await page.clock.fastForward(59 * MINUTE_MS);
  await expect(banner).toContainText("1 minute left");
  await gatehouse.d1
    .prepare("UPDATE session SET expires_at = 1 WHERE user_id = ?")
    .bind(person.id)
    .run();
  await page.clock.fastForward(MINUTE_MS);

  await expect(page).toHaveURL(`/manager/users/${person.id}`);
  await expect(banner).toHaveCount(0);
});

test("every closed control of the account screen is disabled, with a reason", async ({
  context,
  page,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { name: "Mona", role: "admin" });
  await impersonate(page, person.id);
  await page.goto("/app/account");
  await hydrated(page);

  await expect(
    page.getByRole("status").filter({ hasText: "Changes are turned off." }),
  ).toBeVisible();
  for (const name of [
    "Change picture",
    "Change name",
    "Change email",
    "Add a passkey",
    "Sign out everywhere, including this device",
    "Download your data",
    "Delete account",
  ]) {
    await expect(page.getByRole("main").getByRole("button", { name, exact: true })).toBeDisabled();
  }
});

test("a toast does not cover the banner's Stop", async ({ context, page, gatehouse }) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { name: "Mona", role: "admin" });
  await impersonate(page, person.id);
  await page.goto("/app/account/data");
  await hydrated(page);
  const message = page.getByRole("region").getByText("This is not available while impersonating");
  await expect(message).toBeVisible();
  const banner = page.getByRole("region", { name: "Impersonation" });
  expect(await isAbove(banner, message)).toBe(true);
  expect(await isAbove(page.getByRole("banner"), message)).toBe(true);
});

test("on a closed page the banner begins where the page does", async ({ signedIn, gatehouse }) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await impersonate(page, person.id);
  await page.goto("/manager");
  const starts = await Promise.all(
    [".impersonation > svg", "main svg"].map((drawing) =>
      page.locator(drawing).first().boundingBox(),
    ),
  );
  const [banner = 0, logo = -1] = starts.map((box) => box?.x);
  expect(Math.abs(banner - logo)).toBeLessThanOrEqual(2);
});

test("the banner does not shift the page while it loads", async ({ context, page, gatehouse }) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  await signInAs(gatehouse, context, { name: "Mona", role: "admin" });
  await impersonate(page, person.id);
  await page.goto("/app");
  await hydrated(page);
  await page.getByRole("button", { name: "Stop" }).waitFor();

  expect(await shiftsOf(page)).toEqual([]);
  const { scrollHeight, innerHeight } = await page.evaluate(() => ({
    scrollHeight: document.documentElement.scrollHeight,
    innerHeight: window.innerHeight,
  }));
  expect(scrollHeight).toBe(innerHeight);
});

async function impersonate(page: Page, userId: string): Promise<void> {
  await page.goto(`/manager/users/${userId}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Impersonate" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Their list does not load");
  await confirmButton(page.getByRole("alertdialog")).click();
  await expect(page).toHaveURL("/app");
}

/** Matches a text whose names may have direction marks around them. */
function isolated(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(escaped.replace(/Mona|Zuri/g, "\u2068?$&\u2069?"));
}

/** True when one element ends above the other. */
async function isAbove(one: Locator, other: Locator): Promise<boolean> {
  const [first, second] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (!first || !second) throw new Error("One of the elements is not visible");
  return first.y + first.height <= second.y;
}
