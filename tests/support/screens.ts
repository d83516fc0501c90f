import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { createDb } from "../../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../../app/features/demo/sample-data.server.ts";
import { seed } from "../../app/features/demo/seed.server.ts";
import { isolate } from "../../app/ui/isolate.ts";
import { changePath } from "./account.ts";
import { newBrowser } from "./client.ts";
import { hydrated, signInAs, watchesNetwork } from "./e2e.ts";
import { insertRows } from "./insert.ts";
import { markInput } from "./layout.ts";
import { ORGANIZATION_SCREENS } from "./organization-screens.ts";
import { anInvitation, anOrganization } from "./organizations.ts";
import { aUser, newEmail, openSession, type Person, signIn, wrongCode } from "./people.ts";
import { aPicture } from "./pictures.ts";
import { SETTINGS_SCREENS } from "./settings-screens.ts";
import { go, type Screen, type Visit } from "./visit.ts";
import type { Gatehouse, GatehouseOptions } from "./worker.ts";

const DAY_MS = 86_400_000;

/** All sign-in methods on, so that the login screen shows every button. The tests never call the providers. */
export const SETTINGS: GatehouseOptions = {
  vars: {
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
    OIDC_NAME: "Testpass",
    OIDC_DISCOVERY_URL: "http://127.0.0.1:1/.well-known/openid-configuration",
    OIDC_CLIENT_ID: "id",
    OIDC_CLIENT_SECRET: "secret",
  },
};

