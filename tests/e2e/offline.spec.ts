import type { Page } from "@playwright/test";
import {
  askForCode,
  confirmButton,
  expect,
  hydrated,
  test,
  toast,
  watchesNetwork,
} from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

const t = translationsIn("en");

/** Goes offline once the page watches the network, and waits for the notice. */
async function goOffline(page: Page, text = t): Promise<void> {
  await watchesNetwork(page);
  await page.context().setOffline(true);
  await expect(page.getByText(text("common:network.offline"))).toBeVisible();
}

async function countUsers(gatehouse: Gatehouse, name: string): Promise<number> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM user WHERE name = ?")
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
    await page.goto("/manager/users/new");
    await hydrated(page);
    const name = `offline ${language} ${process.pid}`;
    const field = page.getByLabel(t("users:name"));
    const address = page.getByLabel(t("users:email"));
    const create = page.getByRole("button", { name: t("users:create") });
    const notice = page.getByText(t("common:network.notSent"));
    await field.fill(name);
    const email = newEmail("offline");
    await address.fill(`half-${email}`);

    await goOffline(page, t);
    await create.click();
    await expect(notice).toBeVisible();
    await expect(field).toHaveValue(name);
    await expect(address).toHaveValue(`half-${email}`);
    await expect(page.getByRole("navigation").first()).toBeVisible();

    await context.setOffline(false);
    await address.fill(email);
    await create.click();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page.getByRole("main").getByText(email).first()).toBeVisible();
    await expect(notice).toHaveCount(0);
    expect(await countUsers(gatehouse, name)).toBe(1);
  });

  test(`a link followed offline opens a page that says so, and loads itself when online (${language})`, async ({
    signedIn,
  }) => {
    const t = translationsIn(language);
    const { page, context } = await signedIn({ role: "admin" }, { locale: language });
    const link = (name: string) => page.getByRole("navigation").getByRole("link", { name });
    await page.goto("/manager/organizations");
    await hydrated(page);
    await link(t("users:title")).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("users:title"));
    await goOffline(page, t);
    await link(t("manager-organizations:title")).click();
    await expect(page.getByRole("heading", { name: t("common:network.pageTitle") })).toBeVisible();
    await expect(page.getByText(t("common:network.pageText"))).toBeVisible();
    await expect(page.getByRole("link", { name: t("common:actions.tryAgain") })).toBeVisible();

    await context.setOffline(false);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      t("manager-organizations:title"),
    );
  });
}

test("a form whose request was lost keeps its values, and is sent by its button", async ({
  signedIn,
  gatehouse,
}) => {
  const { page } = await signedIn({ role: "admin" });
  await page.goto("/manager/users/new");
  await hydrated(page);
  const name = `lost ${process.pid}`;
  await page.getByLabel("Name").fill("Half a name");
  await page.getByLabel("Email").fill(newEmail("lost"));
  await watchesNetwork(page);
  await page.route("**/users/new.data", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText(t("common:network.notSent"))).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");

  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  expect(await countUsers(gatehouse, name)).toBe(1);
});

test("a search typed offline finds its rows when online", async ({ signedIn, gatehouse }) => {
  const { page, context } = await signedIn({ role: "admin" });
  const name = `needle ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.goto("/manager/users");
  await hydrated(page);
  await goOffline(page);
  await page.getByRole("searchbox").fill(name);
  await expect(page.getByRole("heading", { name: t("common:network.pageTitle") })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("searchbox")).toHaveValue(name);
  await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
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
  const field = page.getByLabel("6-digit code");
  await goOffline(page);
  await field.pressSequentially(code);
  await expect(page.getByText(t("common:network.notSent"))).toBeVisible();
  await expect(field).toHaveValue(code);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("a drawer's form submitted offline stays open, with the notice above it", async ({
  signedIn,
}) => {
  const { page, context } = await signedIn();
  await page.goto("/app/account?state=change-name");
  await hydrated(page);
  const drawer = page.getByRole("dialog", { name: "Change your name" });
  await drawer.getByLabel("Name").fill("Offline Name");
  await goOffline(page);
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(drawer.getByText(t("common:network.notSent"))).toBeInViewport({ ratio: 1 });
  await expect(drawer.getByLabel("Name")).toHaveValue("Offline Name");
  await context.setOffline(false);
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "Your name has been changed.")).toBeVisible();
  await expect(drawer).toHaveCount(0);
});

test("a bulk action submitted offline keeps its rows, and can be sent later", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, context } = await signedIn({ role: "admin" });
  const name = `bulk ${process.pid}`;
  await aUser(gatehouse, { name });
  await page.goto(`/manager/users?searchTerm=${encodeURIComponent(name)}`);
  await hydrated(page);
  await page.getByRole("checkbox", { name: new RegExp(name) }).check();
  await goOffline(page);
  const bar = page.getByRole("form", { name: "Selected rows" });
  const remove = async () => {
    await bar.getByRole("button", { name: "Delete" }).click();
    await confirmButton(page.getByRole("alertdialog")).click();
  };
  await remove();
  await expect(page.getByText(t("common:selection.broken"))).toBeVisible();
  await expect(page.getByRole("checkbox", { name: new RegExp(name) })).toBeChecked();
  await context.setOffline(false);
  await remove();
  await expect(page.locator('section[role="status"]')).toContainText("1 deleted:");
  expect(await countUsers(gatehouse, name)).toBe(0);
});
