import type { Page } from "@playwright/test";
import { expect, hydrated, signInAs, test } from "../support/e2e.ts";

test("signing out in one tab signs the other one out", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context);
  const other = await context.newPage();
  await page.goto("/app");
  await other.goto("/app/organizations");
  await hydrated(page);
  await hydrated(other);

  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/login");
  await expect(other).toHaveURL("/login?redirect=%2Fapp%2Forganizations");
});

/** Returns the search params of lists that the page's tab keeps. */
function storedSearches(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.entries(sessionStorage).flatMap(([key, value]) =>
      key.startsWith("gatehouse.list:") ? [String(value)] : [],
    ),
  );
}

test("signing out removes the searches of lists from every tab", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto("/manager/users?searchTerm=someone");
    await hydrated(tab);
    await expect.poll(() => storedSearches(tab)).toEqual(["?searchTerm=someone"]);
  }

  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/login");
  await expect(other).toHaveURL(/^[^?]*\/login\?/);
  for (const tab of [page, other]) await expect.poll(() => storedSearches(tab)).toEqual([]);
});

for (const way of ["a navigation", "a new document"] as const) {
  test(`${way} after a session's end removes the searches of lists`, async ({
    context,
    page,
    gatehouse,
  }) => {
    const user = await signInAs(gatehouse, context, { role: "admin" });
    await page.goto("/manager/users?searchTerm=someone");
    await hydrated(page);
    await expect.poll(() => storedSearches(page)).toEqual(["?searchTerm=someone"]);

    await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
    if (way === "a navigation") await page.getByRole("link", { name: "Dashboard" }).click();
    else await page.reload();
    await expect(page).toHaveURL(/\/login\?/);
    await expect.poll(() => storedSearches(page)).toEqual([]);
  });
}

test("signing in as another user in one tab shows them in the other", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { name: "Amani" });
  const other = await context.newPage();
  await page.goto("/app");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: /Amani/ })).toBeVisible();

  await signInAs(gatehouse, context, { name: "Rehema" });
  await other.goto("/app");
  await expect(other.getByRole("heading", { name: /Rehema/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Rehema/ })).toBeVisible();
});

test("a session ended elsewhere is noticed when the page becomes visible again", async ({
  context,
  page,
  gatehouse,
}) => {
  const user = await signInAs(gatehouse, context);
  await page.clock.install();
  await page.goto("/app");
  await hydrated(page);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  await page.clock.fastForward(2 * 60_000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL("/login?redirect=%2Fapp");
});

test("the next navigation after a session's end leads to the login screen and back", async ({
  context,
  page,
  gatehouse,
}) => {
  const user = await signInAs(gatehouse, context);
  await page.goto("/app");
  await hydrated(page);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  await page.getByRole("link", { name: "Organizations", exact: true }).click();
  await expect(page).toHaveURL("/login?redirect=%2Fapp%2Forganizations");

  await page.getByLabel("Email").fill(user.email);
  await page.getByRole("button", { name: "Continue with email" }).click();
  await page
    .getByLabel("6-digit code")
    .pressSequentially(await gatehouse.mailbox.codeFor(user.email));
  await expect(page).toHaveURL("/app/organizations");
});

test("an admin switches between the areas", async ({ context, page, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager");
  await hydrated(page);
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("link", { name: "User app" }).click();
  await expect(page).toHaveURL("/app");
  // The URL changes before the header: a click on the old header would open a menu that disappears.
  await expect(page.getByRole("heading", { level: 1, name: /^Hello/ })).toBeVisible();
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("link", { name: "Back-office" }).click();
  await expect(page).toHaveURL("/manager/dashboard");
});

test("a user without a name goes to onboarding, then back to the page", async ({
  context,
  page,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { name: "", onboarded_at: null });
  await page.goto("/app/organizations");
  await expect(page).toHaveURL("/onboarding?redirect=%2Fapp%2Forganizations");
  await hydrated(page);
  const name = page.getByRole("textbox", { name: "What is your name?" });
  const next = page.getByRole("button", { name: "Continue" });
  await next.click();
  await expect(name).toHaveAccessibleDescription("Name is required");
  await expect(name).toBeFocused();
  await name.fill("123");
  await next.click();
  await expect(name).toHaveAccessibleDescription("Name is invalid");
  await expect(name).toHaveValue("123");
  await name.fill("زهراء");
  await next.click();
  await expect(page).toHaveURL("/app/organizations");
});
