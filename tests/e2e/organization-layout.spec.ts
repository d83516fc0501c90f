import type { Page } from "@playwright/test";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { anOrganization } from "../support/organizations.ts";
import type { Person } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

/** Opens the members of an organization that a user owns. */
async function openMembers(page: Page, gatehouse: Gatehouse, owner: Person): Promise<void> {
  const { organization } = await anOrganization(gatehouse, {}, { owner });
  await page.goto(`/app/organizations/${organization.slug}/members`);
}

test("on a phone the keyboard goes through the toolbar in the order that is seen", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.phone });
  await openMembers(page, gatehouse, user);
  await hydrated(page);

  await page.getByRole("main").getByRole("searchbox").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: t("common:list.filters") })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(
    page.getByRole("link", { name: t("organizations:membersList.invite") }),
  ).toBeFocused();
});

test("on a phone a date below a member's role says that it is the day of joining", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.phone });
  await openMembers(page, gatehouse, user);
  await expect(page.getByRole("cell", { name: "Joined today", exact: true })).toBeVisible();

  // The column's name says it on a desktop.
  await page.setViewportSize(SIZES.desktop);
  await expect(
    page.getByRole("columnheader", { name: t("organizations:membersList.joined") }),
  ).toBeVisible();
  await expect(page.getByRole("cell", { name: "today", exact: true })).toBeVisible();
});

test("an empty list offers its form on a phone once", async ({ signedIn, gatehouse }) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.phone });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });

  await page.goto(`/app/organizations/${organization.slug}/invitations`);
  await expect(page.getByText(t("organizations:invite.none"))).toBeVisible();
  await page.getByRole("link", { name: t("organizations:membersList.invite") }).click();

  await expect(page.getByLabel(t("organizations:invite.emails"))).toBeVisible();
});

test("on a small phone the path with a long short name is whole, from left to right in Arabic", async ({
  signedIn,
}) => {
  const t = translationsIn("ar");
  const { page } = await signedIn(
    {},
    { locale: "ar", viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true },
  );
  await page.goto("/app/organizations/new");
  await hydrated(page);
  const field = page.getByRole("textbox", { name: t("organizations:slug"), exact: true });
  await expect(field).toHaveAccessibleDescription(
    new RegExp(`^${t("organizations:slugOptional")}`),
  );
  await field.fill("a".repeat(48));

  const path = page.getByText(`/app/organizations/${"a".repeat(48)}`);
  const { left, right } = await path.evaluate((element) => {
    const node = element.firstChild as Text;
    const start = node.data.indexOf("/app");
    const xOf = (offset: number) => {
      const range = document.createRange();
      range.setStart(node, offset);
      range.setEnd(node, offset + 1);
      return range.getBoundingClientRect().left;
    };
    return { left: xOf(start), right: xOf(start + "/app/".length) };
  });
  expect(left).toBeLessThan(right);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
