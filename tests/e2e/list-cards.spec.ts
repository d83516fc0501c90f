import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { insertRows } from "../support/insert.ts";
import { middleOf } from "../support/layout.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser } from "../support/people.ts";
import { aRepository } from "../support/repositories.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

test("on a phone a card's e-mail has a line of its own, and the usual state is only read aloud", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `card${process.pid}`;
  const email = `${word}.abdi@example.com`;
  await aUser(gatehouse, { name: word, email, last_seen_at: Date.now() });
  await aUser(gatehouse, { name: `${word} new`, onboarded_at: null, last_seen_at: Date.now() });
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  await page.goto(`${LIST}?searchTerm=${word}&sort=name&direction=asc`);
  await hydrated(page);
  const [usual, unusual] = [0, 1].map((row) => page.locator("tbody > tr").nth(row));
  if (!usual || !unusual) throw new Error("There are two rows");

  const shown = usual.getByText(email);
  expect(await shown.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  const state = usual.getByRole("cell", { name: t("users:statuses.active") });
  await expect(state).toHaveCount(1);
  expect((await state.boundingBox())?.width).toBeLessThanOrEqual(1);
  await expect(usual.locator("time").last()).toBeVisible();
  await expect(unusual.getByText(t("users:statuses.not-onboarded"))).toBeVisible();
  await expect(unusual.locator("time").last()).toBeVisible();
});

