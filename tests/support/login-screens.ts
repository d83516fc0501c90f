import { expect } from "@playwright/test";
import { signInAs } from "./e2e.ts";
import { aUser, wrongCode } from "./people.ts";
import { askForCode, go, type Screen, type Visit } from "./visit.ts";

/** The screens before the app: sign-in and onboarding. */
export const LOGIN_SCREENS: Screen[] = [
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
  {
    name: "login-error-signup_disabled",
    // A provider has told the e-mail.
    open: ({ page }) => go(page, "/login/error?error=signup_disabled&email=zuri%40example.com"),
  },
  ...["access_denied", "unknown_error"].map((reason) => ({
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
];

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
