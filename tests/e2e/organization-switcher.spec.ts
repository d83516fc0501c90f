import { expect, hydrated, SIZES, test, watchesNetwork } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { translationsIn } from "../support/translations.ts";

test("the keyboard switches the organization and back to personal", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn();
  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani" },
    { members: [user] },
  );
  await page.goto("/app/account");
  await hydrated(page);
  // The script that moves the focus into what opens.
  await watchesNetwork(page);
  const menu = page.getByRole("button", { name: /^Organization: / });

  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Personal", exact: true })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await expect(page.getByRole("button", { name: "Personal", exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: organization.name, exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(menu).toHaveAccessibleName(/Nyumbani/);

  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(":popover-open :focus")).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(menu).toHaveAccessibleName(/Personal/);
});

test("without JavaScript the switcher works, and home leads to an invitation", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn({}, { javaScriptEnabled: false });
  await anOrganization(gatehouse, { name: "Nyumbani" }, { members: [user] });
  const other = await anOrganization(gatehouse, { name: "Sahel" });
  const own = { organization_id: other.organization.id, inviter_id: other.ownerId };
  await anInvitation(gatehouse, { ...own, email: user.email });

  await page.goto("/app/account");
  await page.getByRole("button", { name: /^Organization: / }).click();
  await page.getByRole("button", { name: "Nyumbani", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Organization: .*Nyumbani/ })).toBeVisible();

  await page.goto("/app");
  await expect(page.getByRole("status").filter({ hasText: "Sahel" })).toBeVisible();
  await page.getByRole("link", { name: "View invitation" }).click();
  await expect(page).toHaveURL(/\/invitations\//);
});

const WINDOWS = { ...SIZES, narrow: { width: 320, height: 700 } };

for (const { language, size } of matrix({
  language: ["en", "ar"],
  size: ["desktop", "narrow", "phone"],
})) {
  const t = translationsIn(language);
  const viewport = WINDOWS[size];
  test(`the header and the menu fit in ${language} on a ${size} screen`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { locale: language, viewport });
    await anOrganization(
      gatehouse,
      { name: "Société des éditeurs de logiciels libres du Sahel" },
      { members: [user] },
    );
    await page.goto("/app/organizations");
    await hydrated(page);
    await page.getByRole("banner").getByRole("button").first().click();
    const all = page.getByRole("link", { name: t("app:organizations.all") });
    await expect(all).toBeInViewport({ ratio: 1 });

    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    if (viewport.width < 640) {
      const menu = page.getByRole("group").filter({ has: all });
      const { x = 0, width = 0 } = (await menu.boundingBox()) ?? {};
      expect(x).toBe(viewport.width - x - width);
    }
  });
}
