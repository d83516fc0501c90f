import type { Locator, Page } from "@playwright/test";
import { isolate } from "../../app/ui/text/isolate.ts";
import { ageCodes } from "../support/account.ts";
import { newBrowser } from "../support/client.ts";
import { confirmButton, expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { signIn } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const SETTINGS = matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    javaScriptEnabled: [true, false],
  },
  0,
);

for (const { language, size, javaScriptEnabled } of SETTINGS) {
  const t = translationsIn(language);
  const setting = `(${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"})`;
  const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };

  async function openAccount(page: Page): Promise<void> {
    await page.goto("/app/account");
    if (javaScriptEnabled) await hydrated(page);
  }

  /** Opens a drawer and confirms it. */
  async function confirmDrawer(page: Page, trigger: string): Promise<void> {
    await page.getByRole("button", { name: trigger, exact: true }).click();
    const drawer = page.getByRole("alertdialog");
    await expect(drawer.getByRole("button", { name: t("common:actions.cancel") })).toBeFocused();
    await confirmButton(drawer).click();
  }

  test(`a name is changed in the drawer that the URL opens ${setting}`, async ({ signedIn }) => {
    const { page } = await signedIn({ name: "Amina" }, options);
    await openAccount(page);
    await page.getByRole("link", { name: t("account:name.change") }).click();
    await expect(page).toHaveURL("/app/account?state=change-name");
    await page.reload();
    if (javaScriptEnabled) await hydrated(page);
    const drawer = page.getByRole("dialog", { name: t("account:name.title") });
    const name = drawer.getByRole("textbox", { name: t("account:name.label") });
    await expect(name).toHaveValue("Amina");

    await name.fill("12");
    await drawer.getByRole("button", { name: t("common:actions.save") }).click();
    await expect(name).toHaveAccessibleDescription(t("validation:name.invalid"));
    await expect(name).toHaveValue("12");
    await name.fill("زهراء Zuri");
    await drawer.getByRole("button", { name: t("common:actions.save") }).click();

    await expect(page).toHaveURL("/app/account");
    await expect(drawer).toBeHidden();
    await expect(toast(page, t("account:toast.nameChanged"))).toBeVisible();
    await expect(page.getByRole("main").getByText("زهراء Zuri")).toBeVisible();
  });

  test(`links above or beside the account lead to its sections ${setting}`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({}, options);
    await openAccount(page);
    const sections = page.getByRole("navigation", { name: t("account:sections.label") });
    await expect(sections).toBeInViewport();
    await sections.getByRole("link", { name: t("account:sections.danger") }).click();
    const heading = page.getByRole("heading", { name: t("account:deletion.title") });
    await expect(heading).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
  });

  test(`sessions are ended one by one, all others together, and all with this one ${setting}`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, options);
    const others = [newBrowser(gatehouse), newBrowser(gatehouse), newBrowser(gatehouse)];
    for (const other of others) await signIn(gatehouse, other, user.email);
    await openAccount(page);
    const sessions = page.getByRole("listitem").filter({ hasText: t("common:session.lastHour") });
    await expect(sessions).toHaveCount(4);
    await expect(sessions.first()).toContainText(t("account:sessions.thisOne"));
    await expect(sessions.first()).toContainText(
      t("account:sessions.device", { browser: "Firefox", system: "Linux" }),
    );

    const end = page.getByRole("button", { name: t("account:sessions.end"), exact: true });
    await end.first().click();
    await expect(toast(page, t("account:toast.sessionEnded"))).toBeVisible();
    await expect(sessions).toHaveCount(3);
    await confirmDrawer(page, t("account:sessions.endOthers"));
    await expect(toast(page, t("account:toast.othersEnded"))).toBeVisible();
    await expect(sessions).toHaveCount(1);
    for (const other of others) expect((await other.get("/app")).status).toBe(302);

    await confirmDrawer(page, t("account:sessions.endAll"));
    await expect(page).toHaveURL("/login");
    await page.goto("/app/account");
    await expect(page).toHaveURL("/login?redirect=%2Fapp%2Faccount");
  });

  test(`a code confirms the session, can be sent again, and leads to the next page ${setting}`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, options);
    await page.goto("/app/account/confirm?next=%2Fapp%2Forganizations");
    if (javaScriptEnabled) await hydrated(page);
    await page.getByRole("button", { name: t("account:code.send") }).click();
    const code = page.getByLabel(t("login:code"));
    await expect(code).toBeEditable();
    const firstCode = await gatehouse.mailbox.codeFor(user.email);
    const confirm = await page.getByRole("button", { name: t("login:confirm") }).boundingBox();
    const cancel = await page.getByRole("link", { name: t("common:actions.cancel") }).boundingBox();
    expect((cancel?.y ?? 0) - (confirm?.y ?? 0) - (confirm?.height ?? 0)).toBe(12);
    const boxes = page.locator("[aria-hidden=true][class=code-box]");
    const [first, last] = [await boxes.first().boundingBox(), await boxes.last().boundingBox()];
    expect(first?.width).toBeLessThanOrEqual(60);
    expect(first?.height).toBe(56);
    // They begin where the line does, which is at the last box in Arabic.
    if (language === "ar") expect(endOf(last)).toBeCloseTo(endOf(confirm), 0);
    else expect(first?.x).toBe(confirm?.x);

    await ageCodes(gatehouse, user.id, 2);
    await page.reload();
    if (javaScriptEnabled) {
      await hydrated(page);
      // Nothing moves when the remaining time becomes a button.
      expect((await page.getByRole("button", { name: t("login:confirm") }).boundingBox())?.y).toBe(
        confirm?.y,
      );
    }
    await page.getByRole("button", { name: t("login:resend") }).click();
    await expect(toast(page, t("login:resent"))).toBeVisible();
    const second = await gatehouse.mailbox.codeFor(user.email);
    expect(second).not.toBe(firstCode);
    await code.pressSequentially(second);
    if (!javaScriptEnabled) await page.getByRole("button", { name: t("login:confirm") }).click();
    await expect(page).toHaveURL("/app/organizations");
  });

  test(`language and theme are chosen, and one press signs out ${setting}`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({}, { ...options, colorScheme: "light" });
    await openAccount(page);
    const main = page.getByRole("main");
    const dark = main.getByRole("button", { name: t("common:theme.dark"), exact: true });
    await dark.click();
    await expect(dark).toHaveAttribute("aria-pressed", "true");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

    await main
      .getByRole("button", { name: t("common:signOut"), exact: true })
      .last()
      .click();
    await expect(page).toHaveURL("/login");
    await expect(toast(page, t("common:signedOut"))).toBeVisible();
  });
}

