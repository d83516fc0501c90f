import type { BrowserContext, Page } from "@playwright/test";
import { expect, hydrated, SIZES, signInAs, test } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";

const BACKGROUND = { light: "rgb(253, 252, 253)", dark: "rgb(18, 17, 19)" } as const;

async function expectTheme(page: Page, theme: keyof typeof BACKGROUND): Promise<void> {
  await expect(page.locator("body")).toHaveCSS("background-color", BACKGROUND[theme]);
}

async function choose(page: Page, theme: "Light" | "Dark" | "System"): Promise<void> {
  await page.getByRole("button", { name: "Language and theme" }).click();
  await page.getByRole("button", { name: theme, exact: true }).click();
}

/** Waits for the server's response, so that the next page has the new theme. */
async function chooseAndKeep(page: Page, theme: "Light" | "Dark" | "System"): Promise<void> {
  const kept = page.waitForResponse((response) => response.request().method() === "POST");
  await choose(page, theme);
  await kept;
}

function readStorage(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("theme"));
}

/** Blocks everything except the document and its stylesheet, so that the page shows its first paint. */
async function withoutScripts(context: BrowserContext): Promise<void> {
  await context.route("**/assets/*.js", (route) => route.abort());
}

for (const scheme of ["light", "dark"] as const) {
  test(`without a choice the first paint has the system's theme (${scheme})`, async ({
    newContext,
  }) => {
    const context = await newContext({ colorScheme: scheme });
    await withoutScripts(context);
    const page = await context.newPage();
    await page.goto("/login");
    await expectTheme(page, scheme);
  });
}

test("without a choice the page follows changes of the system's theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login");
  await hydrated(page);
  await expectTheme(page, "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectTheme(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expectTheme(page, "light");
});

test("the first paint has the chosen theme, whatever the system's, and storage mirrors it", async ({
  context,
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login?redirect=%2Fapp");
  await hydrated(page);
  await choose(page, "Dark");
  await expectTheme(page, "dark");
  await expect.poll(() => readStorage(page)).toBe("dark");
  await expect(page).toHaveURL("/login?redirect=%2Fapp");
  await expect
    .poll(async () => (await context.cookies()).map(({ name }) => name))
    .toContain("gatehouse.theme");

  await withoutScripts(context);
  // The first paint does not even need the script in the page's head.
  await page.evaluate(() => localStorage.clear());
  await page.goto("/login");
  await expectTheme(page, "dark");
});

test("light can be chosen on a dark system, and the system's theme again", async ({
  newContext,
}) => {
  const context = await newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto("/login");
  await hydrated(page);
  await chooseAndKeep(page, "Light");
  await expectTheme(page, "light");
  await chooseAndKeep(page, "System");
  await expectTheme(page, "dark");
  await expect.poll(() => readStorage(page)).toBe("system");
  await page.reload();
  await expectTheme(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expectTheme(page, "light");
  await page.getByRole("button", { name: "Language and theme" }).click();
  await expect(page.getByRole("button", { name: "System" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("without JavaScript the menu works too", async ({ newContext }) => {
  const context = await newContext({ javaScriptEnabled: false, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto("/login?redirect=%2Fapp");
  await choose(page, "Dark");
  await expectTheme(page, "dark");
  await expect(page).toHaveURL("/login?redirect=%2Fapp");
  await choose(page, "System");
  await expectTheme(page, "light");
});

for (const { area, javaScriptEnabled } of matrix({
  area: ["/app", "/manager"],
  javaScriptEnabled: [true, false],
})) {
  test(`on a phone the header has theme and language too (${area}, JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    signedIn,
  }) => {
    const options = { viewport: SIZES.phone, colorScheme: "light", javaScriptEnabled } as const;
    const role = area === "/app" ? "user" : "admin";
    const { page } = await signedIn({ role }, options);
    await page.goto(area);
    if (javaScriptEnabled) await hydrated(page);
    await page.getByRole("button", { name: "Language and theme" }).click();
    await page.getByRole("button", { name: "Dark" }).click();
    await expectTheme(page, "dark");
  });
}

test("a theme stored only in localStorage applies from the first paint, and sets the cookie", async ({
  newContext,
}) => {
  const context = await newContext({ colorScheme: "light" });
  const page = await context.newPage();
  await context.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/login");
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.goto("/login");
  await expectTheme(page, "dark");

  await context.unroute("**/assets/*.js");
  await page.goto("/login");
  await hydrated(page);
  await expectTheme(page, "dark");
  await expect
    .poll(async () => (await context.cookies()).map(({ name }) => name))
    .toContain("gatehouse.theme");
  await page.getByRole("button", { name: "Language and theme" }).click();
  await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");

  await withoutScripts(context);
  await page.evaluate(() => localStorage.clear());
  await page.goto("/login");
  await expectTheme(page, "dark");
});

test("an invalid stored theme changes nothing", async ({ newContext }) => {
  const context = await newContext({ colorScheme: "light" });
  const page = await context.newPage();
  await page.goto("/login");
  await page.evaluate(() => localStorage.setItem("theme", "<b>"));
  await page.reload();
  await hydrated(page);
  await expectTheme(page, "light");
});

test("a theme chosen in one tab is shown in the other", async ({ newContext }) => {
  const context = await newContext({ colorScheme: "light" });
  const page = await context.newPage();
  const other = await context.newPage();
  await page.goto("/login");
  await other.goto("/login/error?error=access_denied");
  await hydrated(page);
  await hydrated(other);
  await choose(page, "Dark");
  await expectTheme(other, "dark");
  await choose(page, "System");
  await expectTheme(other, "light");
});

test("the chosen theme survives the sign-in", async ({ context, page, gatehouse }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login");
  await hydrated(page);
  await chooseAndKeep(page, "Dark");
  await signInAs(gatehouse, context);
  await page.goto("/app");
  await expectTheme(page, "dark");
});

test("a theme that is kept while the person signs out loads nothing", async ({ signedIn }) => {
  const { page } = await signedIn({}, { colorScheme: "light" });
  await page.goto("/app/account");
  await hydrated(page);
  const isSigningOut = Promise.withResolvers<void>();
  const isKept = Promise.withResolvers<void>();
  await page.route("**/preferences", async (route) => {
    await isSigningOut.promise;
    await route.fulfill({ response: await route.fetch({ maxRedirects: 0 }) });
    isKept.resolve();
  });
  await page.route("**/sign-out.data*", async (route) => {
    isSigningOut.resolve();
    await isKept.promise;
    await route.continue();
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".data")) asked.push(pathname);
  });

  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Dark", exact: true }).click();
  await main.getByRole("button", { name: "Sign Out", exact: true }).last().click();

  await expect(page.getByRole("heading", { name: "Login or Sign Up" })).toBeVisible();
  await expect(page).toHaveURL("/login");
  // A page that loads again beside the one after the sign-out would leave its own address in the browser.
  expect(asked).toEqual(["/sign-out.data", "/login.data"]);
  await page.reload();
  await expectTheme(page, "dark");
});