/** Every screen of the product, in each state that looks different. */
export const SCREENS: Screen[] = [
  { name: "login", open: ({ page }) => go(page, "/login") },
  {
    name: "login-invalid",
    async open({ page, t }) {
      await go(page, "/login");
      await page.getByLabel(t("login:email")).fill("zawadi at example");
      await page.getByRole("button", { name: t("login:withEmail") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:email.invalid") })
        .waitFor();
    },
  },
  {
    name: "login-sign-up-off",
    settings: { vars: { SIGN_UP_ENABLED: "false" } },
    open: ({ page }) => go(page, "/login"),
  },
  {
    name: "login-demo",
    settings: { vars: { DEMO: "true" } },
    open: ({ page }) => go(page, "/login"),
  },
  {
    name: "login-environment",
    settings: { vars: { ENVIRONMENT_NAME: "staging" } },
    open: ({ page }) => go(page, "/login"),
  },
  {
    name: "language-menu",
    async open({ page, t }) {
      await go(page, "/login");
      await page.getByRole("button", { name: t("common:language.choose") }).click();
    },
  },
  {
    name: "theme-menu",
    async open({ page, t }) {
      await go(page, "/login");
      await page.getByRole("button", { name: t("common:theme.choose") }).click();
    },
  },
  { name: "verify", open: (visit) => askForCode(visit).then(() => {}) },
  {
    name: "verify-typing",
    async open(visit) {
      await askForCode(visit);
      await visit.page.keyboard.type("1234");
    },
  },
  {
    name: "verify-wrong-code",
    async open(visit) {
      const code = await visit.gatehouse.mailbox.codeFor(await askForCode(visit));
      await enterWrongCodes(visit, code, 1);
    },
  },
  {
    name: "verify-locked",
    async open(visit) {
      const code = await visit.gatehouse.mailbox.codeFor(await askForCode(visit));
      await enterWrongCodes(visit, code, 3);
    },
  },
  {
    name: "verify-demo",
    settings: { vars: { DEMO: "true" } },
    async open(visit) {
      const { email } = await aUser(visit.gatehouse);
      await askForCode(visit, email);
    },
  },
  ...["signup_disabled", "access_denied", "unknown_error"].map((reason) => ({
    name: `login-error-${reason}`,
    open: ({ page }: Visit) => go(page, `/login/error?error=${reason}`),
  })),
  {
    name: "login-error-banned",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { email } = await aUser(gatehouse, {
        banned: 1,
        ban_reason: "Sold tickets to the same show twice.",
        ban_expires: Date.UTC(2099, 4, 1, 12),
      });
      await askForCode(visit, email);
      await page.keyboard.type(await gatehouse.mailbox.codeFor(email));
      await page.getByText(t("login:errors.banned.text")).waitFor();
    },
  },
  {
    name: "onboarding",
    async open({ page, gatehouse }) {
      await signInAs(gatehouse, page.context(), { name: "", onboarded_at: null });
      await go(page, "/onboarding");
    },
  },
  {
    name: "onboarding-invalid",
    async open({ page, gatehouse, t }) {
      await signInAs(gatehouse, page.context(), { name: "", onboarded_at: null });
      await go(page, "/onboarding");
      await page.getByRole("button", { name: t("onboarding:continue") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:name.required") })
        .waitFor();
    },
  },
  {
    name: "welcome-toast",
    async open({ page, gatehouse, t }) {
      await signInAs(gatehouse, page.context(), { name: "", onboarded_at: null });
      await go(page, "/onboarding");
      await page.getByRole("textbox", { name: t("onboarding:question") }).fill("زهراء Zawadi");
      await page.getByRole("button", { name: t("onboarding:continue") }).click();
      await page.locator("[data-sonner-toast]").waitFor();
    },
  },
  {
    name: "app-home",
    async open(visit) {
      await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
      await signedIn(visit, "/app");
    },
  },
  {
    name: "app-account-menu",
    async open(visit) {
      await signedIn(visit, "/app", "admin");
      await visit.page.getByRole("button", { name: visit.t("common:account.menu") }).click();
    },
  },
  {
    name: "app-organization-menu",
    async open(visit) {
      const { page, t } = visit;
      const { name } = await workingInOrganization(visit, "/app");
      const label = t("app:organizations.switch", { name: isolate(name) });
      await page.getByRole("button", { name: label }).click();
    },
  },
  {
    name: "app-repositories-shared",
    open: (visit) => workingInOrganization(visit, "/app/repositories").then(() => {}),
  },
  { name: "app-notices", open: (visit) => withNotices(visit, "/app/notices", "user") },
  { name: "app-notices-empty", open: (visit) => signedIn(visit, "/app/notices") },
  { name: "manager-notices", open: (visit) => withNotices(visit, "/manager/notices", "admin") },
  { name: "app-repositories-empty", open: (visit) => signedIn(visit, "/app/repositories") },
  { name: "app-repositories", open: (visit) => signedInWithSamples(visit, "/app/repositories") },
  {
    name: "manager-dashboard",
    async open(visit) {
      await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
      await addBusyDays(visit.gatehouse);
      await visit.gatehouse.runScheduled();
      await signedIn(visit, "/manager/dashboard?days=90", "admin");
      const days = visit.page.getByRole("group", {
        name: visit.t("manager:dashboard.chart.columns"),
      });
      await days.getByRole("img").last().focus();
    },
  },
  {
    name: "manager-dashboard-quiet",
    open: (visit) => signedInWithSamples(visit, "/manager/dashboard"),
  },
  {
    name: "manager-sidebar-collapsed",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/dashboard");
      const sidebar = visit.page.getByRole("checkbox", {
        name: visit.t("manager:sidebar.collapse"),
      });
      // A phone shows a drawer instead.
      if (await sidebar.isVisible()) {
        await sidebar.press("Space");
        return;
      }
      await visit.page.getByRole("button", { name: visit.t("manager:sidebar.open") }).click();
    },
  },
  {
    name: "app-repository",
    open: (visit) => signedInAtFirst(visit, "repository", (id) => `/app/repositories/${id}`),
  },
  ...Object.entries({
    "manager-repositories": "/manager/repositories",
    "manager-repositories-none": "/manager/repositories?searchTerm=nothing+like+this",
    "manager-repository-new": "/manager/repositories/new",
    "manager-users": "/manager/users",
    "manager-user-new": "/manager/users/new",
    "manager-organizations": "/manager/organizations",
    "manager-organizations-filtered": "/manager/organizations?state=disabled",
    "manager-organization-new": "/manager/organizations/new",
    "manager-audit": "/manager/audit",
    "manager-mail": "/manager/mail",
    "manager-system": "/manager/system",
    "manager-settings-access": "/manager/settings/access",
    "manager-settings-roles": "/manager/settings/roles",
  }).map(([name, path]) => ({ name, open: (visit: Visit) => signedInWithSamples(visit, path) })),
  {
    name: "manager-audit-details",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/audit");
      await visit.page.getByLabel(visit.t("common:list.details")).first().click();
    },
  },
  {
    name: "manager-mail-rows",
    async open(visit) {
      const email = newEmail("zawadi");
      await aUser(visit.gatehouse, { email });
      await askForCode(visit, email);
      await signedInWithSamples(visit, "/manager/mail");
      await visit.page.getByLabel(visit.t("common:list.details")).first().click();
    },
  },
  {
    name: "manager-users-selected",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(visit.page, 3);
    },
  },
  {
    name: "manager-users-question",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(page, 3);
      await page.getByRole("button", { name: t("users:ban.title"), exact: true }).click();
    },
  },
  {
    name: "manager-users-report",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      await chooseRows(page, 4);
      await page.getByRole("button", { name: t("users:bulk.setRole") }).click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: t("common:actions.confirm") })
        .click();
      await page.getByRole("link", { name: t("common:selection.dismiss") }).waitFor();
    },
  },
  {
    name: "manager-users-loading",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/users");
      // The request is never answered, so the list keeps loading.
      await page.route("**/manager/users.data*", () => {});
      await page.getByRole("searchbox").fill("ada");
      await page.locator('table[aria-busy="true"]').waitFor();
      await expect(page.getByRole("progressbar", { name: t("common:loading") })).toBeVisible();
    },
  },
  {
    name: "manager-users-failed",
    settings: {},
    problem: "500 /manager/users",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      gatehouse.expectErrors("request.failed");
      await signInAs(gatehouse, page.context(), { role: "admin" });
      await gatehouse.d1.exec("ALTER TABLE counter RENAME TO counter_away");
      try {
        await go(page, "/manager/users?role=admin");
      } finally {
        await gatehouse.d1.exec("ALTER TABLE counter_away RENAME TO counter");
      }
      await page.getByRole("link", { name: t("common:actions.retry") }).waitFor();
    },
  },
  {
    name: "manager-organization",
    open: (visit) => signedInAtFirst(visit, "organization", (id) => `/manager/organizations/${id}`),
  },
  {
    name: "manager-organization-disabled",
    async open(visit) {
      const { organization } = await anOrganization(visit.gatehouse, {
        name: "مؤسسة Zawadi",
        disabled_at: Date.now(),
        disabled_reason: "The bills of two months are unpaid.",
        deletion_due_at: Date.UTC(2099, 4, 1, 12),
      });
      await signedIn(visit, `/manager/organizations/${organization.id}`, "admin");
    },
  },
  {
    name: "manager-organization-refused",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { organization } = await anOrganization(gatehouse);
      await signedIn(visit, `/manager/organizations/${organization.id}`, "admin");
      await page.getByRole("button", { name: t("manager-organizations:addMember.title") }).click();
      const drawer = page.getByRole("alertdialog");
      await drawer.getByLabel(t("manager-organizations:email")).fill(newEmail("nobody"));
      await drawer.getByRole("button", { name: t("common:actions.confirm") }).click();
      await drawer.getByText(t("manager-organizations:refusal.noUser")).waitFor();
    },
  },
  {
    name: "manager-repositories-selected",
    async open(visit) {
      await signedInWithSamples(visit, "/manager/repositories");
      await chooseRows(visit.page, 2);
    },
  },
  {
    name: "manager-repositories-report",
    async open(visit) {
      const { page, t } = visit;
      await signedInWithSamples(visit, "/manager/repositories");
      await chooseRows(page, 2);
      await page.getByRole("button", { name: t("common:actions.delete"), exact: true }).click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: t("common:actions.confirm") })
        .click();
      await page.getByRole("button", { name: t("common:actions.undo"), exact: true }).waitFor();
    },
  },
  {
    name: "manager-repository",
    open: (visit) => signedInAtFirst(visit, "repository", (id) => `/manager/repositories/${id}`),
  },
  {
    name: "manager-repository-update",
    open: (visit) =>
      signedInAtFirst(visit, "repository", (id) => `/manager/repositories/${id}/update`),
  },
  {
    name: "manager-user",
    open: (visit) => signedInAtFirst(visit, "user", (id) => `/manager/users/${id}`),
  },
  ...["sessions", "emails", "audit"].map((tab) => ({
    name: `manager-user-${tab}`,
    async open(visit: Visit) {
      const { page, gatehouse } = visit;
      const { id, email } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      for (let device = 0; device < 2; device++) {
        await signIn(gatehouse, newBrowser(gatehouse), email);
      }
      await signedIn({ page, gatehouse }, `/manager/users/${id}?tab=${tab}`, "admin");
    },
  })),
  {
    name: "manager-user-menu",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { id } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      await signedIn(visit, `/manager/users/${id}`, "admin");
      await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
    },
  },
  {
    name: "manager-user-update",
    open: (visit) => signedInAtFirst(visit, "user", (id) => `/manager/users/${id}/update`),
  },
  { name: "palette", open: (visit) => openPalette(visit) },
  {
    name: "palette-app",
    async open(visit) {
      await signedIn(visit, "/app");
      await pressForPalette(visit);
    },
  },
  {
    name: "palette-found",
    async open(visit) {
      await openPalette(visit, "be");
      await visit.page.getByRole("group", { name: visit.t("search:groups.users") }).waitFor();
    },
  },
  {
    name: "palette-nothing",
    async open(visit) {
      const searchTerm = "nothing like this";
      await openPalette(visit, searchTerm);
      const text = visit.t("search:nothing", { searchTerm: isolate(searchTerm) });
      await visit.page.getByRole("status").getByText(text).waitFor({ state: "attached" });
    },
  },
  {
    name: "palette-failed",
    async open(visit) {
      await visit.page.route("**/_server/**", (route) => route.fulfill({ status: 403 }));
      await openPalette(visit, "er");
      await visit.page.getByRole("button", { name: visit.t("common:actions.retry") }).waitFor();
    },
  },
  {
    name: "shortcuts",
    async open(visit) {
      await signedIn(visit, "/app");
      await hydrated(visit.page);
      await visit.page.keyboard.press("?");
      await visit.page.getByRole("switch").waitFor();
    },
  },
  {
    name: "manager-user-methods",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { id } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      await gatehouse.d1.batch([
        gatehouse.d1
          .prepare(
            "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?1, ?1, 'github', ?1, 1, 1)",
          )
          .bind(id),
        gatehouse.d1
          .prepare(
            `INSERT INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at)
             VALUES (?1, 'YubiKey 5C', '', ?1, ?1, 0, 'singleDevice', 0, 1)`,
          )
          .bind(id),
      ]);
      await signedIn(visit, `/manager/users/${id}/update`, "admin");
      await page.getByRole("textbox", { name: t("users:email") }).fill(newEmail("moved"));
      await page.getByRole("button", { name: t("users:save") }).click();
      await page.getByText(t("users:methods.text")).waitFor();
    },
  },
  {
    name: "manager-user-ban",
    async open(visit) {
      await openDrawer(visit, "users:ban.title");
      await visit.page.getByLabel(visit.t("users:ban.duration")).selectOption("date");
      await visit.page.getByRole("button", { name: visit.t("common:datePicker.pick") }).click();
      await visit.page.getByRole("grid").waitFor();
    },
  },
  {
    name: "manager-user-ban-refused",
    async open(visit) {
      const { page, t } = visit;
      await openDrawer(visit, "users:ban.title");
      await page.getByLabel(t("users:ban.duration")).selectOption("date");
      await page.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByText(t("validation:ban.dateRequired")).waitFor();
    },
  },
  {
    name: "manager-user-banned",
    async open({ page, gatehouse }) {
      const { id } = await aUser(gatehouse, {
        name: "ليلى Haddad",
        banned: 1,
        ban_reason: "Sold tickets to the same show twice.",
        ban_expires: Date.UTC(2099, 4, 1, 23, 59, 59, 999),
      });
      await signedIn({ page, gatehouse }, `/manager/users/${id}`, "admin");
    },
  },
  {
    name: "manager-user-refuses-mail",
    async open({ page, gatehouse }) {
      const { id, email } = await aUser(gatehouse, { name: "زهراء Zawadi" });
      const at = Date.now() - DAY_MS;
      await insertRows(gatehouse.d1, "refusing_mailbox", [
        { email, reason: "bounced", note: "General: 550 5.1.1 no such user", since: at },
      ]);
      await insertRows(gatehouse.d1, "mail_outbox", [
        {
          ...{ id: crypto.randomUUID(), kind: "login-code", recipient: email, language: "ar" },
          ...{ state: "sent", next_try_at: at, expires_at: at, created_at: at, sent_at: at },
          ...{ delivery: "bounced", delivery_at: at },
          delivery_reason: "General: 550 5.1.1 no such user",
        },
      ]);
      await signedIn({ page, gatehouse }, `/manager/users/${id}?tab=emails`, "admin");
    },
  },
  {
    name: "manager-user-impersonate-refused",
    async open(visit) {
      const { page, t } = visit;
      await openDrawer(visit, "users:impersonate.title");
      await page.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByText(t("validation:reason.required")).waitFor();
    },
  },
  { name: "impersonating", open: (visit) => impersonating(visit) },
  {
    name: "impersonating-nameless",
    open: (visit) => impersonating(visit, { name: "", onboarded_at: null }),
  },
  {
    name: "impersonating-forbidden",
    async open(visit) {
      await impersonating(visit);
      await go(visit.page, "/manager");
    },
  },
  { name: "forbidden", open: (visit) => signedIn(visit, "/manager") },
  { name: "not-found", open: ({ page }) => go(page, "/nowhere") },
  { name: "app-not-found", open: (visit) => signedIn(visit, "/app/nowhere") },
  {
    name: "failed",
    settings: {},
    problem: "500 /app",
    async open(visit) {
      const { page, gatehouse } = visit;
      gatehouse.expectErrors("request.failed");
      await signInAs(gatehouse, page.context());
      await gatehouse.d1.exec("ALTER TABLE session RENAME TO session_away");
      try {
        await go(page, "/app");
      } finally {
        await gatehouse.d1.exec("ALTER TABLE session_away RENAME TO session");
      }
    },
  },
  { name: "app-account", open: (visit) => signedIn(visit, "/app/account") },
  { name: "manager-account", open: (visit) => signedIn(visit, "/manager/account", "admin") },
  {
    name: "account-linked",
    async open({ page, gatehouse, t }) {
      const { id } = await signInAs(gatehouse, page.context());
      const now = Date.now();
      await gatehouse.d1
        .prepare(
          "INSERT INTO account (id, account_id, provider_id, user_id, created_at, updated_at) VALUES (?1, ?1, 'github', ?2, ?3, ?3), (?4, ?4, 'gitlab', ?2, ?3, ?3)",
        )
        .bind(crypto.randomUUID(), id, now - 90 * 86_400_000, crypto.randomUUID())
        .run();
      await go(page, "/app/account");
      await page.getByRole("heading", { name: t("account:linked.title") }).scrollIntoViewIfNeeded();
      await page.getByText(t("account:preferences.intro")).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "account-change-name",
    open: (visit) => signedIn(visit, "/app/account?state=change-name"),
  },
  { name: "account-picture", open: (visit) => signedIn(visit, "/app/account/picture") },
  {
    name: "account-picture-invalid",
    async open(visit) {
      await signedIn(visit, "/app/account/picture");
      await chooseFile(visit, { name: "notes.txt", mimeType: "text/plain", buffer: "Notes" });
      const refusal = { hasText: visit.t("account:picture.notPicture") };
      await visit.page.getByRole("alert").filter(refusal).waitFor();
    },
  },
  {
    name: "account-picture-crop",
    async open(visit) {
      await signedIn(visit, "/app/account/picture");
      const buffer = readFileSync("public/icon-180.png");
      await chooseFile(visit, { name: "icon.png", mimeType: "image/png", buffer });
      await visit.page.getByRole("slider").first().waitFor();
    },
  },
  {
    name: "account-picture-there",
    async open(visit) {
      const avatar = await aKeptPicture(visit);
      await signInAs(visit.gatehouse, visit.page.context(), { avatar });
      await go(visit.page, "/app/account/picture");
    },
  },
  {
    name: "account-passkeys",
    async open(visit) {
      await withPasskeys(visit);
      await go(visit.page, "/app/account");
      await visit.page
        .getByRole("heading", { name: visit.t("account:passkeys.title") })
        .scrollIntoViewIfNeeded();
    },
  },
  {
    name: "account-add-passkey",
    async open(visit) {
      await signedIn(visit, "/app/account?state=add-passkey");
      await visit.page
        .getByRole("button", { name: visit.t("account:passkeys.continue") })
        .waitFor();
    },
  },
  {
    name: "account-name-passkey",
    async open(visit) {
      await withPasskeys(visit);
      await go(visit.page, "/app/account?state=name-passkey&passkey=synced");
    },
  },
  { name: "account-confirm", open: (visit) => signedIn(visit, "/app/account/confirm") },
  {
    name: "account-confirm-sent",
    async open(visit) {
      await signedIn(visit, "/app/account/confirm");
      await visit.page.getByRole("button", { name: visit.t("account:code.send") }).click();
      await visit.page.getByLabel(visit.t("login:code")).waitFor();
    },
  },
  {
    name: "account-change-email",
    open: (visit) => signedIn(visit, changePath("zawadi@example.com")),
  },
  {
    name: "account-change-email-invalid",
    async open(visit) {
      const { page, t } = visit;
      await signedIn(visit, "/app/account");
      await page.getByText(t("account:email.change")).click();
      await page.getByLabel(t("account:email.label")).fill("zawadi at example");
      await page.getByRole("button", { name: t("account:email.continue") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:email.invalid") })
        .waitFor();
    },
  },
  {
    name: "account-email-ignored",
    open: (visit) => signedIn(visit, "/app/account?newEmail=zawadi"),
  },
  {
    name: "account-email-current",
    async open(visit) {
      await changingEmail(visit);
    },
  },
  {
    name: "account-email-new",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { email } = await changingEmail(visit);
      await page.keyboard.type(await gatehouse.mailbox.codeFor(email));
      await page.getByRole("heading", { name: t("account:email.email-new.title") }).waitFor();
    },
  },
  {
    name: "account-delete-refused",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { id } = await signInAs(gatehouse, page.context());
      const { id: other } = await aUser(gatehouse);
      await gatehouse.d1.batch([
        gatehouse.d1
          .prepare("INSERT INTO organization (id, name, slug, created_at) VALUES (?1, ?1, ?1, 1)")
          .bind(id),
        ...[id, other].map((member) =>
          gatehouse.d1
            .prepare(
              "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?, 1)",
            )
            .bind(member, id, member, member === id ? "owner" : "member"),
        ),
      ]);
      await go(page, "/app/account");
      await page.getByRole("button", { name: t("account:deletion.title") }).click();
      await page
        .getByRole("alertdialog")
        .getByRole("button", { name: t("common:actions.confirm") })
        .click();
      const refusal = page.getByRole("alert").filter({ hasText: t("codes:SOLE_OWNER") });
      await refusal.waitFor();
      await refusal.scrollIntoViewIfNeeded();
    },
  },
  { name: "account-delete", open: (visit) => signedIn(visit, "/manager/account/delete", "admin") },
  {
    name: "account-delete-sent",
    async open(visit) {
      await signedIn(visit, "/app/account/delete");
      await visit.page.getByRole("button", { name: visit.t("account:code.send") }).click();
      await visit.page.getByLabel(visit.t("login:code")).waitFor();
    },
  },
  {
    name: "restore",
    async open({ page, gatehouse }) {
      await signInAs(gatehouse, page.context(), { deletion_due_at: Date.UTC(2099, 4, 1, 12) });
      await go(page, "/app");
    },
  },
  {
    name: "offline",
    async open({ page, t }) {
      await go(page, "/login");
      await watchesNetwork(page);
      await page.context().setOffline(true);
      await page.getByText(t("common:network.offline")).waitFor();
    },
  },
  {
    name: "unsent",
    async open(visit) {
      await signedIn(visit, "/app/account?state=change-name");
      await watchesNetwork(visit.page);
      await visit.page.context().setOffline(true);
      await visit.page.getByText(visit.t("common:network.offline")).waitFor();
      await visit.page.getByRole("button", { name: visit.t("common:actions.save") }).click();
      await visit.page.getByText(visit.t("common:network.notSent")).waitFor();
    },
  },
  {
    name: "inbox",
    settings: { mail: "local" },
    async open(visit) {
      await askForCode(visit);
      await go(visit.page, "/dev/inbox");
    },
  },
  {
    name: "inbox-empty",
    settings: { mail: "local", vars: { ENVIRONMENT_EMOJI: "📭" } },
    open: ({ page }) => go(page, "/dev/inbox"),
  },
  { name: "mails", settings: { mail: "local" }, open: ({ page }) => go(page, "/dev/mails") },
  {
    name: "ui",
    settings: { mail: "local" },
    isLong: true,
    open: ({ page }) => go(page, "/dev/ui"),
  },
  ...ORGANIZATION_SCREENS,
  ...SETTINGS_SCREENS,
];

