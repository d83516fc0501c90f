import type { BrowserContext, Page } from "@playwright/test";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser, newEmail, wrongCode } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

for (const { language, size, javaScriptEnabled } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    javaScriptEnabled: [true, false],
  },
  1,
)) {
  test.describe(`${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ locale: language, viewport: SIZES[size], javaScriptEnabled });

    test("an e-mail is changed with a code to each e-mail", async ({ context, gatehouse }) => {
      await changeEmail(context, gatehouse, language);
    });

    test("an account is deleted, and kept by signing in again", async ({ context, gatehouse }) => {
      await deleteAndKeep(context, gatehouse, language);
    });
  });
}

async function changeEmail(context: BrowserContext, gatehouse: Gatehouse, language: "en" | "ar") {
  const t = translationsIn(language);
  const user = await signInAs(gatehouse, context);
  const page = await context.newPage();
  await page.goto("/app/account");
  const withScripts = await hasScripts(page);
  if (withScripts) await hydrated(page);
  const drawer = page.getByRole("dialog", { name: t("account:email.title") });
  const field = drawer.getByLabel(t("account:email.label"));
  await expect(field).toBeHidden();
  const change = page.getByRole("link", { name: t("account:email.change") });
  await change.click();
  await expect(page).toHaveURL("/app/account?state=change-email");
  await expect(field).toBeVisible();
  if (withScripts) await expect(field).toBeFocused();
  await drawer.getByRole("link", { name: t("common:actions.cancel") }).click();
  await expect(field).toBeHidden();
  await change.click();
  await field.fill(user.email);
  await page.getByRole("button", { name: t("account:email.continue") }).click();
  await expect(field).toHaveAccessibleDescription(new RegExp(t("account:email.own")));
  await expect(field).toHaveValue(user.email);

  const to = newEmail("new");
  await field.fill(to);
  await page.getByRole("button", { name: t("account:email.continue") }).click();
  await expect(heading(page, t("account:email.email-current.title"))).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`newEmail=${encodeURIComponent(to)}`));
  const code = page.getByLabel(t("login:code"));
  const proof = await gatehouse.mailbox.codeFor(user.email);
  await enter(wrongCode(proof));
  await expect(code).toHaveAccessibleDescription(new RegExp(t("validation:code.invalid")));
  await expect(code).toHaveValue("");
  await enter(proof);
  await expect(heading(page, t("account:email.email-new.title"))).toBeVisible();
  await page.reload();
  await expect(code).toHaveValue("");
  if (withScripts) await hydrated(page);
  await enter(await gatehouse.mailbox.codeFor(to));

  await expect(heading(page, t("account:title"))).toBeVisible();
  await expect(page).toHaveURL("/app/account");
  await expect(toast(page, t("account:toast.emailChanged"))).toBeVisible();
  await expect(page.getByRole("main").getByText(to).first()).toBeVisible();

  /** Enters a code; with JavaScript the sixth digit sends the form. */
  async function enter(digits: string) {
    await code.pressSequentially(digits);
    if (!withScripts) await page.getByRole("button", { name: t("login:confirm") }).click();
  }
}

for (const javaScriptEnabled of [true, false]) {
  const setting = `JavaScript ${javaScriptEnabled ? "on" : "off"}`;
  test(`an account that became a sole owner's in the meantime shows the refusal, and can be deleted once another owner is there, ${setting}`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn("en");
    const { page, user } = await signedIn({}, { viewport: SIZES.phone, javaScriptEnabled });
    const member = await aUser(gatehouse);
    await page.goto("/app/account");
    if (javaScriptEnabled) await hydrated(page);
    const members = { owner: user, members: [member] };
    const { organization } = await anOrganization(gatehouse, {}, members);
    const askForDeletion = () =>
      page.getByRole("button", { name: t("account:deletion.title") }).click();
    await askForDeletion();
    const refusal = page.getByRole("alert").filter({ hasText: organization.name });
    await expect(
      refusal.getByRole("link", { name: t("account:deletion.chooseOwner") }),
    ).toBeInViewport();
    await expect(refusal).toContainText(t("account:deletion.refused"));
    const section = page.getByRole("link", { name: t("account:sections.danger"), exact: true });
    await expect.poll(() => section.evaluate((link) => link.matches(":target-current"))).toBe(true);

    await gatehouse.d1
      .prepare("UPDATE member SET role = 'owner' WHERE organization_id = ?")
      .bind(organization.id)
      .run();
    await page.goto("/app/account");
    if (javaScriptEnabled) await hydrated(page);
    await askForDeletion();

    await expect(page).toHaveURL(/\/app\/account\/delete(#danger)?$/);
  });
}

async function deleteAndKeep(context: BrowserContext, gatehouse: Gatehouse, language: "en" | "ar") {
  const t = translationsIn(language);
  const user = await signInAs(gatehouse, context);
  const page = await context.newPage();
  await page.goto("/app/account");
  const withScripts = await hasScripts(page);
  if (withScripts) await hydrated(page);
  await page.getByRole("button", { name: t("account:deletion.title") }).click();
  await expect(heading(page, t("account:deletion.title"))).toBeVisible();
  const consequences = [
    t("account:deletion.erases"),
    t("account:deletion.signsOut"),
    t("account:deletion.keep", { count: 7 }),
  ];
  for (const sentence of consequences) await expect(page.getByText(sentence)).toBeVisible();
  // The sixth digit does not send the form here. The red button does.
  const field = page.getByLabel(t("login:code"));
  await field.pressSequentially(await gatehouse.mailbox.codeFor(user.email));
  await expect(field).toBeEnabled();
  expect(await isBeingDeleted(gatehouse, user.id)).toBe(false);
  await page.getByRole("button", { name: t("account:deletion.title") }).click();

  await expect(page).toHaveURL(/\/login\?deletion=/);
  const [before = ""] = t("account:deletion.started", { date: "\0" }).split("\0");
  await expect(toast(page, before)).toBeVisible();

  await page.getByLabel(t("login:email")).fill(user.email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await expect(heading(page, t("login:verifyTitle"))).toBeVisible();
  await page
    .getByLabel(t("login:code"))
    .pressSequentially(await gatehouse.mailbox.codeFor(user.email));
  if (!withScripts) await page.getByRole("button", { name: t("login:confirm") }).click();

  await expect(page).toHaveURL(/\/restore$/);
  await page.getByRole("button", { name: t("account:restore.keep") }).click();
  await expect(toast(page, t("account:restore.done"))).toBeVisible();
  await expect(page).toHaveURL("/app");
}

async function isBeingDeleted({ d1 }: Gatehouse, id: string) {
  const dueAt = await d1
    .prepare("SELECT deletion_due_at FROM user WHERE id = ?")
    .bind(id)
    .first("deletion_due_at");
  return dueAt !== null;
}

function heading(page: Page, name: string) {
  return page.getByRole("heading", { level: 1, name });
}

function hasScripts(page: Page): Promise<boolean> {
  // The test can evaluate code in a page without JavaScript, although the page runs none of its own.
  return page.evaluate(() => "__reactRouterContext" in window);
}
