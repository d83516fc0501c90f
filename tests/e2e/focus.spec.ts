import type { Page } from "@playwright/test";
import {
  askForCode,
  confirmButton,
  expect,
  hydrated,
  openContext,
  SIZES,
  test,
  watchesNetwork,
} from "../support/e2e.ts";
import { expectFocus, expectFocusInside, markOpeners, opened } from "../support/focus.ts";
import { aUser, newEmail } from "../support/people.ts";
import { openScreen, SCREENS, type Screen, startSeeded } from "../support/screens.ts";
import { translationsIn } from "../support/translations.ts";

const t = translationsIn("en");
const named = (...names: string[]) => SCREENS.filter(({ name }) => names.includes(name));
/** Their only button goes back in the history of the browser, out of this document. */
const LEAVING = ["not-found", "forbidden", "app-not-found", "manager-not-found"];
const WITH_OPENERS = SCREENS.filter(
  ({ name, setting }) => setting === "usual" && !LEAVING.includes(name),
);
const WITH_FORMS = named(
  "account",
  "access",
  "invitations",
  "members",
  "new-organization",
  "new-user",
  "organization-settings",
  "user",
);

/** Screens on which the header is tested too. It is the same on all screens of an area. */
const WITH_HEADER = ["login", "app", "dashboard"];

/** Opens a screen, and waits for the script that keeps the focus. */
async function open(page: Page, screen: Screen, product: Awaited<ReturnType<typeof startSeeded>>) {
  await openScreen(page, screen, { ...product, t });
  await hydrated(page);
  await watchesNetwork(page);
}

for (const screen of WITH_OPENERS) {
  test(`what opens on ${screen.name} takes the focus, and gives it back`, async ({
    browser,
    shared,
  }) => {
    // The test presses every control of the screen.
    test.setTimeout(180_000);
    const product = await shared("usual", () => startSeeded("usual"));
    const context = await openContext(
      browser,
      { baseURL: product.origin, viewport: SIZES.desktop },
      [],
    );
    const page = await context.newPage();
    await open(page, screen, product);
    if ((await opened(page).count()) > 0) {
      await expectFocusInside(page, "by the URL");
      const search = page.locator("input[type=search]:focus");
      const isFilled = (await search.count()) > 0 && (await search.inputValue()) !== "";
      await page.keyboard.press("Escape");
      // The first Escape empties a search.
      if (isFilled) await page.keyboard.press("Escape");
      await expect(opened(page)).toHaveCount(0);
      await expectFocus(page, "after Escape");
    }

    const within = WITH_HEADER.includes(screen.name) ? "body" : "main";
    const count = await markOpeners(page, within);
    const url = page.url();
    for (let index = 0; index < count; index++) {
      const opener = page.locator(`[data-opener="${index}"]`);
      if ((await opener.count()) === 0) await markOpeners(page, within);
      const { name, opens, leads } = await opener.evaluate((element) => ({
        name: `by ${element.getAttribute("aria-label") ?? element.textContent}`.trim(),
        opens:
          element.matches("[popovertarget], [aria-haspopup]") || element.dataset.row !== undefined,
        leads: element.matches("a[href]") && element.dataset.row === undefined,
      }));
      await opener.focus();
      await page.keyboard.press("Enter");
      if (opens) await opened(page).first().waitFor();
      else if (leads) await expect(page).not.toHaveURL(url);
      if (page.url() !== url || opens) await expectFocus(page, name);
      if ((await opened(page).count()) > 0) {
        await expectFocusInside(page, name);
        await walkMenu(page, name);
        await page.keyboard.press("Escape");
        await expect(opened(page)).toHaveCount(0);
        if (opens) await expect(opener, `has the focus again after ${name}`).toBeFocused();
        else await expectFocus(page, `after ${name}`);
      }
      if (page.url() !== url) {
        await page.goto(url);
        await hydrated(page);
        await watchesNetwork(page);
        await markOpeners(page, within);
      }
    }
    await context.close();
  });
}

