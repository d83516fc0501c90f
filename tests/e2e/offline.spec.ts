import type { Page } from "@playwright/test";
import {
  askForCode,
  expect,
  hydrated,
  signInAs,
  test,
  toast,
  watchesNetwork,
} from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";
import { aRepository } from "../support/repositories.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

/** Goes offline once the page watches the network, and waits for the notice. */
async function goOffline(page: Page, t = translationsIn("en")): Promise<void> {
  await watchesNetwork(page);
  await page.context().setOffline(true);
  await expect(page.getByText(t("common:network.offline"))).toBeVisible();
}

/** Finds the notice about an unsent request, and its buttons. */
function unsentOn(page: Page, t = translationsIn("en")) {
  return {
    notSent: page.getByText(t("common:network.notSent")),
    sendNow: page.getByText(t("common:network.sendNow")),
    tryAgain: page.getByRole("button", { name: t("common:actions.tryAgain") }),
    send: page.getByRole("button", { name: t("common:network.send") }),
    dismiss: page.getByRole("button", { name: t("common:actions.close") }),
  };
}

async function countRepositories(gatehouse: Gatehouse, name: string): Promise<number> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM repository WHERE name = ?")
    .bind(name)
    .all();
  return results.length;
}

for (const language of ANY_LANGUAGE) {
  test(`a form submitted offline keeps its values, and is sent once when online (${language})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page, context } = await signedIn({ role: "admin" }, { locale: language });
    await page.goto("/manager/repositories/new");
    await hydrated(page);
    const name = `offline ${language} ${process.pid}`;
    const field = page.getByLabel(t("repositories:name"));
    const link = page.getByLabel(t("repositories:link"));
    const description = page.getByLabel(t("repositories:description"));
    await field.fill(name);
    await link.fill("example.com/offline");
    await description.fill("Half of it.");
    const unsent = unsentOn(page, t);

    await goOffline(page, t);
    await page.getByRole("button", { name: t("repositories:create") }).click();
    await expect(unsent.notSent).toBeVisible();
    await expect(field).toHaveValue(name);
    await expect(link).toHaveValue("example.com/offline");
    await expect(page.getByRole("navigation").first()).toBeVisible();

    await unsent.tryAgain.click();
    await expect(unsent.tryAgain).toHaveAttribute("aria-busy", "true");
    await expect(unsent.tryAgain).not.toHaveAttribute("aria-busy");
    await expect(unsent.notSent).toBeVisible();

    await context.setOffline(false);
    await expect(unsent.sendNow).toBeVisible();
    await description.fill("All of it.");
    await unsent.send.click();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page.getByRole("definition").getByText("All of it.")).toBeVisible();
    await expect(unsent.sendNow).toHaveCount(0);
    expect(await countRepositories(gatehouse, name)).toBe(1);
  });
}

test("a form whose request was lost keeps its values, and Send now sends them", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager/repositories/new");
  await hydrated(page);
  const name = `lost ${process.pid}`;
  await page.getByLabel("Name").fill("Half a name");
  await page.getByLabel("Link").fill("example.com/lost");
  await watchesNetwork(page);
  await page.route("**/repositories/new.data", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Create" }).click();
  const unsent = unsentOn(page);
  await expect(unsent.sendNow).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");

  await page.getByLabel("Name").fill(name);
  await unsent.send.click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  expect(await countRepositories(gatehouse, name)).toBe(1);
});

test("a link followed offline keeps the screen", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager/repositories/new");
  await hydrated(page);
  await page.getByLabel("Name").fill("kept");
  await goOffline(page);
  await page.getByRole("link", { name: "Users" }).click();
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(page).toHaveURL("/manager/repositories/new");
  await expect(page.getByLabel("Name")).toHaveValue("kept");

  await unsent.dismiss.click();
  await expect(unsent.notSent).toHaveCount(0);
  await page.getByRole("link", { name: "Users" }).click();
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page).toHaveURL("/manager/users");
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
});

test("Back keeps the screen while offline", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager/users");
  await hydrated(page);
  await page.getByRole("link", { name: "Repositories" }).click();
  await expect(page.getByRole("heading", { name: "Repositories" })).toBeVisible();
  await goOffline(page);
  await page.goBack();
  await expect(unsentOn(page).notSent).toBeVisible();
  await expect(page.getByRole("heading", { name: "Repositories" })).toBeVisible();
  await expect(page).toHaveURL("/manager/repositories");
});

test("a search typed offline keeps the term and the rows", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `needle ${process.pid}`;
  await aRepository(gatehouse, { name });
  await page.goto("/manager/repositories");
  await hydrated(page);
  const search = page.getByRole("searchbox");
  await goOffline(page);
  await search.pressSequentially(name);
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(search).toHaveValue(name);
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page).toHaveURL(/searchTerm=needle/);
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
});

test("Load more keeps the rows while offline, and continues when online", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const word = `more${process.pid}`;
  for (let index = 0; index < 21; index++) {
    await aRepository(gatehouse, { name: `${word} ${index}` });
  }
  await page.goto(`/manager/repositories?searchTerm=${word}`);
  await hydrated(page);
  await goOffline(page);
  await page.getByRole("link", { name: "Load more" }).click();
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(21);
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page.getByRole("row")).toHaveCount(22);
});

test("the sixth digit of a code typed offline is kept, and can be sent later", async ({
  page,
  context,
  gatehouse,
}) => {
  const email = newEmail();
  await askForCode(page, email);
  await hydrated(page);
  const code = await gatehouse.mailbox.codeFor(email);
  const field = page.getByLabel("6-character code");
  await goOffline(page);
  await field.pressSequentially(code);
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(field).toHaveValue(code);
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("a drawer's form submitted offline stays open, with the notice inside", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context);
  await page.goto("/app/account?state=change-name");
  await hydrated(page);
  const drawer = page.getByRole("dialog", { name: "Change your name" });
  await drawer.getByLabel("Name").fill("Offline Name");
  await goOffline(page);
  await drawer.getByRole("button", { name: "Save" }).click();
  const unsent = unsentOn(page);
  await expect(drawer.getByText("Not sent: you are offline.")).toBeVisible();
  await expect(drawer.getByLabel("Name")).toHaveValue("Offline Name");
  const notice = await unsent.tryAgain.boundingBox();
  const top = (await drawer.boundingBox())?.y ?? 0;
  expect(top - ((notice?.y ?? 0) + (notice?.height ?? 0))).toBeGreaterThan(0);
  expect(top - ((notice?.y ?? 0) + (notice?.height ?? 0))).toBeLessThan(32);
  await context.setOffline(false);
  await unsent.send.click();
  await expect(toast(page, "Your name has been changed.")).toBeVisible();
  await expect(drawer).toHaveCount(0);
});

test("a bulk action submitted offline continues when online", async ({
  page,
  context,
  gatehouse,
}) => {
  await signInAs(gatehouse, context, { role: "admin" });
  const name = `bulk ${process.pid}`;
  await aRepository(gatehouse, { name });
  await page.goto(`/manager/repositories?searchTerm=${encodeURIComponent(name)}`);
  await hydrated(page);
  await page.getByRole("checkbox", { name: new RegExp(name) }).check();
  await goOffline(page);
  const bar = page.getByRole("form", { name: "Selected rows" });
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Confirm" }).click();
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(page.getByRole("checkbox", { name: new RegExp(name) })).toBeChecked();
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page.locator('section[role="status"]')).toContainText("1 deleted:");
  expect(await countRepositories(gatehouse, name)).toBe(0);
});

test("signing out while offline waits for the network", async ({ page, context, gatehouse }) => {
  await signInAs(gatehouse, context);
  await page.goto("/app");
  await hydrated(page);
  await goOffline(page);
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  const unsent = unsentOn(page);
  await expect(unsent.notSent).toBeVisible();
  await expect(page).toHaveURL("/app");
  await context.setOffline(false);
  await unsent.send.click();
  await expect(page).toHaveURL("/login");
});

for (const language of ANY_LANGUAGE) {
  test(`a page that fails while offline says so, and tries again by itself when online (${language})`, async ({
    newContext,
  }) => {
    const t = translationsIn(language);
    const context = await newContext({ locale: language });
    const page = await context.newPage();
    // Without the network script nothing holds the request.
    await page.route(/\/assets\/browser-notices-/, (route) => route.abort());
    await page.goto("/login");
    await hydrated(page);
    await page.getByLabel(t("login:email")).fill(newEmail());
    await context.setOffline(true);
    await page.getByRole("button", { name: t("login:withEmail") }).click();
    await expect(page.getByRole("heading", { name: t("common:network.pageTitle") })).toBeVisible();
    await expect(page.getByText(t("common:network.pageText"))).toBeVisible();
    await expect(page.getByRole("link", { name: t("common:actions.tryAgain") })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole("heading", { name: t("login:titleWithSignUp") })).toBeVisible();
  });
}