for (const size of ["desktop", "phone"] as const) {
  test(`links to the account's sections stay in view, and cover nothing (${size})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({}, { viewport: SIZES[size] });
    await page.goto("/app/account");
    await hydrated(page);
    const links = page.getByRole("navigation", { name: "On this page" });

    await links.getByRole("link", { name: "Data" }).click();

    await expect(page).toHaveURL("/app/account#data");
    const title = page.getByRole("heading", { name: "Your data" });
    await expect(title).toBeInViewport();
    await expect(links).toBeInViewport();
    const [line, section] = [await links.boundingBox(), await title.boundingBox()];
    if (!line || !section) throw new Error("They are not drawn");
    if (size === "phone") expect(section.y).toBeGreaterThan(line.y + line.height);
    else expect(section.x).toBeGreaterThan(line.x + line.width);
  });
}

test("the drawer closes with Escape, its buttons and Back, and the focus returns", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await page.goto("/app/account");
  await hydrated(page);
  const open = page.getByRole("link", { name: "Change name" });
  const drawer = page.getByRole("dialog", { name: "Change your name" });
  const closings = [
    () => page.keyboard.press("Escape"),
    () => drawer.getByRole("link", { name: "Close" }).click(),
    () => drawer.getByRole("link", { name: "Cancel" }).click(),
    () => page.goBack(),
  ];
  for (const close of closings) {
    await open.focus();
    await page.keyboard.press("Enter");
    await expect(drawer.getByRole("textbox", { name: "Name" })).toBeFocused();
    await expect(page).toHaveURL("/app/account?state=change-name");
    await close();
    await expect(drawer).toBeHidden();
    await expect(page).toHaveURL("/app/account");
    await expect(open).toBeFocused();
  }
});

test("a new device starts in the account's language and theme right after signing in", async ({
  newContext,
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn({ name: "Zawadi" }, { locale: "en", colorScheme: "light" });
  await page.goto("/app/account");
  await hydrated(page);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await main.getByRole("button", { name: "العربية" }).click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");

  const second = await newContext({ locale: "en", colorScheme: "light" });
  const device = await second.newPage();
  await device.goto("/login");
  await hydrated(device);
  await device.getByLabel("Email").fill(user.email);
  await device.getByRole("button", { name: "Continue with email" }).click();
  const mail = await gatehouse.mailbox.mailFor(user.email);
  expect(mail.html).toContain('dir="rtl"');
  await device.getByLabel("6-digit code").pressSequentially(mail.code);

  await expect(device).toHaveURL("/app");
  const greeting = translationsIn("ar")("app:home.greeting", { name: isolate("Zawadi") });
  await expect(device.getByRole("heading", { name: greeting })).toBeVisible();
  await expect(device.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(device.locator("html")).toHaveAttribute("data-theme", "dark");
});

/** Resolves when the page has stopped scrolling. */
function scrolled(): Promise<unknown> {
  return new Promise((done) =>
    document.addEventListener("scrollend", () => done(true), { once: true }),
  );
}

type Box = Awaited<ReturnType<Locator["boundingBox"]>>;

function endOf(box: Box): number {
  return (box?.x ?? 0) + (box?.width ?? 0);
}

for (const language of ["en", "ar"] as const) {
  test(`on a phone the link of the section in view is in view (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn({}, { locale: language, viewport: SIZES.phone });
    await page.goto("/app/account");
    await hydrated(page);
    const sections = page.getByRole("navigation", { name: t("account:sections.label") });
    const link = (section: "profile" | "danger") =>
      sections.getByRole("link", { name: t(`account:sections.${section}`) });
    await expect(link("danger")).not.toBeInViewport({ ratio: 0.9 });

    const scrollEnd = page.evaluate(scrolled);
    await page.keyboard.press("End");
    await expect(link("danger")).toBeInViewport({ ratio: 0.9 });

    // The browser ignores the key while it scrolls to the end.
    await scrollEnd;
    await page.keyboard.press("Home");
    await expect(link("profile")).toBeInViewport({ ratio: 0.9 });
  });
}