/** Signs a user in who is a member of three organizations and works in the first. */
async function workingInOrganization({ page, gatehouse }: Visit, path: string) {
  const person = await signInAs(gatehouse, page.context(), { name: "زهراء Zawadi" });
  const members = [person];
  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani Cooperative" },
    { members },
  );
  await anOrganization(gatehouse, { name: "مؤسسة النخيل" }, { owner: person });
  const stopped = { name: "Société des éditeurs de logiciels libres du Sahel", disabled_at: 1 };
  await anOrganization(gatehouse, stopped, { members });
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date());
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare(
        "INSERT INTO organization_repository (organization_id, repository_id, created_at) SELECT ?, id, 1 FROM repository LIMIT 7",
      )
      .bind(organization.id),
    gatehouse.d1
      .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
      .bind(organization.id, person.id),
  ]);
  await go(page, path);
  return organization;
}

/** Signs a user in who has a notice of each kind, and an older one that is read. */
async function withNotices({ page, gatehouse }: Visit, path: string, role: "user" | "admin") {
  const now = Date.now();
  const person = await signInAs(gatehouse, page.context(), { role });
  await gatehouse.d1
    .prepare("UPDATE user SET notices_read_at = ? WHERE id = ?")
    .bind(now - 86_400_000, person.id)
    .run();
  const members = [person];
  const inviting = await anOrganization(gatehouse, { name: "Nyumbani Cooperative" });
  await anInvitation(gatehouse, {
    organization_id: inviting.organization.id,
    inviter_id: inviting.ownerId,
    email: person.email,
    created_at: now - 30 * 3_600_000,
  });
  const leaving = { name: "مؤسسة النخيل", deletion_due_at: now + 7 * 86_400_000 - 7_200_000 };
  await anOrganization(gatehouse, leaving, { members });
  const stopped = {
    disabled_at: now - 3_600_000,
    disabled_reason: "The last three bills are open.",
  };
  await anOrganization(gatehouse, { name: "Sahel", ...stopped }, { members });
  await openSession(gatehouse, newBrowser(gatehouse), person.id);
  await go(page, path);
}

