import { expect, SIZES, test } from "../../../../tests/support/e2e.ts";
import { middleOf } from "../../../../tests/support/layout.ts";
import { matrix } from "../../../../tests/support/matrix.ts";
import { expectFormOf, openPart } from "../../../../tests/support/organization-parts.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

for (const { language, size, hasScript } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    hasScript: [true, false],
  },
  1,
)) {
  const t = translationsIn(language);
  const setting = `${language}, ${size}, ${hasScript ? "with" : "without"} JavaScript`;

  test(`an owner makes a team, puts a member into it, and takes them out again (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const options = { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript };
    const { page, user } = await signedIn({ name: "Olga Owner" }, options);
    const mate = await aUser(gatehouse, { name: "Nia New" });
    const { organization } = await anOrganization(gatehouse, {}, { owner: user, members: [mate] });
    await page.goto(`/app/organizations/${organization.slug}`);

    await openPart(page, t, "teams");
    await page.getByRole("link", { name: t("organizations:teams.new") }).click();
    await page.getByLabel(t("organizations:teams.name")).fill("Design");
    await page.getByRole("button", { name: t("organizations:teams.create") }).click();
    await expect(page.getByText(t("organizations:teams.none"))).toBeVisible();
    const people = page.getByLabel(t("organizations:teams.add"));
    const add = page.getByRole("button", { name: t("organizations:teams.addButton"), exact: true });
    await add.click();
    await expect(people).toHaveAccessibleDescription(t("organizations:teams.chooseRequired"));
    const colourOf = () => people.evaluate((select) => getComputedStyle(select).color);
    const unchosen = await colourOf();
    const person = people.getByRole("option").filter({ hasText: "Nia New" });
    await people.selectOption((await person.getAttribute("value")) ?? "");
    await expect.poll(colourOf).not.toBe(unchosen);
    await add.click();
    await expect(page.getByRole("listitem").filter({ hasText: "Nia New" })).toBeVisible();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Nia New" })
      .getByRole("button", { name: t("organizations:teams.remove") })
      .click();
    await expect(page.getByText(t("organizations:teams.none"))).toBeVisible();
    await page
      .getByRole("navigation", { name: t("common:breadcrumb") })
      .getByRole("link", { name: t("organizations:nav.teams") })
      .click();
  });
}

for (const hasScript of [true, false]) {
  const setting = `${hasScript ? "with" : "without"} JavaScript`;

  test(`one link opens the form of a team, and "Cancel" closes it (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { javaScriptEnabled: hasScript });
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    await page.goto(`/app/organizations/${organization.slug}`);

    await expectFormOf(page, translationsIn("en"), {
      part: "teams",
      opener: "teams.new",
      field: "teams.name",
    });
  });
}

test("on a phone the links to an organization's parts keep their place beside an open form", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.phone });
  const name = "Nyumbani Cooperative Society";
  const { organization } = await anOrganization(gatehouse, { name }, { owner: user });
  const links = page.getByRole("navigation", { name: t("organizations:nav.label"), exact: true });
  const middles: number[] = [];
  for (const part of ["", "/teams", "/teams?new"]) {
    await page.goto(`/app/organizations/${organization.slug}${part}`);
    middles.push(await middleOf(links));
  }

  expect(new Set(middles).size).toBe(1);
});
