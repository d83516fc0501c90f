import { expect, SIZES, signInAs, test } from "../../../../tests/support/e2e.ts";
import { makeFound } from "../../../../tests/support/feature-tests.ts";
import { ANY_LANGUAGE, matrix } from "../../../../tests/support/matrix.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser, newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { screensIn } from "../../access/navigation.ts";
import { openWithPalette, paletteOn } from "./palette.ts";

const en = translationsIn("en");

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`a manager goes, finds and does everything from the palette (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      {
        locale: language,
        viewport: SIZES[size],
        colorScheme: "light",
      },
    );
    const person = await aUser(gatehouse, { name: "زينب Nandi", email: newEmail("nandi") });
    const { organization } = await anOrganization(gatehouse, { name: `بوابة ${process.pid}` });
    const things = await makeFound(gatehouse, `بوابة ${language} ${process.pid}`);
    const palette = await openWithPalette(page, "/manager/dashboard", t);

    await palette.button.click();
    await expect(palette.field).toBeFocused();
    await palette.choose(t("manager:activity"));
    await expect(page).toHaveURL("/manager/audit");
    await expect(page.getByRole("main")).toBeFocused();

    await page.keyboard.press("Control+K");
    await palette.choose(person.name, person.email);
    await expect(page).toHaveURL(`/manager/users/${person.id}`);

    await page.keyboard.press("Control+K");
    await palette.choose(organization.name, organization.slug);
    await expect(page).toHaveURL(`/manager/organizations/${organization.id}`);

    for (const { name, inManager } of things) {
      await page.keyboard.press("Control+K");
      await palette.choose(name);
      await expect(page).toHaveURL(inManager);
    }

    await page.keyboard.press("Control+K");
    await palette.choose(t("search:actions.newUser"));
    await expect(page).toHaveURL("/manager/users/new");

    await palette.button.click();
    await palette.choose(t("manager:toApp"));
    await expect(page).toHaveURL("/app");
    // The URL changes before the screen, and each area has a palette of its own.
    await expect(page.locator('a[href="/app/organizations"]').first()).toBeAttached();

    await expect(palette.button).toHaveAttribute("aria-keyshortcuts", /K/);
    await page.keyboard.press("Control+K");
    await palette.choose(t("app:organizations.title"));
    await expect(page).toHaveURL("/app/organizations");

    for (const { name, inApp } of things) {
      await page.keyboard.press("Control+K");
      await palette.choose(name);
      await expect(page).toHaveURL(inApp);
    }

    await page.keyboard.press("Control+K");
    await palette.choose(t("search:actions.signOut"));
    await expect(page).toHaveURL("/login");
  });
}

for (const language of ANY_LANGUAGE) {
  test(`on a phone the palette fills the screen and every line can be tapped (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      {},
      { locale: language, viewport: SIZES.phone, hasTouch: true },
    );
    const palette = await openWithPalette(page, "/app", t);

    await palette.button.tap();

    await expect(palette.field).toBeFocused();
    await expect
      .poll(() => palette.dialog.boundingBox())
      .toEqual({ x: 0, y: 0, width: SIZES.phone.width, height: SIZES.phone.height });
    for (const line of await page.getByRole("option").all()) {
      expect((await line.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await expect(palette.option(t("search:shortcuts.title"))).toHaveCount(0);
    await page.getByRole("button", { name: t("common:actions.close") }).tap();
    await expect(palette.dialog).toBeHidden();
    await expect(palette.button).toBeFocused();
  });
}

test("keys move through the lines, run them and close; the focus returns", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const palette = await openWithPalette(page, "/manager/users");
  const link = page.getByRole("navigation").getByRole("link", { name: "Activity" });
  await link.focus();

  await page.keyboard.press("Control+K");
  await expect(palette.field).toBeFocused();
  await expect(palette.option("Dashboard")).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("ArrowDown");
  await expect(palette.option("Users")).toHaveAttribute("data-highlighted", "");
  await expect(palette.field).toHaveAttribute(
    "aria-activedescendant",
    (await palette.option("Users").getAttribute("id")) ?? "an id",
  );
  await page.keyboard.press("Escape");
  await expect(palette.dialog).toBeHidden();
  await expect(link).toBeFocused();

  await page.keyboard.press("Control+K");
  await expect(palette.dialog).toBeVisible();
  await page.keyboard.press("Control+K");
  await expect(palette.dialog).toBeHidden();
  await expect(link).toBeFocused();

  await page.keyboard.press("Control+K");
  await expect(palette.field).toBeFocused();
  await page.keyboard.type("mail");
  await expect(palette.option("Emails").first()).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/manager/mail");
  await expect(palette.dialog).toBeHidden();
});

test("the palette opens over a menu, which closes", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context);
  const palette = await openWithPalette(page, "/app");
  const menu = page.getByRole("button", { name: "Your account" });
  await menu.click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();

  await page.keyboard.press("Control+K");

  await expect(palette.field).toBeFocused();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
});

