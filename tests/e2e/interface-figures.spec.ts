import { navigationIn, screensIn } from "../../app/features/access/navigation.ts";
import { PARTS } from "../../app/features/organizations/organization-parts.ts";
import { confirmButton, expect, holdData, hydrated, SIZES, test } from "../support/e2e.ts";
import { inTurn } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

/** The four parts of the core just fit on a phone. */
const NARROW = PARTS.length > 4 ? SIZES.phone : { width: 240, height: 640 };

/** Links of features in the navigation, and beside the list. */
const OF_FEATURES = [...screensIn("manager"), ...navigationIn("users")];
/** The core's own stops before the first row. */
const OF_CORE = 19;

for (const language of ["en", "ar"] as const) {
  test(`on a narrow screen an arrow says on which side more parts follow (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { locale: language, viewport: NARROW });
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    const { slug } = organization;
    const parts = page.getByRole("navigation", {
      name: translationsIn(language)("organizations:nav.label"),
      exact: true,
    });
    const list = parts.getByRole("list");
    const isArrowShown = (side: "::before" | "::after") =>
      list.evaluate((ul, side) => getComputedStyle(ul, side).content !== "none", side);

    await page.goto(`/app/organizations/${slug}`);
    await hydrated(page);
    await expect.poll(() => isArrowShown("::after")).toBe(true);
    expect(await isArrowShown("::before")).toBe(false);

    await page.goto(`/app/organizations/${slug}/settings`);
    await hydrated(page);
    await expect.poll(() => isArrowShown("::after")).toBe(false);
    expect(await isArrowShown("::before")).toBe(true);
  });
}

test("Tab reaches every link and button of navigation, header and toolbar in reading order", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto(LIST);
  await hydrated(page);
  const before = await page.evaluate(() => {
    const rows = document.querySelector("tbody");
    return [...document.querySelectorAll<HTMLElement>("a[href], button, input, summary")]
      .filter((element) => element.checkVisibility())
      .filter((element) => rows && element.compareDocumentPosition(rows) === 4)
      .map((element) => ({
        area: element.closest("nav, header, main")?.localName,
        html: element.outerHTML,
      }));
  });

  const reached: (string | undefined)[] = [];
  for (const _ of before) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement?.outerHTML));
  }

  expect(before.length).toBeGreaterThanOrEqual(OF_CORE + OF_FEATURES.length);
  for (const { to } of OF_FEATURES) {
    expect(before.filter(({ html }) => html.includes(`href="${to}"`))).toHaveLength(1);
  }
  expect(before.map(({ area }) => area)).toEqual(expect.arrayContaining(["nav", "header", "main"]));
  expect(reached).toEqual(before.map(({ html }) => html));
});

test("the skip link leads to the list: at most twenty Tabs before its first row", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto(LIST);
  await hydrated(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");

  let tabs = 0;
  do {
    await page.keyboard.press("Tab");
    tabs += 1;
  } while (tabs < 40 && !(await page.locator("tbody :focus").count()));

  expect(tabs).toBeLessThanOrEqual(20);
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
  await confirmButton(question).click();

  await expect
    .poll(() =>
      gatehouse.d1
        .prepare("SELECT ban_expires - unixepoch() * 1000 AS rest FROM user WHERE id = ?")
        .bind(user.id)
        .first<number>("rest"),
    )
    .toBeGreaterThan(6 * 86_400_000);
});

for (const viewport of inTurn([SIZES.desktop, SIZES.phone], 1)) {
  test(`a link shows the next list's outline at once, where its rows will be (${viewport.width} px)`, async ({
    signedIn,
  }) => {
    const t = translationsIn("en");
    const { page } = await signedIn({ role: "admin" }, { viewport });
    await page.goto("/manager/dashboard");
    await hydrated(page);
    const dashboard = page.getByRole("heading", { name: t("manager:dashboard.title") });
    const answer = await holdData(page, "/manager/users");

    if (viewport === SIZES.phone) {
      await page.getByRole("button", { name: t("manager:sidebar.open") }).click();
    }
    await page
      .getByRole("navigation", { name: t("manager:navigation") })
      .getByRole("link", { name: t("manager:users") })
      .click();

    const title = page.locator("#main h1").filter({ hasText: t("manager:users"), visible: true });
    const line = page.locator("#main .frame-line").first();
    await expect(title).toBeVisible();
    await expect(dashboard).toBeHidden();
    const outline = { title: await title.boundingBox(), line: await line.boundingBox() };

    answer();
    const row = page.locator("tbody > tr").first();
    await expect(row).toBeVisible();
    await expect(line).toHaveCount(0);
    expect((await title.boundingBox())?.y).toBe(outline.title?.y);
    const box = await row.boundingBox();
    expect(Math.abs((box?.y ?? 0) - (outline.line?.y ?? 0))).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.height ?? 0) - (outline.line?.height ?? 0))).toBeLessThanOrEqual(2);
  });
}
