import type { Page, Route } from "@playwright/test";
import {
  askForCode,
  expect,
  hydrated,
  signInAs,
  test,
  toast,
  watchesNetwork,
} from "../support/e2e.ts";
import { newEmail } from "../support/people.ts";

const VERSION_CHECK_MS = 5 * 60_000;

/** Holds requests until `letGo` is called. */
async function hold(page: Page, url: string | RegExp, method?: string) {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(url, async (route) => {
    if (isOpen || (method && route.request().method() !== method)) await route.fallback();
    else held.push(route);
  });
  return {
    count: () => held.length,
    async letGo() {
      isOpen = true;
      for (const route of held) await route.continue();
    },
  };
}

/** Waits for the script that watches the network and the version. */
async function watched(page: Page): Promise<void> {
  await expect(page.getByRole("status").last()).toBeAttached();
}

test("a slow navigation shows a bar, and a quick one does not", async ({ page }) => {
  const email = newEmail();
  await page.goto(`/login/verify?email=${email}`);
  await hydrated(page);
  const answer = await hold(page, /\/login\.data/);
  const bar = page.getByRole("progressbar", { name: "Loading" });
  await expect(bar).toHaveCount(0);
  await page.getByRole("link", { name: "Use another email" }).click();
  await expect(bar).toBeVisible();
  await answer.letGo();
  await expect(page).toHaveURL("/login");
  await expect(bar).toHaveCount(0);

  // Changes the title when a bar is shown at any time.
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('[role="progressbar"]')) document.title = "A bar was shown";
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await expect(page).not.toHaveTitle("A bar was shown");
});

test("a busy button says so, keeps its focus and cannot be pressed twice", async ({ page }) => {
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(newEmail());
  const posts = await hold(page, /\/login\.data/, "POST");
  const button = page.getByRole("button", { name: "Continue with email" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toBeFocused();
  await button.click({ force: true });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  expect(posts.count()).toBe(1);
  await posts.letGo();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
});

test("Enter in the field sends a form once while its request is pending", async ({ page }) => {
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(newEmail());
  const posts = await hold(page, /\/login\.data/, "POST");
  await page.getByLabel("Email").press("Enter");
  await expect(page.getByRole("button", { name: "Continue with email" })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  await page.getByLabel("Email").press("Enter");
  expect(posts.count()).toBe(1);
  await posts.letGo();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
});

test("Confirm sends the code once while its request is pending", async ({ page, gatehouse }) => {
  const email = newEmail();
  await askForCode(page, email);
  const posts = await hold(page, /\/login\/verify\.data/, "POST");
  const field = page.getByLabel("6-digit code");
  await field.pressSequentially(await gatehouse.mailbox.codeFor(email));
  const confirm = page.getByRole("button", { name: "Confirm" });
  await expect(confirm).toHaveAttribute("aria-busy", "true");
  await field.press("Enter");
  await confirm.click({ force: true });
  expect(posts.count()).toBe(1);
  await posts.letGo();
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("text typed before the scripts load is kept", async ({ page, gatehouse }) => {
  const email = newEmail();
  const scripts = await hold(page, /\/assets\/.*\.js/);
  await page.goto("/login", { waitUntil: "commit" });
  await page.getByLabel("Email").fill(email);
  await scripts.letGo();
  await hydrated(page);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();

  const code = await gatehouse.mailbox.codeFor(email);
  const later = await hold(page, /\/assets\/.*\.js/);
  await page.reload({ waitUntil: "commit" });
  const field = page.getByLabel("6-digit code");
  await field.pressSequentially(code.slice(0, 3));
  await later.letGo();
  await hydrated(page);
  await field.pressSequentially(code.slice(3));
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("the page announces being offline, and being online again", async ({ page, context }) => {
  await page.clock.install();
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill("half an addr");
  await watchesNetwork(page);
  await context.setOffline(true);
  const offline = page.getByRole("status").filter({ hasText: "You are offline." });
  const online = page.getByRole("status").filter({ hasText: "You are back online." });
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(online).toBeVisible();
  await expect(offline).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(online).toHaveCount(0);
  await expect(page.getByLabel("Email")).toHaveValue("half an addr");
});

test("a new version is offered, never forced", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill("half an addr");
  await watched(page);
  await page.clock.fastForward(VERSION_CHECK_MS);
  const notice = page.getByRole("status").filter({ hasText: "A new version is available." });

  await page.route("/health", (route) =>
    route.fulfill({ headers: { "X-Gatehouse-Version": "another" }, json: { status: "ok" } }),
  );
  await expect(notice).toHaveCount(0);
  await page.clock.fastForward(VERSION_CHECK_MS);
  await expect(notice).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("half an addr");

  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Reload" }).click();
  await reloaded;
  await expect(notice).toHaveCount(0);
});

test("a failing version check is not taken for a new version", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login");
  await hydrated(page);
  await watched(page);
  const asked = page.waitForEvent("requestfailed");
  await page.route("/health", (route) => route.abort());
  await page.clock.fastForward(VERSION_CHECK_MS);
  await asked;
  await expect(page.getByText("A new version is available.")).toHaveCount(0);
});

test("a part whose script cannot be loaded breaks nothing else", async ({ page }) => {
  await page.route(/\/assets\/(browser-notices|toaster)-/, (route) => route.abort());
  const email = newEmail();
  await page.goto("/login/verify?email=nobody");
  await hydrated(page);
  await expect(page.getByRole("alert").filter({ hasText: "Email is invalid" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
});

test("a toast disappears by itself, and does not come back", async ({ page }) => {
  await page.clock.install();
  await page.goto("/login/verify?email=nobody");
  await hydrated(page);
  await expect(toast(page, "Email is invalid")).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(toast(page, "Email is invalid")).toHaveCount(0);
  await page.getByRole("button", { name: "Language and theme" }).click();
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 17, 19)");
  await page.getByLabel("Email").fill("nobody@example");
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Email is invalid" })).toBeVisible();
  // Counted at once, because a returning toast would disappear again. The field's own alert has the same text.
  expect(await page.getByRole("region").getByText("Email is invalid").count()).toBe(0);
});

test("signing out while the server fails still ends the session in this browser", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await page.goto("/app");
  await hydrated(page);
  await gatehouse.d1.exec("ALTER TABLE session RENAME TO session_away");
  gatehouse.expectErrors("session.not_ended");
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/login");
  await expect(toast(page, "You are signed out in this browser only.")).toBeVisible();
  await gatehouse.d1.exec("ALTER TABLE session_away RENAME TO session");
  await page.goto("/app");
  await expect(page).toHaveURL("/login?redirect=%2Fapp");
});
