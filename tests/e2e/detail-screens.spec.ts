import type { Locator } from "@playwright/test";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { EACH_DIRECTION, matrix } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

for (const language of EACH_DIRECTION) {
  test(`on a phone the first event of a user begins on the first screen (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport: SIZES.phone });
    const email = newEmail("etienne.thevenet");
    const { id } = await aUser(gatehouse, {
      name: "Étienne Thévenet",
      email,
      language,
      last_seen_at: Date.now(),
    });

    await page.goto(`/manager/users/${id}`);
    await hydrated(page);
    const event = page.getByRole("main").getByText(t("events:user.created"), { exact: true });
    const { y = 0, height = 0 } = (await event.boundingBox()) ?? {};

    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(SIZES.phone.height);
  });
}

for (const { language, size } of matrix({ language: ["en", "ar"], size: ["desktop", "phone"] })) {
  test(`an e-mail is one line with the copy button, and an ID is whole (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const viewport = SIZES[size];
    const { page } = await signedIn({ role: "admin" }, { locale: language, viewport });
    const email = newEmail("etienne.thevenet");
    const { id } = await aUser(gatehouse, { email, language });

    await page.goto(`/manager/users/${id}`);
    const facts = page.getByRole("region", { name: t("users:detail.about") });
    const boxOf = async (of: Locator) =>
      (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const text = await boxOf(facts.getByText(email, { exact: true }).locator(".."));
    const copy = await boxOf(facts.getByRole("button", { name: t("users:detail.copyEmail") }));
    const [term, definition] = [facts.getByRole("term"), facts.getByRole("definition")];
    const idRow = await boxOf(definition.first());
    const shownId = facts.getByText(id, { exact: true });
    const languageRow = await boxOf(definition.nth(1));

    expect(text.height).toBeCloseTo(languageRow.height, 0);
    const gap = language === "ar" ? text.x - copy.x - copy.width : copy.x - text.x - text.width;
    expect(gap).toBeCloseTo(4, 0);
    expect(await shownId.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    // A phone has no line of its width.
    if (size === "desktop") expect(idRow.height).toBeCloseTo(languageRow.height, 0);
    else expect(await baselineOf(shownId)).toBeCloseTo(await baselineOf(term.first()), 0);
  });
}

test("on a phone a member's name keeps its room beside the role, and states stand below", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("fr");
  const { page } = await signedIn({ role: "admin" }, { locale: "fr", viewport: SIZES.phone });
  const name = "Wolfeschlegelsteinhausenbergerdorff";
  const member = await aUser(gatehouse, { name, banned: 1, deletion_due_at: Date.now() });
  const { organization } = await anOrganization(gatehouse, {}, { members: [member] });

  await page.goto(`/manager/organizations/${organization.id}`);
  await hydrated(page);
  const link = page.getByRole("link", { name: new RegExp(`^${name}`) });
  const shown = await link.getByText(name, { exact: true }).boundingBox();
  const state = link.getByText(t("manager-organizations:member.deletion"), { exact: true });
  const [below, row] = [await state.boundingBox(), await link.boundingBox()];

  expect(shown?.width).toBeGreaterThanOrEqual(100);
  expect(below?.y).toBeGreaterThanOrEqual((shown?.y ?? 0) + (shown?.height ?? 0));
  expect((below?.x ?? 0) + (below?.width ?? 0)).toBeLessThanOrEqual(
    (row?.x ?? 0) + (row?.width ?? 0),
  );
});

test("on a phone a permission names its roles, in place of a column for each", async ({
  signedIn,
}) => {
  const t = translationsIn("fr");
  const { page } = await signedIn({ role: "admin" }, { locale: "fr", viewport: SIZES.phone });
  await page.goto("/manager/settings/roles");
  const table = page.getByRole("region", { name: t("settings:roles.title") });
  const list = table.getByRole("row", { name: t("settings:roles.permissions.user.list") });
  const roles = `${t("users:roles.admin")}, ${t("users:roles.support")} et ${t("users:roles.auditor")}`;

  await expect(list).toContainText(roles);
  await expect(table.getByRole("cell")).toHaveCount(0);
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

  await page.setViewportSize(SIZES.desktop);
  await expect(list.getByRole("cell")).toHaveText([
    t("settings:roles.allowed"),
    t("settings:roles.allowed"),
    t("settings:roles.allowed"),
    `–${t("settings:roles.notAllowed")}`,
  ]);
  await expect(list.getByText(roles)).toBeHidden();
});

test("two linked accounts at one provider stay two lines when another account is gone", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" });
  const { id } = await aUser(gatehouse);
  const link = (provider: string, email: string) =>
    gatehouse.d1
      .prepare(
        `INSERT INTO account (id, account_id, provider_id, user_id, email, created_at, updated_at)
         VALUES (?1, ?1, ?2, ?3, ?4, 1, 1)`,
      )
      .bind(crypto.randomUUID(), provider, id, email)
      .run();
  await link("google", "ada@google.example");
  await link("github", "ada@work.example");
  await link("github", "ada@home.example");
  await page.goto(`/manager/users/${id}`);
  await hydrated(page);
  const facts = page.getByRole("region", { name: t("users:detail.about") });
  const accounts = facts.getByRole("listitem").filter({ hasText: "ada@" });
  await expect(accounts).toHaveText([/ada@google/, /ada@work/, /ada@home/]);

  await gatehouse.d1.prepare("DELETE FROM account WHERE provider_id = 'google'").run();
  await page.getByRole("link", { name: t("users:detail.sessions") }).click();

  await expect(accounts).toHaveText([/ada@work/, /ada@home/]);
});

/** Returns where the letters of the first line stand. */
function baselineOf(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const mark = document.createElement("span");
    mark.style.display = "inline-block";
    element.insertBefore(mark, element.firstChild);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return bottom;
  });
}