/** Stores a picture in the bucket and returns its name. */
async function aKeptPicture({ gatehouse }: Visit): Promise<string> {
  const name = crypto.randomUUID();
  await gatehouse.avatars?.put(name, aPicture());
  return name;
}

async function chooseFile(
  { page, t }: Visit,
  file: { name: string; mimeType: string; buffer: string | Buffer },
): Promise<void> {
  const { buffer } = file;
  await markInput(page);
  await page
    .getByLabel(t("account:picture.choose"))
    .setInputFiles({ ...file, buffer: Buffer.from(buffer) });
}

/** Selects the first rows of a list. */
async function chooseRows(page: Page, count: number): Promise<void> {
  const boxes = page.getByRole("row").locator('input[name="id"]');
  for (let index = 0; index < count; index++) await boxes.nth(index).check();
}

async function signedIn(
  { page, gatehouse }: Pick<Visit, "page" | "gatehouse">,
  path: string,
  role: "admin" | "user" = "user",
): Promise<void> {
  await signInAs(gatehouse, page.context(), { role });
  await go(page, path);
}

/** Counts of 90 days for the dashboard's charts: sign-ins fewer at weekends, some sign-ups and a few wrong codes. */
async function addBusyDays({ d1 }: Gatehouse): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS);
  const countsOf: Record<string, (ago: number, isWeekend: boolean) => number> = {
    "day_count user.signed_in": (_, isWeekend) => (isWeekend ? 140 : 410),
    "day_count user.created": (_, isWeekend) => (isWeekend ? 6 : 24),
    wrong_code_count: (ago) => (ago % 11 === 4 ? 9 : (ago * 5) % 4),
    "delivery_count delivered": (_, isWeekend) => (isWeekend ? 130 : 380),
    "delivery_count bounced": (_, isWeekend) => (isWeekend ? 8 : 31),
    "delivery_count suppressed": (_, isWeekend) => (isWeekend ? 0 : 2),
    "delivery_count complained": (ago) => (ago % 7 === 3 ? 1 : 0),
  };
  const statements = Object.entries(countsOf).map(([key, countOf]) => {
    const [table, name] = key.split(" ");
    const days = Array.from({ length: 90 }, (_, ago) => {
      const wave = ago === 0 ? 0.4 : 1 + Math.sin(ago * 1.7) / 4 - ago / 200;
      const isWeekend = [2, 3].includes((today - ago) % 7);
      return [today - ago, Math.round(countOf(ago, isWeekend) * wave)];
    });
    const columns = name ? "name, day, value" : "day, value";
    const values = `${name ? `'${name}', ` : ""}value ->> 0, value ->> 1`;
    return d1
      .prepare(`INSERT OR REPLACE INTO ${table} (${columns}) SELECT ${values} FROM json_each(?)`)
      .bind(JSON.stringify(days));
  });
  await d1.batch(statements);
}

