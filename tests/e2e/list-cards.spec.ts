import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

for (const language of EACH_DIRECTION) {
  test(`on a phone a card of any state shows its date, and its whole name or e-mail (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const word = `${process.pid}${language}`;
    await aUser(gatehouse, { name: `${word} out`, banned: 1, created_at: 1_000 });
    const email = `${word}.new@example.com`;
    await aUser(gatehouse, { name: "", email, onboarded_at: null });
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES.phone });
    await page.goto(`${LIST}?searchTerm=${word}&sort=created&direction=asc`);
    await hydrated(page);

    const rows = page.locator("tbody > tr");
    const [banned, nameless] = [rows.first(), rows.nth(1)];
    for (const row of [banned, nameless]) {
      await expect(row.locator("time").first()).toBeVisible();
    }
    await expect(banned.getByText(t("users:statuses.banned"), { exact: true })).toBeVisible();
    await expect(nameless.getByText(t("users:statuses.not-onboarded")).first()).toBeVisible();
    for (const text of [banned.getByText(`${word} out`), nameless.getByText(email)]) {
      expect(await text.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    }
  });
}

test("on a phone the box of a card does not cover the first letter of its name", async ({
  signedIn,
  gatehouse,
}) => {
  await aUser(gatehouse, { name: "First letter" });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone, hasTouch: true });
  await page.goto(LIST);
  await hydrated(page);

  const link = page.locator("tbody > tr").first().getByRole("link").first();
  const { height = 0 } = (await link.boundingBox()) ?? {};
  await link.tap({ position: { x: 1, y: height / 2 } });
  await expect(page).toHaveURL(/\/manager\/users\/[\w-]+$/);
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
  await expect(order.getByRole("link", { name: t("users:email") })).toBeHidden();
  const other = page.getByRole("columnheader", { name: t("users:status") });
  expect((await other.boundingBox())?.height).toBeLessThanOrEqual(1);
  const rows = page.locator("tbody > tr");
  const mark = rows.getByText(t("users:roles.admin"), { exact: true }).filter({ visible: true });
  await expect(mark).toHaveCount(1);

  await page.getByRole("checkbox", { name: t("common:selection.all") }).check();
  await expect(page.locator('input[name="id"]:checked')).toHaveCount(2);
});

test("on a phone a card shows the date that its list is in the order of", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `dated${process.pid}`;
  const [created, seen] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 2, 7)];
  await aUser(gatehouse, { name: word, created_at: created, last_seen_at: seen });
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  const times = page.locator("tbody > tr").first().locator("time").filter({ visible: true });

  await page.goto(`${LIST}?searchTerm=${word}&sort=created&direction=desc`);
  await expect(times).toHaveAttribute("datetime", new Date(created).toISOString());

  await page.goto(`${LIST}?searchTerm=${word}&sort=seen&direction=desc`);
  await expect(times).toHaveAttribute("datetime", new Date(seen).toISOString().slice(0, 10));
});
