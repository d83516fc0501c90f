import type { BrowserContext, BrowserContextOptions } from "@playwright/test";
import { expect, hydrated, SIZES, signInAs, test, toast } from "../../../../tests/support/e2e.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import type { Gatehouse, GatehouseOptions } from "../../../../tests/support/worker.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";

const IMPORT = "/manager/users/import";

/** Makes the alarm fail at the second hundred of lines, as often as it rings. */
const HOLD =
  "CREATE TRIGGER hold BEFORE INSERT ON user WHEN NEW.email LIKE '%-120@example.com' BEGIN SELECT RAISE(ABORT, 'HELD'); END";
const LET_GO = "DROP TRIGGER hold";

type Fixtures = {
  newGatehouse: (options: GatehouseOptions) => Promise<Gatehouse>;
  newContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
};

/** Opens a page of an admin on a site with the paid plan, whose alarm fails once or more. */
async function onPaidPlan({ newGatehouse, newContext }: Fixtures, options: BrowserContextOptions) {
  const gatehouse = await newGatehouse({ vars: { PLAN: "paid" } });
  gatehouse.expectErrors("import.failed");
  const context = await newContext({ baseURL: gatehouse.origin, ...options });
  await signInAs(gatehouse, context, { role: "admin" });
  return { gatehouse, page: await context.newPage() };
}

function usersOf({ d1 }: Gatehouse, run: string | undefined) {
  return d1
    .prepare("SELECT count(*) AS n FROM user WHERE email LIKE ?")
    .bind(`${run}-%`)
    .first<number>("n");
}

function aFile(lines: string[]) {
  const buffer = Buffer.from(lines.join("\r\n"));
  return { name: "people.csv", mimeType: "text/csv", buffer };
}

test("a file is checked, imported, stopped, reloaded, continued and finished", async ({
  newGatehouse,
  newContext,
}) => {
  const t = translationsIn("en");
  const run = newEmail("run").split("@")[0];
  const people = Array.from(
    { length: 450 },
    (_, index) => `${run}-${index}@example.com;P ${index}`,
  );
  const { page, gatehouse } = await onPaidPlan(
    { newGatehouse, newContext },
    { locale: "en", viewport: SIZES.desktop },
  );
  await page.goto("/manager/users");
  await hydrated(page);
  await page.getByRole("link", { name: t("users:import") }).click();
  await expect(page.getByRole("heading", { name: t("import:title") })).toBeVisible();

  await page
    .getByLabel(t("import:file"))
    .setInputFiles(aFile(["E-mail;Name", "not an e-mail;Nobody", ...people]));
  await page.getByRole("button", { name: t("import:check") }).click();
  await expect(page.getByRole("group", { name: t("import:preview") })).toBeFocused();
  const row = page.getByRole("row").filter({ hasText: "not an e-mail" });
  await expect(row).toContainText(t("validation:email.invalid"));

  await gatehouse.d1.exec(HOLD);
  await page.getByRole("button", { name: "Create 450 users" }).click();
  const bar = page.getByRole("progressbar", { name: t("import:running") });
  await expect(bar).toHaveAttribute("value", "101");
  await page.getByRole("button", { name: t("import:stop"), exact: true }).click();
  await expect(page.getByRole("group", { name: t("import:stopped") })).toBeFocused();
  await gatehouse.d1.exec(LET_GO);

  await page.reload();
  await hydrated(page);
  await expect(page.getByText(t("import:stoppedHint"))).toBeVisible();
  await page.getByRole("button", { name: t("import:goOn") }).click();
  // The screen asks by itself how far it is.
  await expect(page.getByRole("group", { name: t("import:finished") })).toBeFocused();

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: t("import:download") }).click();
  expect((await download).suggestedFilename()).toBe("wrong-lines.csv");
  expect(await usersOf(gatehouse, run)).toBe(450);
});