async function openPalette(visit: Visit, term = ""): Promise<void> {
  await signedInWithSamples(visit, "/manager/dashboard");
  await pressForPalette(visit);
  await visit.page.getByRole("combobox", { name: visit.t("search:placeholder") }).fill(term);
}

async function pressForPalette({ page, t }: Visit): Promise<void> {
  await hydrated(page);
  await page.keyboard.press("Control+K");
  await page.getByRole("option", { name: t("search:actions.signOut") }).waitFor();
}

/** Signs a user in who changes their e-mail, up to the code of the current e-mail. */
async function changingEmail({ page, gatehouse, t }: Visit) {
  const user = await signInAs(gatehouse, page.context());
  await go(page, changePath(newEmail("zawadi")));
  await page.getByRole("button", { name: t("account:email.continue") }).click();
  await page.getByRole("heading", { name: t("account:email.email-current.title") }).waitFor();
  return user;
}

async function signedInWithSamples(visit: Visit, path: string): Promise<void> {
  await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
  await signedIn(visit, path, "admin");
}

/** Opens the page of the oldest sample row of a table. */
async function signedInAtFirst(
  visit: Visit,
  table: "organization" | "repository" | "user",
  pathOf: (id: string) => string,
): Promise<void> {
  await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
  const id = await visit.gatehouse.d1
    .prepare(`SELECT id FROM ${table} ORDER BY created_at LIMIT 1`)
    .first<string>("id");
  if (id === null) throw new Error(`There are no samples in ${table}`);
  await signedIn(visit, pathOf(id), "admin");
}

