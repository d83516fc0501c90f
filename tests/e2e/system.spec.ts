import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { translationsIn } from "../support/translations.ts";

test("a manager finds the system page, reads the settings and copies the report", async ({
  signedIn,
}) => {
  const t = translationsIn("en");
  const { page, context } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/manager/dashboard");
  await hydrated(page);

  await page.getByRole("link", { name: t("manager:system") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("system:title"));
  const settings = page.getByRole("main").getByRole("link", { name: t("system:settings.title") });
  await settings.press("Enter");
  await expect(
    page.getByRole("heading", { name: t("system:settings.title"), level: 2 }),
  ).toBeInViewport();
  await expect(page).toHaveURL("/manager/system#settings");
  await page.getByText(/^All \d+ settings$/).click();
  await expect(
    page.getByRole("row", { name: `BETTER_AUTH_SECRET ${t("system:settings.states.set")}` }),
  ).toBeVisible();
  await page.getByRole("button", { name: t("system:copy") }).press("Enter");

  await expect(page.getByRole("button", { name: t("common:actions.copied") })).toBeVisible();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^Gatehouse \d+\.\d+\.\d+, /);
  expect(report).toContain("RESEND_API_KEY");
  expect(report).not.toMatch(/re_[\da-f]{32}/);

  const secret = page.getByRole("listitem").filter({ hasText: "RESEND_WEBHOOK_SECRET" });
  await secret.getByRole("button", { name: t("system:copyCommand") }).press("Enter");
  await expect(secret.getByRole("button", { name: t("common:actions.copied") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "npx wrangler secret put RESEND_WEBHOOK_SECRET",
  );
});

test("without JavaScript the system page shows everything but the button to copy", async ({
  signedIn,
}) => {
  const t = translationsIn("ar");
  const options = { locale: "ar", viewport: SIZES.phone, javaScriptEnabled: false };
  const { page } = await signedIn({ role: "admin" }, options);

  await page.goto("/manager/system");

  await expect(
    page.getByRole("heading", { name: t("system:settings.title"), level: 2 }),
  ).toBeVisible();
  await page.locator("details summary").click();
  await expect(page.getByRole("row").filter({ hasText: "RESEND_API_KEY" })).toBeVisible();
  await expect(page.getByRole("button", { name: t("system:copy") })).toBeHidden();
  await expect(page.getByText("npx wrangler secret put RESEND_WEBHOOK_SECRET")).toBeVisible();
  await expect(page.getByRole("button", { name: t("system:copyCommand") })).toHaveCount(0);
});
