import type { Page } from "@playwright/test";
import { isolate } from "../../app/ui/text/isolate.ts";
import { test as base, expect } from "../support/e2e.ts";
import { ANY_LANGUAGE, inTurn } from "../support/matrix.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/oidc.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const test = base.extend<{ provider: IdentityProvider }>({
  provider: async ({ shared }, use) => {
    await use(await shared("provider", startIdentityProvider));
  },
  gatehouse: async ({ shared, provider }, use) => {
    const start = () => startGatehouse({ vars: provider.vars });
    await use(await shared("product with the provider", start));
  },
});

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);
  const button = { name: t("login:withProvider", { provider: "Testpass" }) };

  for (const javaScriptEnabled of inTurn([true, false], 1)) {
    test(`a new user signs up through a provider (${language}, JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      newContext,
      provider,
    }) => {
      const context = await newContext({ locale: language, javaScriptEnabled });
      const page = await context.newPage();
      const email = newEmail("zawadi");
      provider.setVisitor({ email, name: "Zawadi Njoroge" });

      await page.goto("/login?redirect=/app");
      await page.getByRole("button", button).click();
      await expect(page).toHaveURL("/onboarding?redirect=%2Fapp");
      await expect(page.getByRole("textbox", { name: t("onboarding:question") })).toHaveValue(
        "Zawadi Njoroge",
      );
      await page.getByRole("button", { name: t("onboarding:continue") }).click();
      await expect(page).toHaveURL("/app");
      await expect(
        page.getByRole("heading", {
          name: t("app:home.greeting", { name: isolate("Zawadi Njoroge") }),
        }),
      ).toBeVisible();
    });
  }

  for (const javaScriptEnabled of inTurn([true, false], 0)) {
    test(`a code proves an e-mail that the provider has not verified (${language}, JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
      newContext,
      provider,
      gatehouse,
    }) => {
      const context = await newContext({
        locale: language,
        javaScriptEnabled,
        viewport: { width: 375, height: 812 },
      });
      const page = await context.newPage();
      const { email } = await aUser(gatehouse);
      provider.setVisitor({ email, isEmailVerified: false });

      await page.goto("/login?redirect=/app/organizations");
      await page.getByRole("button", button).click();
      await expect(page).toHaveURL(/\/login\/verify\?/);
      const [before = "", after = ""] = t("login:proveFor", {
        provider: "Testpass",
        email: "\0",
      }).split("\0");
      await expect(page.getByText(before.trim())).toContainText(after.trim());
      await page
        .getByRole("textbox", { name: t("login:code") })
        .fill(await gatehouse.mailbox.codeFor(email));
      // With JavaScript a complete code is sent by itself.
      if (!javaScriptEnabled) await page.getByRole("button", { name: t("login:confirm") }).click();
      await expect(page).toHaveURL("/app/organizations");

      await context.clearCookies();
      await page.goto("/login");
      await page.getByRole("button", button).click();
      await expect(page).toHaveURL("/app");
    });
  }

  test(`a user who refuses at the provider sees a message, and may try again (${language})`, async ({
    newContext,
    provider,
    gatehouse,
  }) => {
    const context = await newContext({ locale: language });
    const page = await context.newPage();
    provider.setVisitor("refuses");
    await page.goto("/login");
    await page.getByRole("button", button).click();
    await expectReason(page, "access_denied");

    const { email } = await aUser(gatehouse);
    provider.setVisitor({ email });
    await page.getByRole("link", { name: t("login:backToLogin") }).click();
    await page.getByRole("button", button).click();
    await expect(page).toHaveURL("/app");
  });

  test(`with sign-up off a new user reads that they need an account (${language})`, async ({
    newContext,
    newGatehouse,
    provider,
  }) => {
    const closed = await newGatehouse({
      vars: { ...provider.vars, SIGN_UP_ENABLED: "false" },
    });
    const page = await openLogin(closed);
    await expect(page.getByRole("heading", { name: t("login:title"), exact: true })).toBeVisible();
    provider.setVisitor({ email: newEmail() });
    await page.getByRole("button", button).click();
    await expectReason(page, "signup_disabled");

    async function openLogin({ origin }: Gatehouse) {
      const context = await newContext({ locale: language, baseURL: origin });
      const opened = await context.newPage();
      await opened.goto("/login");
      return opened;
    }
  });

  test(`while the provider is down its button says so (${language})`, async ({
    newContext,
    newGatehouse,
    provider,
  }) => {
    const patient = await newGatehouse({ vars: provider.vars });
    patient.expectErrors("auth.provider_unavailable");
    const context = await newContext({ locale: language, baseURL: patient.origin });
    const page = await context.newPage();
    await page.goto("/login");
    provider.setCondition("down");
    await page.getByRole("button", button).click();
    await expectReason(page, "unknown_error");
    provider.setCondition("well");
  });

  async function expectReason(page: Page, reason: string) {
    await expect(page).toHaveURL(new RegExp(`/login/error\\?.*error=${reason}`));
    await expect(
      page.getByRole("heading", { name: t(`login:errors.${reason}.title`) }),
    ).toBeVisible();
    await expect(page.getByText(t(`login:errors.${reason}.text`))).toBeVisible();
  }
}