/** Opens one of the drawers of a user's screen. */
async function openDrawer(visit: Visit, title: string): Promise<void> {
  const { page, gatehouse, t } = visit;
  const { id } = await aUser(gatehouse, { name: "زهراء Zawadi" });
  await signedIn(visit, `/manager/users/${id}`, "admin");
  if (title === "users:ban.title") {
    await page.getByRole("button", { name: t("common:list.actions"), exact: true }).click();
  }
  await page.getByRole("button", { name: t(title) }).click();
}

/** Starts an impersonation from a user's screen. */
async function impersonating(visit: Visit, overrides: Partial<Person> = {}): Promise<void> {
  const { page, gatehouse, t } = visit;
  const { id } = await aUser(gatehouse, { name: "زهراء Zawadi", ...overrides });
  await signInAs(gatehouse, page.context(), { name: "Mona Manager", role: "admin" });
  await go(page, `/manager/users/${id}`);
  await page.getByRole("button", { name: t("users:impersonate.title") }).click();
  await page.getByRole("textbox", { name: t("users:impersonate.reason") }).fill("A slow list");
  await page.getByRole("button", { name: t("common:actions.confirm") }).click();
  await page.getByRole("button", { name: t("common:impersonation.stop") }).waitFor();
}

async function askForCode({ page, t }: Visit, email = newEmail()): Promise<string> {
  await go(page, "/login");
  await page.getByLabel(t("login:email")).fill(email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await page.getByRole("heading", { name: t("login:verifyTitle") }).waitFor();
  return email;
}

/** Signs a user in who has a passkey of each kind. */
async function withPasskeys({ page, gatehouse }: Visit): Promise<void> {
  const user = await signInAs(gatehouse, page.context());
  const now = Date.now();
  const insert = gatehouse.d1.prepare(
    `INSERT OR REPLACE INTO passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at, last_used_at)
     VALUES (?1, ?2, '', ?3, ?1, 0, 'multiDevice', ?4, ?5, ?6)`,
  );
  await gatehouse.d1.batch([
    insert.bind("synced", "iCloud Keychain", user.id, 1, now - 40 * 86_400_000, now - 3_600_000),
    insert.bind("bound", "مفتاح العمل · YubiKey 5C", user.id, 0, now - 86_400_000, null),
  ]);
}

async function enterWrongCodes({ page, t }: Visit, code: string, count: number): Promise<void> {
  const field = page.getByLabel(t("login:code"));
  for (let tries = 1; tries <= count; tries++) {
    // The field is read-only while a code is checked, and empties when the response arrives.
    await expect(field).toBeEditable();
    await expect(field).toHaveValue("");
    await field.pressSequentially(wrongCode(code));
    const message = tries === 3 ? "codes:TOO_MANY_ATTEMPTS" : "validation:code.invalid";
    await page
      .getByRole("alert")
      .filter({ hasText: t(message) })
      .waitFor();
    if (tries < 3) await expect(field).toHaveValue("");
  }
}
