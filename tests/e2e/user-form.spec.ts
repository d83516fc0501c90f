import { confirmButton, expect, hydrated, test, toast } from "../support/e2e.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const LIST = "/manager/users";

test("the form says whether an e-mail is free while it is typed", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const taken = await aUser(gatehouse);
  const other = await aUser(gatehouse);
  const { page } = await signedIn({ role: "admin" });
  const field = page.getByRole("textbox", { name: t("users:email") });

  const screens = [
    [`${LIST}/new`, t("users:emailHint"), t("users:emailFreeForNew")],
    [`${LIST}/${other.id}/update`, t("users:newEmailHint"), t("users:emailFree")],
  ] as const;
  for (const [path, hint, freeHint] of screens) {
    await page.goto(path);
    await hydrated(page);
    await field.fill(taken.email.toUpperCase());
    await expect(field).toHaveAccessibleDescription(new RegExp(t("validation:email.taken")));
    await field.fill("zoe@");
    await expect(field).toHaveAccessibleDescription(hint);
    await field.fill(newEmail("free"));
    await expect(field).toHaveAccessibleDescription(freeHint);
  }

  await field.fill(other.email);
  await expect(field).toHaveAccessibleDescription(t("users:newEmailHint"));
});

test("after an e-mail change the sign-in methods are removed on the user screen", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const person = await aUser(gatehouse);
  await gatehouse.d1
    .prepare(
      "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?1, ?1, 'github', ?1, 1, 1)",
    )
    .bind(person.id)
    .run();
  const { page } = await signedIn({ role: "admin" });
  await page.goto(`${LIST}/${person.id}/update`);
  await hydrated(page);
  await page.getByRole("textbox", { name: t("users:email") }).fill(newEmail("moved"));
  await page.getByRole("button", { name: t("users:save") }).click();

  const notice = page.getByRole("status").filter({ hasText: t("users:methods.text") });
  await expect(notice.getByRole("listitem")).toHaveText([/GitHub/]);
  await page.getByRole("button", { name: t("users:methods.remove", { count: 1 }) }).click();
  await confirmButton(page.getByRole("alertdialog")).click();

  await expect(toast(page, t("users:toast.methodsRemoved"))).toBeVisible();
  await expect(notice).toHaveCount(0);
});
