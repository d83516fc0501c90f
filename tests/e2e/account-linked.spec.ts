import { test as base, confirmButton, expect, hydrated, SIZES, toast } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/oidc.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const test = base.extend<{ provider: IdentityProvider }>({
  provider: async ({ shared }, use) => {
    await use(await shared("provider", startIdentityProvider));
  },
  gatehouse: async ({ shared, provider }, use) => {
    const start = () => startGatehouse({ vars: provider.vars });
    await use(await shared("product with the provider", start));
  },
});

const SETTINGS = matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
    javaScriptEnabled: [true, false],
  },
  0,
);

for (const { language, size, javaScriptEnabled } of SETTINGS) {
  const t = translationsIn(language);
  const setting = `(${language}, ${size}, JavaScript ${javaScriptEnabled ? "on" : "off"})`;

  test(`an account is refused, linked, used and unlinked again ${setting}`, async ({
    newContext,
    signedIn,
    gatehouse,
    provider,
  }) => {
    const options = { locale: language, viewport: SIZES[size], javaScriptEnabled };
    const { page, user } = await signedIn({}, options);
    await page.goto("/app/account");
    if (javaScriptEnabled) await hydrated(page);
    const main = page.getByRole("main");
    const link = main.getByRole("button", { name: `${t("account:linked.link")} Testpass` });
    const unlink = main.getByRole("button", { name: `${t("account:linked.unlink")} Testpass` });
    await expect(main.getByText(t("account:linked.always"))).toBeVisible();

    provider.setVisitor("refuses");
    await link.click();
    await expect(page).toHaveURL("/app/account#sign-in-methods");
    await expect(toast(page, t("account:linked.refused"))).toBeVisible();

    provider.setVisitor({ email: user.email });
    if (javaScriptEnabled) await hydrated(page);
    await link.click();
    await expect(toast(page, t("account:linked.done"))).toBeVisible();
    await expect(page).toHaveURL("/app/account#sign-in-methods");
    await expect(unlink).toBeInViewport();
    await expect(main.getByRole("heading", { name: t("account:linked.title") })).toBeInViewport();

    const other = await (await newContext(options)).newPage();
    await other.goto("/login");
    await other
      .getByRole("button", { name: t("login:withProvider", { provider: "Testpass" }) })
      .click();
    await expect(other).toHaveURL("/app");
    const news = await gatehouse.mailbox.mailFor(user.email);
    expect(news.link).toBe(`${gatehouse.origin}/app/account`);

    if (javaScriptEnabled) await hydrated(page);
    await unlink.click();
    await confirmButton(page.getByRole("alertdialog")).click();
    await expect(toast(page, t("account:linked.unlinked"))).toBeVisible();
    await expect(link).toBeInViewport();
  });
}
