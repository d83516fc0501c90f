import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
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
