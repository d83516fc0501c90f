import type { Locator, Page } from "@playwright/test";
import { screensIn } from "../../app/features/access/navigation.ts";
import { saveAccess } from "../support/access-settings.ts";
import { expect, hydrated, SIZES, test, toast } from "../support/e2e.ts";
import { aFailedMail, mailIs } from "../support/failed-mail.ts";
import { matrix } from "../support/matrix.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import { anAdmin, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

// What operators do: decide who may come in, ask for new terms, and give a part of their rights to others.

const ACCESS = "/manager/settings/access";

const SETTINGS = matrix(
  {
    language: ["en", "ar", "en"],
    size: ["desktop", "phone", "phone"],
    hasScript: [true, true, false],
  },
  1,
);

function nameOf({ language, size, hasScript }: (typeof SETTINGS)[number]): string {
  return `${language}, ${size}, JavaScript ${hasScript ? "on" : "off"}`;
}

function optionsOf({ language, size, hasScript }: (typeof SETTINGS)[number]) {
  return { locale: language, viewport: SIZES[size], javaScriptEnabled: hasScript };
}

/** Opens a page and waits until it can be used. */
async function open(page: Page, path: string, hasScript: boolean) {
  await page.goto(path);
  if (hasScript) await hydrated(page);
}

/**
 * Takes the settings back, because the tests of a worker share its product. It shows old settings for a while unless it
 * saves new ones itself.
 */
test.afterEach(async ({ gatehouse }) => {
  await gatehouse.d1.exec("UPDATE site_setting SET terms_url = NULL, terms_version = NULL");
  const { browser } = await anAdmin(gatehouse);
  await saveAccess(gatehouse, browser);
});