for (const language of LANGUAGES) {
  test(`on a phone a card of any state shows its date, and its whole name or e-mail (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = `${language}${process.pid}`;
    await aUser(gatehouse, { name: `${word} out`, banned: 1 });
    const email = `${word}.new@example.com`;
    await aUser(gatehouse, { name: "", email, onboarded_at: null });
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES.phone });
    await page.goto(`${LIST}?searchTerm=${word}&sort=created&direction=asc`);
    await hydrated(page);

    const rows = page.locator("tbody > tr");
    const [banned, nameless] = [rows.first(), rows.nth(1)];
    for (const row of [banned, nameless]) {
      expect((await row.boundingBox())?.height).toBeLessThanOrEqual(76);
      await expect(row.locator("time").first()).toBeVisible();
    }
    await expect(banned.getByText(t("users:statuses.banned"), { exact: true })).toBeVisible();
    await expect(nameless.getByText(t("users:statuses.not-onboarded")).first()).toBeVisible();
    for (const text of [banned.getByText(`${word} out`), nameless.getByText(email)]) {
      expect(await text.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    }
  });
}

test("on a phone a request's e-mail is whole, and its box, button and menu are in the middle of its card", async ({
  signedIn,
  gatehouse,
}) => {
  const email = `a.long.request.from${process.pid}@subdomain.example.com`;
  await insertRows(gatehouse.d1, "waiting_list", [
    { id: crypto.randomUUID(), email, language: "en", state: "waiting", created_at: Date.now() },
  ]);
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  await page.goto("/manager/settings/waiting-list");
  await hydrated(page);

  const row = page.locator("tbody > tr").filter({ hasText: email });
  const text = row.getByText(email);
  expect(await text.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  const middle = await middleOf(row);
  for (const control of [
    row.getByRole("button", { name: t("settings:waiting.approve") }),
    row.getByRole("checkbox"),
    row.locator("[data-row]"),
  ]) {
    expect(Math.abs((await middleOf(control)) - middle)).toBeLessThanOrEqual(1);
  }
  const order = page.getByRole("columnheader", { name: t("settings:waiting.asked") });
  await expect(order).toHaveAttribute("aria-sort", "ascending");
});

test("on a phone the names of cards without a picture begin where the label of the box for all does", async ({
  signedIn,
  gatehouse,
}) => {
  await aRepository(gatehouse);
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone, hasTouch: true });
  await page.goto("/manager/repositories");
  await hydrated(page);

  const label = await page.getByText(t("common:selection.all"), { exact: true }).boundingBox();
  const link = page.locator("tbody > tr").first().getByRole("link").first();
  const name = await link.boundingBox();
  if (!label || !name) throw new Error("The label or the name is not shown");
  expect(Math.abs(name.x - label.x)).toBeLessThanOrEqual(1);

  // The box beside it does not cover its first letter.
  await link.tap({ position: { x: 1, y: name.height / 2 } });
  await expect(page).toHaveURL(/\/manager\/repositories\/[\w-]+$/);
});

test("on a phone a card's picture stands between its box and its name", async ({
  signedIn,
  gatehouse,
}) => {
  await aUser(gatehouse);
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone, hasTouch: true });
  await page.goto(LIST);
  await hydrated(page);

  const row = page
    .locator("tbody > tr")
    .filter({ has: page.getByRole("checkbox") })
    .first();
  const edges = await row.evaluate((element) =>
    ["input", ".avatar", ".list-link > bdi"].map((selector) => {
      const part = element.querySelector(selector);
      if (!part) throw new Error(`The row has no ${selector}`);
      const { left, right } = part.getBoundingClientRect();
      return { left, right };
    }),
  );
  const [box, picture, name] = edges;
  expect(box?.right).toBeLessThanOrEqual(picture?.left ?? 0);
  expect(picture?.right).toBeLessThanOrEqual(name?.left ?? 0);
});

test("on a phone cards without boxes begin at once", async ({ signedIn, gatehouse }) => {
  await aRepository(gatehouse);
  const { page } = await signedIn({}, { viewport: SIZES.phone });
  await page.goto("/app/repositories");
  await hydrated(page);

  const list = await page.getByRole("table").boundingBox();
  const card = await page.locator("tbody > tr").first().boundingBox();
  expect((card?.y ?? 0) - (list?.y ?? 0)).toBeLessThanOrEqual(1);
});

test("on a phone the one date on an organization's card has its name above the cards", async ({
  signedIn,
  gatehouse,
}) => {
  await anOrganization(gatehouse);
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  const heightOf = async (label: string) =>
    (await page.getByRole("columnheader", { name: label, exact: true }).boundingBox())?.height;
  for (const [sort, shown, hidden] of [
    ["created", "created", "activity"],
    ["activity", "activity", "created"],
    ["name", "activity", "created"],
  ] as const) {
    await page.goto(`/manager/organizations?sort=${sort}&direction=asc`);

    expect(await heightOf(t(`manager-organizations:${shown}`))).toBeGreaterThan(20);
    expect(await heightOf(t(`manager-organizations:${hidden}`))).toBeLessThanOrEqual(1);
    expect(await heightOf(t("manager-organizations:name"))).toBeLessThanOrEqual(1);
  }
});

test("on a phone the cards have a head with their order and the box for all, and admins a mark", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `headed${process.pid}`;
  await aUser(gatehouse, { name: `${word} a`, role: "admin" });
  await aUser(gatehouse, { name: `${word} b` });
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  await page.goto(`${LIST}?searchTerm=${word}&sort=name&direction=asc`);
  await hydrated(page);

  const order = page.getByRole("columnheader", { name: t("users:name") });
  expect((await order.boundingBox())?.height).toBeGreaterThan(20);
  const other = page.getByRole("columnheader", { name: t("users:email") });
  expect((await other.boundingBox())?.height).toBeLessThanOrEqual(1);
  const rows = page.locator("tbody > tr");
  await expect(rows.first().locator(".list-mark")).toContainText(t("users:roles.admin"));
  await expect(rows.first().locator(".list-mark svg")).toBeVisible();
  await expect(rows.nth(1).locator(".list-mark")).toHaveCount(0);

  await page.getByRole("checkbox", { name: t("common:selection.all") }).check();
  await expect(page.locator('input[name="id"]:checked')).toHaveCount(2);
});

test("on a phone a card shows the date that its list is in the order of", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `dated${process.pid}`;
  await aUser(gatehouse, { name: word, last_seen_at: Date.now() });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  const times = page.locator("tbody > tr").first().locator("time");

  await page.goto(`${LIST}?searchTerm=${word}&sort=created&direction=desc`);
  await expect(times.first()).toBeVisible();
  await expect(times.last()).toBeHidden();

  await page.goto(`${LIST}?searchTerm=${word}&sort=seen&direction=desc`);
  await expect(times.first()).toBeHidden();
  await expect(times.last()).toBeVisible();
});