/** Opens what each item of an open menu opens, and comes back to the menu's button. */
async function walkMenu(page: Page, name: string): Promise<void> {
  const items = await page.evaluate(() => {
    const menu = document.querySelector('[role="group"]:popover-open');
    const asking = [...(menu?.querySelectorAll("button[type=button][popovertarget]") ?? [])];
    return asking.map((item) => item.getAttribute("popovertarget"));
  });
  for (const [index, drawer] of items.entries()) {
    const item = page.locator(`[popovertarget="${drawer}"]`).first();
    if (index > 0) await page.keyboard.press("Enter");
    await item.focus();
    await page.keyboard.press("Enter");
    await page.locator(`[id="${drawer}"]:popover-open`).waitFor();
    await expectFocusInside(page, `${name}, and its item ${index + 1}`);
    await page.keyboard.press("Escape");
    await expectFocus(page, `after item ${index + 1} ${name}`);
  }
  if (items.length > 0) await page.keyboard.press("Enter");
}

for (const screen of WITH_FORMS) {
  test(`a refused form on ${screen.name} leads to its first wrong field`, async ({
    browser,
    shared,
  }) => {
    const product = await shared("usual", () => startSeeded("usual"));
    const context = await openContext(browser, { baseURL: product.origin }, []);
    const page = await context.newPage();
    await open(page, screen, product);
    const count = await page.evaluate(() => {
      const forms = [...document.querySelectorAll<HTMLFormElement>('main form[method="post"]')];
      const typed = forms.filter((form) =>
        [...form.querySelectorAll("input, textarea")].some(
          (field) =>
            field.matches(":not([type=hidden], [type=checkbox], [type=radio])") &&
            field.checkVisibility(),
        ),
      );
      for (const [index, form] of typed.entries()) form.dataset.form = String(index);
      return typed.length;
    });
    for (let index = 0; index < count; index++) {
      const form = page.locator(`[data-form="${index}"]`);
      const texts = form.locator(
        ":is(textarea, input):not([type=hidden], [type=checkbox], [type=radio], [type=file], [readonly])",
      );
      for (const text of await texts.all()) if (await text.isVisible()) await text.fill("");
      const button = form.locator('button:not([type="button"])').last();
      if (await button.isDisabled()) continue;
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await button.focus();
      await page.keyboard.press("Enter");
      await answered;
      const wrong = page.locator('main [aria-invalid="true"]').first();
      if ((await answered.then((response) => response.status())) === 400) {
        await expect(
          page.locator('main :is([aria-invalid="true"], [role="alert"]:not(:empty))').first(),
        ).toBeVisible();
      }
      await expectFocus(page, "after the answer");
      if ((await wrong.count()) > 0) await expect(wrong).toBeFocused();
      break;
    }
    await context.close();
  });
}

test("a ban by keyboard: its question takes the focus, and the page has it afterwards", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" });
  const { id } = await aUser(gatehouse);
  await page.goto(`/manager/users/${id}`);
  await hydrated(page);
  await watchesNetwork(page);
  await page.getByRole("button", { name: "Actions", exact: true }).press("Enter");
  await page.getByRole("button", { name: t("users:ban.title") }).press("Enter");
  await expectFocusInside(page, "by the menu");
  const question = page.getByRole("alertdialog").filter({ visible: true });
  await question.getByRole("textbox").first().fill("Spam");
  await confirmButton(question).press("Enter");
  await expect(question).toHaveCount(0);
  await expectFocus(page, "after the ban");
});

test("a new organization's title has the focus", async ({ signedIn }) => {
  const { page } = await signedIn();
  await page.goto("/app/organizations");
  await hydrated(page);
  await watchesNetwork(page);
  await page
    .getByRole("main")
    .getByRole("link", { name: t("organizations:new") })
    .first()
    .click();
  const name = page.getByLabel(t("organizations:name"), { exact: true });
  await expect(name).toBeFocused();
  await name.fill(`Focus ${process.pid}`);
  await name.press("Enter");
  await expect(page.getByRole("heading", { name: `Focus ${process.pid}` })).toBeFocused();
});

test("the third wrong code leaves the focus in the page", async ({ page }) => {
  await askForCode(page, newEmail());
  await watchesNetwork(page);
  for (const wrong of ["000000", "000001", "000002"]) {
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByLabel("6-digit code").fill(wrong);
    await answered;
  }
  await expect(page.getByLabel("6-digit code")).toHaveCount(0);
  await expectFocus(page, "after the third wrong code");
});
