import type { Page } from "@playwright/test";
import { newBrowser } from "../support/client.ts";
import { expect, hydrated, signInAs, test, watchesNetwork } from "../support/e2e.ts";
import { newEmail, openSession } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const t = translationsIn("en");

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
  await watchesNetwork(page);
}

test("what is typed into a form comes back after a reload, and goes with Discard", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" });
  await open(page, "/manager/users/new");
  await page.getByLabel("Name").fill("Half a name");
  await page.getByLabel("Email").fill("half@example.com");

  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");
  await expect(page.getByLabel("Email")).toHaveValue("half@example.com");
  await expect(page.getByText(t("common:draft.kept"))).toBeVisible();

  await page.getByRole("button", { name: t("common:draft.discard") }).click();
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expect(page.getByText(t("common:draft.kept"))).toHaveCount(0);
  await open(page, "/manager/users/new");
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expect(page.getByText(t("common:draft.kept"))).toHaveCount(0);
});

test("what is typed comes back after another screen and after a refusal, and not after it was saved", async ({
  signedIn,
}) => {
  const { page } = await signedIn({ role: "admin" });
  const name = `drafted ${process.pid}`;
  await open(page, "/manager/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill("not an email");
  await page.getByRole("button", { name: t("users:create") }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByRole("navigation").getByRole("link", { name: "Organizations" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Organizations");
  await page.goBack();
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await expect(page.getByLabel("Email")).toHaveValue("not an email");

  await page.getByLabel("Email").fill(newEmail("drafted"));
  await page.getByRole("button", { name: t("users:create") }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await open(page, "/manager/users/new");
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expect(page.getByText(t("common:draft.kept"))).toHaveCount(0);
});

test("a draft outlives the end of its session, for the same user alone", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, context, user } = await signedIn({ role: "admin" });
  await open(page, "/manager/users/new");
  await page.getByLabel("Name").fill("Half a name");
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  await page.getByRole("button", { name: t("users:create") }).click();
  await expect(page).toHaveURL(/\/login\?/);

  await signInAs(gatehouse, context, { role: "admin" });
  await open(page, "/manager/users/new");
  await expect(page.getByLabel("Name")).toHaveValue("");

  const again = newBrowser(gatehouse);
  await openSession(gatehouse, again, user.id);
  await context.addCookies(
    [...again.cookies].map(([name, value]) => ({ name, value, url: gatehouse.origin })),
  );
  await open(page, "/manager/users/new");
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");
});

test("a sign-out leaves nothing that was typed in the tab", async ({ signedIn }) => {
  const { page } = await signedIn();
  await open(page, "/app/organizations/new");
  await page.getByLabel("Name", { exact: true }).fill("Half a name");
  const drafts = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft:")));
  expect(await drafts()).toHaveLength(1);
  await page.getByRole("button", { name: t("common:account.menu") }).click();
  await page.getByRole("button", { name: t("common:signOut") }).click();
  await expect(page).toHaveURL("/login");
  expect(await drafts()).toEqual([]);
});

test("offline a link keeps the screen: Back leads to what was typed, and the network opens the link", async ({
  signedIn,
}) => {
  const { page, context } = await signedIn();
  await open(page, "/app/organizations/new");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Half a name");
  await context.setOffline(true);
  await expect(page.getByText(t("common:network.offline")).first()).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Repositories" }).click();
  const dialog = page.getByRole("dialog", { name: t("common:network.pageTitle") });
  await expect(dialog).toContainText(t("common:network.kept"));
  await dialog.getByRole("button", { name: t("common:actions.back") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(name).toHaveValue("Half a name");

  await page.getByRole("navigation").getByRole("link", { name: "Repositories" }).click();
  await expect(dialog).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Repositories");
});
