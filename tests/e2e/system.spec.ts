import { expect, hydrated, SIZES, test } from "../support/e2e.ts";
import { insertRows } from "../support/insert.ts";
import { translationsIn } from "../support/translations.ts";

const COMMAND = "npx wrangler secret put RESEND_WEBHOOK_SECRET";

test("a manager finds the system page and copies the command for what is not set up", async ({
  signedIn,
}) => {
  const t = translationsIn("en");
  const { page, context } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/manager/dashboard");
  await hydrated(page);

  await page.getByRole("link", { name: t("manager:settings") }).click();
  await page.getByRole("link", { name: t("settings:nav.system") }).click();
  await expect(page).toHaveURL("/manager/settings/system");
  const secret = page.getByRole("listitem").filter({ hasText: "RESEND_WEBHOOK_SECRET" });
  await secret.getByRole("button", { name: t("system:copyCommand") }).press("Enter");

  await expect(secret.getByRole("button", { name: t("common:actions.copied") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(COMMAND);
});

test("the mark of what is wrong stays in the navigation while a manager goes on", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const late = Date.now() - 20 * 60_000;
  await insertRows(gatehouse.d1, "scheduled_run", [
    { schedule: "minute", started_at: late, duration_ms: 1 },
  ]);
  const { page } = await signedIn({ role: "admin" }, { viewport: SIZES.desktop });
  await page.goto("/manager/dashboard");
  await hydrated(page);
  const settings = page.getByRole("link", {
    name: `${t("manager:settings")} ${t("manager:troubles")}`,
  });
  await expect(settings).toBeVisible();

  const navigation = page.getByRole("navigation", { name: t("manager:navigation") });
  await navigation.getByRole("link", { name: t("manager:users") }).click();
  await expect(page).toHaveURL("/manager/users");

  await expect(settings).toBeVisible();
});

test("without JavaScript the system page shows everything but the buttons to copy", async ({
  signedIn,
}) => {
  const t = translationsIn("ar");
  const options = { locale: "ar", viewport: SIZES.phone, javaScriptEnabled: false };
  const { page } = await signedIn({ role: "admin" }, options);

  await page.goto("/manager/settings/system");

  await expect(
    page.getByRole("heading", { name: t("system:setUp.title"), level: 2 }),
  ).toBeVisible();
  await expect(page.getByText(COMMAND)).toBeVisible();
  await expect(page.getByRole("button", { name: t("system:copyCommand") })).toHaveCount(0);
});
