import type { Locator, Page } from "@playwright/test";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { insertRows } from "../support/insert.ts";
import { cutTexts, middleOf } from "../support/layout.ts";
import { EACH_DIRECTION } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser, type Person } from "../support/people.ts";
import { aRepository } from "../support/repositories.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

/** The link to the form of each part with a list. */
const PARTS = [
  ["members", "membersList.invite"],
  ["invitations", "membersList.invite"],
  ["repositories", "repositories.share"],
] as const;
/** The least height of what a finger touches. */
const FINGER = 44;
/** Where the first card of a part begins at the latest, in pixels from the top of a phone. */
const FIRST_CARD = 305;

for (const language of EACH_DIRECTION) {
  test(`on a phone the link to the form stands with its label below the parts, close above the first card (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page, user } = await signedIn(
      {},
      { locale: language, viewport: SIZES.phone, hasTouch: true, isMobile: true },
    );
    const { organization, team } = await anOrganization(
      gatehouse,
      { name: "مؤسسة النخيل Nyumbani" },
      { owner: user },
    );
    const parts = page.getByRole("navigation", { name: t("organizations:nav.label") });
    const topOf = (inside: Locator) =>
      inside.evaluate((element) => element.closest("section, ul")?.getBoundingClientRect().top);
    const overview = page.getByRole("heading", { name: t("organizations:overview.repositories") });
    const firstTeam = page.getByRole("link", { name: team.name });
    for (const [part, label, card] of [
      ["", "membersList.invite", overview],
      ["/teams", "teams.new", firstTeam],
    ] as const) {
      await page.goto(`/app/organizations/${organization.slug}${part}`);
      const link = page.getByRole("link", { name: t(`organizations:${label}`), exact: true });
      expect(await topOf(card)).toBeLessThanOrEqual(FIRST_CARD);
      await expect(link).toHaveText(t(`organizations:${label}`));
      expect((await link.boundingBox())?.height).toBe(FINGER);
      expect(await middleOf(link)).toBeGreaterThan(await middleOf(parts));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
        SIZES.phone.width,
      );
    }
  });
}

for (const language of LANGUAGES) {
  test(`on a phone the link to a part's form stands in the list's toolbar (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page, user } = await signedIn(
      {},
      { locale: language, viewport: SIZES.phone, hasTouch: true, isMobile: true },
    );
    const { organization } = await anOrganization(
      gatehouse,
      {},
      { owner: user, invitations: [{}] },
    );
    const { id } = await aRepository(gatehouse);
    const shared = { organization_id: organization.id, repository_id: id, created_at: 1 };
    await insertRows(gatehouse.d1, "organization_repository", [shared]);
    for (const [part, label] of PARTS) {
      await page.goto(`/app/organizations/${organization.slug}/${part}`);
      const link = page.getByRole("link", { name: t(`organizations:${label}`), exact: true });
      const search = page.getByRole("main").getByRole("searchbox");
      for (const width of [320, SIZES.phone.width]) {
        await page.setViewportSize({ ...SIZES.phone, width });
        const [scrollWidth, clientWidth] = await page.evaluate(() => {
          const { documentElement: root } = document;
          return [root.scrollWidth, root.clientWidth];
        });
        expect(scrollWidth).toBe(clientWidth);
        expect(await cutTexts(page)).toEqual([]);
        // One line of text: no word is broken.
        expect((await link.boundingBox())?.height).toBe(FINGER);
        const drop = (await middleOf(link)) - (await middleOf(search));
        // French has the longest label, and no room for it beside the search.
        const isAlone = width === 320 || (language === "fr" && part !== "repositories");
        if (!isAlone) expect(drop).toBeCloseTo(0, 0);
        expect(drop).toBeLessThanOrEqual(FINGER + 8);
      }
    }
  });
}

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
  await expect(page.getByRole("cell", { name: "Joined now", exact: true })).toBeVisible();

  // The column's name says it on a desktop.
  await page.setViewportSize(SIZES.desktop);
  await expect(
    page.getByRole("columnheader", { name: t("organizations:membersList.joined") }),
  ).toBeVisible();
  await expect(page.getByRole("cell", { name: "now", exact: true })).toBeVisible();
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

test("on a desktop an empty list has no gap for the link of a phone", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page, user } = await signedIn({}, { viewport: SIZES.desktop });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  await page.goto(`/app/organizations/${organization.slug}/repositories`);
  const text = page
    .getByRole("status")
    .filter({ hasText: t("organizations:overview.noRepositories") });

  const [below, padding] = await text.evaluate((element) => {
    const panel = element.parentElement ?? element;
    const below = panel.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom;
    const { paddingBottom, borderBottomWidth } = getComputedStyle(panel);
    return [below, Number.parseFloat(paddingBottom) + Number.parseFloat(borderBottomWidth)];
  });
  expect(below).toBeCloseTo(padding ?? 0, 0);
});

for (const [language, names] of [
  ["en", ["Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis"]],
  [
    "ar",
    ["Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis", "زهراء ".repeat(10).trim()],
  ],
] as const) {
  test(`on a desktop a long name is whole beside an ordinary e-mail (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { locale: language, viewport: SIZES.desktop });
    const members = await Promise.all(
      names.map((name, index) =>
        aUser(gatehouse, {
          name,
          email: `amina.${index}.${process.pid}.${language}@example.com`,
          banned: 1,
        }),
      ),
    );
    const { organization } = await anOrganization(gatehouse, {}, { owner: user, members });
    await page.goto(`/app/organizations/${organization.slug}/members`);

    for (const { name, email } of members) {
      for (const text of [name, email]) {
        const shown = page.getByRole("cell").getByText(text, { exact: true });
        expect(await shown.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
      }
    }
  });
}

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
