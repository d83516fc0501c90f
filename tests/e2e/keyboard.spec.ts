import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, SIZES, signInAs, test, toast, watchesNetwork } from "../support/e2e.ts";
import { ANY_LANGUAGE, inTurn } from "../support/matrix.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const MAX_STOPS = 25;
/** Pixels around the focused element, for its focus ring. */
const RING = 8;

for (const language of ANY_LANGUAGE) {
  test(`the whole journey can be made with the keyboard alone (${language})`, async ({
    newContext,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const context = await newContext({ locale: language });
    const page = await context.newPage();
    const email = newEmail();
    await page.goto("/login");
    await hydrated(page);

    await expect(page.getByLabel(t("login:email"))).toBeFocused();
    await page.keyboard.type("nobody");
    await tabTo(page, page.getByRole("button", { name: t("login:withEmail") }));
    await page.keyboard.press("Enter");
    await expect(page.getByLabel(t("login:email"))).toBeFocused();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");

    await expect(page.getByLabel(t("login:code"))).toBeFocused();
    await expectVisibleFocus(page);
    await tabTo(page, page.getByRole("link", { name: t("login:anotherEmail") }));
    await page.keyboard.press("Shift+Tab");
    await expectVisibleFocus(page);
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByLabel(t("login:code"))).toBeFocused();
    await page.keyboard.type(await gatehouse.mailbox.codeFor(email));

    await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    await expect(page.getByRole("textbox", { name: t("onboarding:question") })).toBeFocused();
    await page.keyboard.type("Zawadi");
    await tabTo(page, page.getByRole("button", { name: t("onboarding:signOut") }));
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/app");
    await page.reload();
    await hydrated(page);

    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: t("common:skipToContent") })).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();

    await page.keyboard.press("Shift+Tab");
    const account = page.getByRole("button", { name: t("common:account.menu") });
    await expect(account).toBeFocused();
    await expectVisibleFocus(page);
    const signOut = page.getByRole("button", { name: t("common:signOut") });
    await page.keyboard.press("Enter");
    await expect(signOut).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(signOut).toBeHidden();
    await expect(account).toBeFocused();
    await page.keyboard.press("Enter");
    await tabTo(page, signOut);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/login");
    await expect(toast(page, t("common:signedOut"))).toBeVisible();
  });
}

test("Escape closes the menu of language and theme, and the focus stays on the button", async ({
  page,
}) => {
  await page.goto("/login");
  await hydrated(page);
  const button = page.getByRole("button", { name: "Language and theme" });
  const dark = page.getByRole("button", { name: "Dark" });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await expect(dark).toBeVisible();
  await tabTo(page, dark);
  await page.keyboard.press("Escape");
  await expect(dark).toBeHidden();
  await expect(button).toBeFocused();
});

test("a theme is chosen with the keyboard, and the menu closes", async ({ page }) => {
  await page.goto("/login");
  await hydrated(page);
  await tabTo(page, page.getByRole("button", { name: "Language and theme" }));
  await page.keyboard.press("Enter");
  const dark = page.getByRole("button", { name: "Dark" });
  await tabTo(page, dark);
  await page.keyboard.press("Enter");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 17, 19)");
  await expect(dark).toBeHidden();
  await expect(page.getByRole("button", { name: "Language and theme" })).toBeFocused();
});

