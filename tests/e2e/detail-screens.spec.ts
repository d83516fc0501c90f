import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

test("on a phone a permission names its roles, in place of a column for each", async ({
  signedIn,
}) => {
  const t = translationsIn("fr");
  const { page } = await signedIn({ role: "admin" }, { locale: "fr", viewport: SIZES.phone });
  await page.goto("/manager/settings/security");
  await page.getByRole("heading", { name: t("settings:roles.title") }).click();
  const table = page.getByRole("region", { name: t("settings:roles.title") });
  const list = table.getByRole("row", { name: t("settings:roles.permissions.user.list") });
  const roles = `${t("users:roles.admin")}, ${t("users:roles.support")} et ${t("users:roles.auditor")}`;

  await expect(list).toContainText(roles);
  await expect(table.getByRole("cell")).toHaveCount(0);
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

  await page.setViewportSize(SIZES.desktop);
  await expect(list.getByRole("cell")).toHaveText([
    t("settings:roles.allowed"),
    t("settings:roles.allowed"),
    t("settings:roles.allowed"),
    `–${t("settings:roles.notAllowed")}`,
  ]);
  await expect(list.getByText(roles)).toBeHidden();
});

test("two linked accounts at one provider stay two lines when another account is gone", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" });
  const { id } = await aUser(gatehouse);
  const link = (provider: string, email: string) =>
    gatehouse.d1
      .prepare(
        `INSERT INTO account (id, account_id, provider_id, user_id, email, created_at, updated_at)
         VALUES (?1, ?1, ?2, ?3, ?4, 1, 1)`,
      )
      .bind(crypto.randomUUID(), provider, id, email)
      .run();
  await link("google", "ada@google.example");
  await link("github", "ada@work.example");
  await link("github", "ada@home.example");
  await page.goto(`/manager/users/${id}`);
  await hydrated(page);
  const facts = page.getByRole("region", { name: t("users:detail.about") });
  const accounts = facts.getByRole("listitem").filter({ hasText: "ada@" });
  await expect(accounts).toHaveText([/ada@google/, /ada@work/, /ada@home/]);

  await gatehouse.d1.prepare("DELETE FROM account WHERE provider_id = 'google'").run();
  await page.getByRole("link", { name: t("users:detail.sessions") }).click();

  await expect(accounts).toHaveText([/ada@work/, /ada@home/]);
});