test("a network that is lost stops neither the import nor its screen", async ({
  newGatehouse,
  newContext,
}) => {
  const t = translationsIn("ar");
  const run = newEmail("lost").split("@")[0];
  const people = Array.from({ length: 250 }, (_, index) => `${run}-${index}@example.com\tم`);
  const { page, gatehouse } = await onPaidPlan(
    { newGatehouse, newContext },
    { locale: "ar", viewport: SIZES.phone },
  );
  await page.goto(IMPORT);
  await hydrated(page);
  await page.getByLabel(t("import:text")).fill(people.join("\n"));

  // The lines are kept, but the answer is lost; the form is sent again.
  await page.route(
    /users\/import\.data/,
    async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: t("import:check") }).click();
  await expect(page.getByLabel(t("import:text"))).toHaveValue(people.join("\n"));
  await page.getByRole("button", { name: t("import:check") }).click();
  await expect(page.getByRole("heading", { name: t("import:preview") })).toBeVisible();

  await gatehouse.d1.exec(HOLD);
  await page.getByRole("button", { name: /250/ }).click();
  await expect(page.getByRole("progressbar")).toHaveAttribute("value", "100");
  const lost = page.waitForEvent("requestfailed");
  await page.context().setOffline(true);
  await lost;
  await expect(page.getByRole("heading", { name: t("import:running") })).toBeVisible();
  await page.context().setOffline(false);
  await gatehouse.d1.exec(LET_GO);
  await expect(page.getByRole("heading", { name: t("import:finished") })).toBeVisible();
  expect(await usersOf(gatehouse, run)).toBe(250);
});

test("without JavaScript a file is checked, confirmed and imported, and a link asks how far it is", async ({
  newGatehouse,
  newContext,
}) => {
  const t = translationsIn("fr");
  const run = newEmail("plain").split("@")[0];
  const people = Array.from(
    { length: 150 },
    (_, index) => `${run}-${index}@example.com,P ${index}`,
  );
  const { page, gatehouse } = await onPaidPlan(
    { newGatehouse, newContext },
    { locale: "fr", viewport: SIZES.phone, javaScriptEnabled: false },
  );
  await page.goto(IMPORT);
  await page.getByLabel(t("import:file")).setInputFiles(aFile(people));
  await page.getByRole("button", { name: t("import:check") }).click();
  await page.getByLabel(t("import:invites.label")).check();
  await gatehouse.d1.exec(HOLD);
  await page.getByRole("button", { name: /150/ }).click();
  const again = page.getByRole("link", { name: t("import:askAgain") });
  await expect(async () => {
    await again.click();
    expect(await page.getByRole("progressbar").getAttribute("value")).toBe("100");
  }).toPass();
  await gatehouse.d1.exec(LET_GO);

  await expect(async () => {
    if (await again.isVisible()) await again.click();
    expect(await page.getByRole("heading", { name: t("import:finished") }).isVisible()).toBe(true);
  }).toPass();
  await page.getByRole("button", { name: t("import:again") }).click();
  await expect(page.getByLabel(t("import:file"))).toBeVisible();
  expect((await gatehouse.mailbox.mailFor(`${run}-0@example.com`)).subject).toContain("Invitation");
});

test("a file that is refused leaves the form as it was, with the reason", async ({ signedIn }) => {
  const t = translationsIn("en");
  const { page } = await signedIn({ role: "admin" }, { locale: "en" });
  await page.goto(IMPORT);
  await hydrated(page);
  const rows = `${newEmail("kept")},"never closed`;
  await page.getByLabel(t("import:text")).fill(rows);
  await page.getByRole("button", { name: t("import:check") }).click();

  await expect(page.getByRole("alert").filter({ hasText: "Line 1" })).toBeVisible();
  await expect(page.getByLabel(t("import:text"))).toHaveValue(rows);
  const latin = { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from([0x5a, 0x6f, 0xeb]) };
  await page.getByLabel(t("import:file")).setInputFiles(latin);
  await page.getByRole("button", { name: t("import:check") }).click();
  await expect(page.getByText(t("import:problem.encoding"))).toBeVisible();
});

const refusal = SERVER_FEATURES.demonstration?.refusal;
if (refusal) {
  test("a demonstration reads no file, and says so", async ({ newGatehouse, newContext }) => {
    const t = translationsIn("en");
    const demo = await newGatehouse({ vars: { DEMO: "true" } });
    const context = await newContext({ baseURL: demo.origin });
    await signInAs(demo, context, { role: "admin" });
    const page = await context.newPage();
    await page.goto(IMPORT);
    await hydrated(page);
    await page.getByLabel(t("import:text")).fill("a@example.com");
    await page.getByRole("button", { name: t("import:check") }).click();

    await expect(toast(page, t(refusal))).toBeVisible();
    await expect(page.getByLabel(t("import:text"))).toHaveValue("a@example.com");
  });
}