for (const colorScheme of inTurn(["light", "dark"] as const, 1)) {
  test(`every tab stop in the manager area shows its focus (${colorScheme})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, { colorScheme, viewport: SIZES.desktop });
    await page.goto("/manager");
    await hydrated(page);
    await tabTo(page, page.getByRole("button", { name: "Your account" }));
  });
}

test("the sidebar collapses with the keyboard", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager");
  await hydrated(page);
  const sidebar = page.getByRole("checkbox", { name: "Collapse the sidebar" });
  await tabTo(page, sidebar);
  await page.keyboard.press("Space");
  await expect(page.getByRole("link", { name: "Dashboard" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Dashboard" }).getByText("Dashboard")).toBeHidden();
});

test("on a phone the navigation opens, closes with Escape and returns the focus", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.phone });
  await page.goto("/manager");
  await hydrated(page);
  const open = page.getByRole("button", { name: "Open the navigation" });
  const navigation = page.getByRole("navigation", { name: "Back-office navigation" });
  const dashboard = navigation.getByRole("link", { name: "Dashboard" });
  await tabTo(page, open);
  await page.keyboard.press("Enter");
  await tabTo(page, dashboard);
  await page.keyboard.press("Escape");
  await expect(dashboard).toBeHidden();
  await expect(open).toBeFocused();

  await page.keyboard.press("Enter");
  await tabTo(page, navigation.getByRole("link", { name: "Organizations" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/manager/organizations");
  await expect(dashboard).toBeHidden();
});

test("arrow keys, Home, End and letters move in a menu, and an arrow opens it", async ({
  page,
}) => {
  await page.goto("/login");
  await hydrated(page);
  await watchesNetwork(page);
  const button = page.getByRole("button", { name: "Language and theme" });
  await button.focus();
  await page.keyboard.press("ArrowDown");
  const item = (name: string) => page.getByRole("button", { name, exact: true });
  await expect(item("English")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(item("System")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(item("English")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Français")).toBeFocused();
  await page.keyboard.press("End");
  await expect(item("System")).toBeFocused();
  await page.keyboard.press("d");
  await expect(item("Dark")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(item("Dark")).toBeHidden();
  await expect(button).toBeFocused();
});

test("Enter in a search moves to the first found name, and Enter there opens it", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" });
  const name = `found ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.goto("/manager/users");
  await hydrated(page);
  await watchesNetwork(page);
  await page.getByRole("searchbox").fill(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name, exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByRole("heading", { name })).toBeFocused();
});

test("a red error leaves a field once its value changes, and comes back when it is sent again", async ({
  page,
}) => {
  await page.goto("/login");
  await hydrated(page);
  const email = page.getByLabel("Email");
  const alert = page.getByRole("alert").filter({ hasText: "Email is invalid" });
  for (const value of ["nobody", "somebody"]) {
    await email.fill(value);
    await expect(alert).toHaveCount(0);
    await expect(email).not.toHaveAttribute("aria-invalid");
    await email.press("Enter");
    await expect(alert).toBeVisible();
    await expect(email).toBeFocused();
  }
});

/** Tabs to an element; every element on the way has to show its focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press("Tab");
    // After the last tab stop the page itself has the focus, then the first stop.
    if (await page.evaluate(() => document.activeElement === document.body)) continue;
    await expectVisibleFocus(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("The keyboard does not get there");
}

/** Compares screenshots around the focused element, with and without the focus. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const handle = await page.evaluateHandle(() => document.activeElement as HTMLElement);
  const name = await handle.evaluate((element) => element.outerHTML.slice(0, 120));
  expect(name, "something has the focus").not.toMatch(/^<body/);
  const box = await handle.boundingBox();
  if (!box) throw new Error(`${name} has the focus and no position`);
  const viewport = page.viewportSize() ?? SIZES.desktop;
  const x = Math.max(0, box.x - RING);
  const y = Math.max(0, box.y - RING);
  // A visually hidden control shows its focus on its label, which may be anywhere.
  const isHidden = box.width * box.height < 4;
  const clip = {
    x,
    y,
    width: Math.min(viewport.width, box.x + box.width + RING) - x,
    height: Math.min(viewport.height, box.y + box.height + RING) - y,
  };
  const options = {
    clip: isHidden ? undefined : clip,
    animations: "disabled",
    caret: "hide",
  } as const;
  const focused = await page.screenshot(options);
  await handle.evaluate((element) => element.blur());
  const blurred = await page.screenshot(options);
  await handle.evaluate((element) => element.focus({ preventScroll: true }));
  expect(focused.equals(blurred), `${name} shows its focus`).toBe(false);
}