test("users without access to the manager area see neither users nor its screens", async ({
  context,
  page,
  gatehouse,
}) => {
  await aUser(gatehouse, { name: "Quagga Person" });
  const things = await makeFound(gatehouse, `quagga ${process.pid}`);
  await signInAs(gatehouse, context);
  const palette = await openWithPalette(page, "/app");

  await palette.button.click();
  await expect(palette.option("Organizations")).toBeVisible();
  const ofFeatures = screensIn("actions").map(({ label }) => en(label));
  for (const name of ["New user", ...ofFeatures, "Back-office"]) {
    await expect(palette.option(name)).toBeHidden();
  }
  await palette.field.fill("brand");
  await expect(page.getByText("No results for").first()).toBeVisible();
  await palette.field.fill("quagga");
  for (const { name } of things) await expect(palette.option(name)).toBeVisible();
  const told = things.length > 0 ? `${things.length} result` : "No results for";
  await expect(page.getByText(told).first()).toBeVisible();
  await expect(palette.option("Quagga Person")).toBeHidden();
});

test("a late result is dropped, and a search without results says so", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const person = await aUser(gatehouse, { name: "Okapi Person" });
  const palette = await openWithPalette(page, "/manager/dashboard");
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isAsked = false;
  await page.route("**/_server/record-search?*", async (route) => {
    if (!route.request().url().includes("okapi")) return route.continue();
    isAsked = true;
    await held;
    await route.continue().catch(() => {});
  });

  await palette.button.click();
  await palette.field.fill("okapi");
  await expect(page.getByRole("status").getByText("Searching…")).toBeVisible();
  await expect.poll(() => isAsked).toBe(true);
  await palette.field.fill("no such thing");
  await expect(page.getByText("No results for").first()).toBeVisible();
  letGo();
  await palette.field.fill("");
  await expect(palette.option("Dashboard")).toBeVisible();
  await expect(palette.option(person.name)).toBeHidden();
});

test("without JavaScript there is no button for it", async ({ signedIn }) => {
  const { page } = await signedIn({}, { javaScriptEnabled: false });
  await page.goto("/app");

  await expect(page.getByRole("button", { name: "Language and theme" })).toBeVisible();
  await expect(paletteOn(page).button).toBeHidden();
});

test("each screen is listed in the palette once, and a cut list says so", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const word = `many ${process.pid}`;
  for (let index = 0; index < 6; index++) await aUser(gatehouse, { name: `${word}-${index}` });
  const palette = await openWithPalette(page, "/manager/dashboard");
  await palette.button.click();
  await expect(palette.option("Account")).toHaveCount(1);

  await palette.field.fill(word);

  await expect(page.getByRole("option")).toHaveCount(6);
  await expect(
    page.getByRole("status").getByText("First 5 results. Type more to narrow them down."),
  ).toBeVisible();
  await palette.field.fill(`${word}-3`);
  await expect(page.getByRole("status").getByText("1 result", { exact: true })).toBeVisible();

  await palette.field.fill(word);
  await palette.option("See all 6 results").click();
  const search = new URLSearchParams({ searchTerm: word });
  await expect(page).toHaveURL(`/manager/users?${search}`);
});

test("the palette offers the records that were opened from it first", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const person = await aUser(gatehouse, { name: "Pangolin Person" });
  const palette = await openWithPalette(page, "/manager/dashboard");
  const recent = page.getByRole("group", { name: en("search:groups.recent") });

  await palette.button.click();
  await expect(palette.option("Dashboard")).toBeVisible();
  await expect(recent).toBeHidden();
  await palette.choose(person.name);
  await expect(page).toHaveURL(`/manager/users/${person.id}`);
  await palette.button.click();

  await expect(recent.getByRole("option", { name: person.name })).toHaveAttribute(
    "data-highlighted",
    "",
  );
});

/**
 * Words that a person may type, by language: for a page of the settings, and in the app for a new
 * organization.
 */
const TYPED = {
  en: ["logo", "organization"],
  fr: ["logo", "organisation"],
  ar: ["الشعار", "مؤسسة"],
  sw: ["nembo", "shirika"],
} as const;

for (const language of ["en", "fr", "ar", "sw"] as const) {
  const t = translationsIn(language);
  const [look, organization] = TYPED[language];

  test(`words for a page of the settings find it in both areas, and the app offers a new organization (${language})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { locale: language });
    for (const area of ["/app", "/manager/dashboard"]) {
      const palette = await openWithPalette(page, area, t);
      await palette.button.click();
      await palette.choose(t("search:pages.brand"), look);
      await expect(page).toHaveURL("/manager/settings/brand");
    }

    const palette = await openWithPalette(page, "/app", t);
    await palette.button.click();
    await palette.choose(t("search:actions.newOrganization"), organization);
    await expect(page).toHaveURL("/app/organizations/new");
  });
}

test("on a user's page the palette offers what can be done to them", async ({
  signedIn,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Tamarin Person" });
  const { page } = await signedIn({ role: "admin" });
  const palette = await openWithPalette(page, `/manager/users/${person.id}`);

  await palette.button.click();
  await palette.choose("Ban Tamarin Person", "ban");
  await expect(page.getByRole("alertdialog", { name: "Ban" })).toBeVisible();
  await page.keyboard.press("Escape");

  await palette.button.click();
  await palette.choose("Edit Tamarin Person", "edit");
  await expect(page).toHaveURL(`/manager/users/${person.id}/update`);
});

test("in the back-office of an auditor the palette offers no change to a user", async ({
  signedIn,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Civet Person" });
  const { page } = await signedIn({ role: "auditor" });
  const palette = await openWithPalette(page, `/manager/users/${person.id}`);

  await palette.button.click();
  await expect(palette.option("Dashboard")).toBeVisible();
  await expect(palette.option("Ban Civet Person")).toBeHidden();
  await expect(palette.option("Edit Civet Person")).toBeHidden();
});