for (const setting of SETTINGS) {
  const { language, hasScript } = setting;
  const t = translationsIn(language);

  test(`the save button stays in view while the rules of access are not saved (${nameOf(setting)})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, optionsOf(setting));
    await open(page, ACCESS, hasScript);
    const mode = page.getByRole("group", { name: t("settings:signUp.mode") });
    const unsaved = page.getByRole("status").filter({ hasText: t("common:saveBar.unsaved") });
    const save = page.getByRole("button", { name: t("settings:save"), exact: true });
    await expect(unsaved).toBeHidden();
    // Without JavaScript the page cannot know what changed, so the button is always in view.
    if (!hasScript) await expect(save).toBeInViewport();
    await mode.getByRole("radio", { name: t("settings:signUp.invitation"), exact: true }).check();
    await expect(unsaved).toBeVisible({ visible: hasScript });
    await expect(save).toBeInViewport();
    await mode.getByRole("radio", { name: t("settings:signUp.open"), exact: true }).check();
    await expect(unsaved).toBeHidden();
    await mode.getByRole("radio", { name: t("settings:signUp.invitation"), exact: true }).check();
    await save.click();
    await expect(toast(page, t("settings:saved"))).toBeVisible();
    await expect(unsaved).toBeHidden();
  });

  test(`a refused save counts the wrong fields and leads to the first (${nameOf(setting)})`, async ({
    signedIn,
  }) => {
    const { page } = await signedIn({ role: "admin" }, optionsOf(setting));
    await open(page, ACCESS, hasScript);
    const blocked = page.getByLabel(t("settings:emails.blocked"));
    await unfold(page, t("settings:emails.title"), blocked);
    await blocked.fill("example");
    const terms = page.getByLabel(t("settings:terms.url"), { exact: true });
    await unfold(page, t("settings:terms.title"), terms);
    await terms.fill("http://example.com/");
    await page.getByRole("button", { name: t("settings:save"), exact: true }).click();
    const formatted = (count: number) => (language === "ar" ? "" : String(count));
    const values = { count: 2, formatted: formatted(2) };
    const link = page.getByRole("link", { name: t("common:saveBar.refused", values) });
    await expect(link).toBeInViewport();
    await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
    await link.click();
    await expect(blocked).toBeFocused();
    await expect(blocked).toBeInViewport();
    await expect(blocked).toHaveAccessibleDescription(
      new RegExp(t("settings:domains.invalid", { domain: "example" })),
    );
    if (!hasScript) return;

    // What is corrected counts no longer.
    await blocked.fill("example.com");
    await expect(
      page.getByRole("link", {
        name: t("common:saveBar.refused", { count: 1, formatted: formatted(1) }),
      }),
    ).toBeVisible();
    await expect(link).toHaveCount(0);
    await terms.fill("https://example.com/");
    await expect(page.getByText(t("common:saveBar.unsaved"), { exact: true })).toBeVisible();
  });

  test(`what a save of the access would end stays on the screen after a refused save (${nameOf(setting)})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({ role: "admin" }, optionsOf(setting));
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    await anInvitation(gatehouse, {
      organization_id: organization.id,
      inviter_id: user.id,
      email: newEmail("newcomer"),
    });
    await open(page, ACCESS, hasScript);
    await page.getByRole("radio", { name: t("settings:signUp.closed") }).check();
    const terms = page.getByLabel(t("settings:terms.url"), { exact: true });
    await unfold(page, t("settings:terms.title"), terms);
    await terms.fill("acme.test/terms");
    const consequence = page.getByRole("status").getByRole("listitem");
    await expect(consequence).toBeVisible({ visible: hasScript });
    await page.getByRole("button", { name: t("settings:save"), exact: true }).click();
    await expect(terms).toHaveAttribute("aria-invalid", "true");
    await expect(consequence).toBeVisible({ visible: hasScript });
  });

  test(`a new version of the terms is asked at the next page and is on record (${nameOf(setting)})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page: reader, user } = await signedIn({}, optionsOf(setting));
    await open(reader, "/app/organizations", hasScript);
    const { page } = await signedIn({ role: "admin" }, optionsOf(setting));
    const version = `2026-${language}-${setting.size}`;
    await open(page, ACCESS, hasScript);
    const terms = page.getByLabel(t("settings:terms.url"), { exact: true });
    await unfold(page, t("settings:terms.title"), terms);
    await terms.fill("https://example.com/terms");
    await page.getByLabel(t("settings:terms.version"), { exact: true }).fill(version);
    const save = page.getByRole("button", { name: t("settings:save"), exact: true });
    // The consequences are shown before the save; without scripts after a first press.
    if (!hasScript) await save.click();
    await expect(page.getByRole("status").getByRole("listitem").first()).toBeVisible();
    await save.click();
    // The admin is asked as well.
    await expect(page.getByRole("heading", { name: t("common:terms.title") })).toBeVisible();

    await reader.goto("/app/account");
    await expect(reader.getByRole("heading", { name: t("common:terms.title") })).toBeVisible();
    if (hasScript) await hydrated(reader);
    const accept = reader.getByRole("button", { name: t("common:terms.continue") });
    await accept.click();
    await expect(reader.getByText(t("validation:terms.required"))).toBeVisible();
    await reader.getByRole("checkbox").check();
    await accept.click();
    await expect(reader).toHaveURL(/\/app\/account$/);
    await reader.goto("/app/organizations");
    await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();

    const row = await gatehouse.d1
      .prepare("SELECT terms_version, terms_accepted_at > 0 AS is_dated FROM user WHERE id = ?")
      .bind(user.id)
      .first();
    expect(row).toEqual({ terms_version: version, is_dated: 1 });
    const events = await gatehouse.d1
      .prepare(
        "SELECT details FROM audit_event WHERE actor_id = ? AND action = 'user.terms_accepted'",
      )
      .bind(user.id)
      .all<{ details: string }>();
    expect(events.results.map(({ details }) => details).join()).toContain(version);
  });

  test(`an auditor sees and exports, and has no control that changes anything (${nameOf(setting)})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page: admin } = await signedIn({ role: "admin" }, optionsOf(setting));
    const { page, user } = await signedIn({}, optionsOf(setting));
    await open(admin, `/manager/users/${user.id}/update`, hasScript);
    await admin.getByRole("checkbox", { name: t("users:roles.auditor") }).check();
    await admin.getByRole("button", { name: t("users:save"), exact: true }).click();
    await expect(toast(admin, t("users:toast.updated"))).toBeVisible();

    await open(page, "/manager/audit", hasScript);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: t("common:list.export") }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);

    const other = await aUser(gatehouse);
    const closed = [ACCESS, "/manager/settings/security"];
    const ofFeatures = screensIn("manager").map(({ to }) => to);
    const lists = ["/manager/users", `/manager/users/${other.id}`, ...ofFeatures];
    for (const path of [
      ...closed,
      ...lists,
      "/manager/organizations",
      "/manager/mail",
      "/manager/settings/system",
    ]) {
      await open(page, path, hasScript);
      // Forms that post belong to the reader's own things: language, theme, sign-out.
      const own = "/(preferences|sign-out)";
      const forms = await page
        .locator('main form[method="post"]')
        .evaluateAll((found) => found.map((form) => form.getAttribute("action") ?? ""));
      expect([
        path,
        forms.filter((action) => !new RegExp(own).test(action) && path !== ACCESS),
      ]).toEqual([path, []]);
    }
    await open(page, ACCESS, hasScript);
    await expect(page.getByText(t("settings:readOnly"))).toBeVisible();
    await expect(page.getByRole("button", { name: t("settings:save"), exact: true })).toBeHidden();
    await expect(page.getByLabel(t("settings:emails.blocked"))).toBeDisabled();
  });

  test(`support ends a session and sends a mail again (${nameOf(setting)})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page: theirs, user } = await signedIn({}, optionsOf(setting));
    await open(theirs, "/app", hasScript);
    const { page } = await signedIn({ role: "support" }, optionsOf(setting));
    await open(page, `/manager/users/${user.id}`, hasScript);
    await page.getByRole("button", { name: t("users:detail.revoke"), exact: true }).click();
    await expect(toast(page, t("users:toast.revoked"))).toBeVisible();
    await theirs.goto("/app/account");
    await expect(theirs).toHaveURL(/\/login/);

    const email = await aFailedMail(gatehouse);
    await open(page, `/manager/mail?searchTerm=${email}`, hasScript);
    await page.getByRole("button", { name: t("logs:mail.sendAgain") }).click();
    await mailIs("sent", email, gatehouse);
    await gatehouse.mailbox.mailFor(email);
  });
}

/** Unfolds a part of the settings, unless it is open already because it is in use. */
async function unfold(page: Page, title: string, field: Locator): Promise<void> {
  if (!(await field.isVisible())) await page.getByRole("heading", { name: title }).click();
}
