import type { Locator, Page, Request } from "@playwright/test";
import { expect, hydrated, test } from "../support/e2e.ts";
import { translationsIn } from "../support/translations.ts";

const t = translationsIn("en");

function isAhead(request: Request): boolean {
  return request.headers().purpose === "prefetch";
}

/** Collects the paths that the router loads from now on, with a mark before those that are loaded ahead. */
function loadsOf(page: Page): string[] {
  const loads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith(".data")) return;
    loads.push(`${isAhead(request) ? "ahead " : ""}${pathname}`);
  });
  return loads;
}

/** Opens a screen, and waits for the code that loads ahead, which loads after hydration. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator(".browser-notices").waitFor({ state: "attached" });
  await hydrated(page);
}

/** A link of the back-office's navigation. */
function navigationLink(page: Page, name: string): Locator {
  return page
    .getByRole("navigation", { name: t("manager:navigation") })
    .getByRole("link", { name });
}

/** Rests on a link until its screen has loaded. */
async function rest(page: Page, link: Locator): Promise<void> {
  const loaded = page.waitForEvent("requestfinished", isAhead);
  await link.hover();
  await loaded;
}

test("a click shows the screen that loaded while the pointer rested on its link", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" });
  await open(page, "/manager/audit");
  const loads = loadsOf(page);
  const link = navigationLink(page, "Users");

  await rest(page, link);
  await link.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("users:title"));
  expect(loads).toEqual(["ahead /manager/users.data"]);

  // What was loaded ahead answers once. The pointer rests on no link from here on.
  await page.mouse.move(700, 30);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("logs:audit.title"));
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("users:title"));
  expect(loads.slice(1)).toEqual(["/manager/audit.data", "/manager/users.data"]);
});

test("a change is not hidden by what was loaded before it", async ({ signedIn }) => {
  const { page } = await signedIn({ role: "admin" });
  await open(page, "/manager/repositories/new");
  const name = `ahead-${crypto.randomUUID().slice(0, 8)}`;
  const link = navigationLink(page, "Repositories");
  await page.getByLabel(t("repositories:name")).fill(name);
  await page.getByLabel(t("repositories:link")).fill("https://git.example.com/ahead");
  await rest(page, link);

  await page.getByLabel(t("repositories:name")).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await link.click();
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
});

test("a toast waits for a screen that is shown", async ({ signedIn, gatehouse }) => {
  const { page, context } = await signedIn({ role: "admin" });
  await open(page, "/manager/audit");
  const toast = { id: crypto.randomUUID(), kind: "info", message: "login:resent" };
  const value = encodeURIComponent(JSON.stringify(toast));
  await context.addCookies([{ name: "gatehouse.toast", value, url: gatehouse.origin }]);

  await rest(page, navigationLink(page, "Users"));
  await navigationLink(page, "Emails").click();
  await expect(page.getByRole("region").getByText(t("login:resent"))).toBeVisible();
});

test("the results of a search are loaded by a click alone, because searches are counted", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" });
  await open(page, "/manager/users?searchTerm=a");
  const loads = loadsOf(page);
  await page.clock.install();

  const order = page.getByRole("columnheader").getByRole("link", { name: t("users:email") });
  await order.hover();
  await page.clock.runFor(1_000);
  const loaded = page.waitForEvent("requestfinished", isAhead);
  await navigationLink(page, "Emails").hover();
  await page.clock.runFor(1_000);
  await loaded;
  expect(loads).toEqual(["ahead /manager/mail.data"]);
});
