import { expect, hydrated, SIZES, signInAs, test, toast } from "../../../../tests/support/e2e.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

const IMPORT = "/manager/users/import";

function aFile(lines: string[]) {
  const buffer = Buffer.from(lines.join("\r\n"));
  return { name: "people.csv", mimeType: "text/csv", buffer };
}

test("a file is checked, imported, stopped, reloaded, continued and finished", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("en");
  const run = newEmail("run").split("@")[0];
  const people = Array.from(
    { length: 450 },
    (_, index) => `${run}-${index}@example.com;P ${index}`,
  );
  const { page } = await signedIn({ role: "admin" }, { locale: "en", viewport: SIZES.desktop });
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

  // The second piece is held back until "Stop" was pressed.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/users\/import\.data/, async (route) => {
    if (route.request().postData()?.includes("import-next")) await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Create 450 users" }).click();
  const bar = page.getByRole("progressbar", { name: t("import:running") });
  // The first piece has 100 lines: the header and 99 people.
  await expect(bar).toHaveAttribute("value", "99");
  await page.getByRole("button", { name: t("import:stop"), exact: true }).click();
  letGo();
  await expect(page.getByText(t("import:stopped"))).toBeVisible();
  await expect(page.getByRole("button", { name: t("import:goOn") })).toBeFocused();
  await expect(bar).toHaveAttribute("value", "199");

  await page.reload();
  await hydrated(page);
  await expect(page.getByText(t("import:waiting"))).toBeVisible();
  await page.getByRole("button", { name: t("import:goOn") }).click();
  await expect(page.getByRole("heading", { name: t("import:finished") })).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: t("import:download") }).click();
  expect((await download).suggestedFilename()).toBe("wrong-lines.csv");
  const { results } = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM user WHERE email LIKE ?")
    .bind(`${run}-%`)
    .all();
  expect(results).toEqual([{ n: 450 }]);
});

test("a lost network stops the import, and it goes on without doubling", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("ar");
  const run = newEmail("lost").split("@")[0];
  const people = Array.from({ length: 250 }, (_, index) => `${run}-${index}@example.com\tم`);
  const { page } = await signedIn({ role: "admin" }, { locale: "ar", viewport: SIZES.phone });
  await page.goto(IMPORT);
  await hydrated(page);
  await page.getByLabel(t("import:text")).fill(people.join("\n"));

  // The second piece of the file is kept, but its answer is lost.
  let pieces = 0;
  await page.route(/users\/import\.data/, async (route) => {
    const body = route.request().postData() ?? "";
    if (body.includes("read-lines")) pieces += 1;
    if (!body.includes("read-lines") || pieces !== 2) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: t("import:check") }).click();
  await expect(page.getByText(t("import:noAnswer"))).toBeVisible();
  await page.getByRole("button", { name: t("import:goOn") }).click();
  await expect(page.getByRole("heading", { name: t("import:preview") })).toBeVisible();

  await page.getByRole("button", { name: /250/ }).click();
  await expect(page.getByRole("heading", { name: t("import:finished") })).toBeVisible();
  const { results } = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM user WHERE email LIKE ?")
    .bind(`${run}-%`)
    .all();
  expect(results).toEqual([{ n: 250 }]);
});

test("without JavaScript a file is checked, confirmed and imported step by step", async ({
  signedIn,
  gatehouse,
}) => {
  const t = translationsIn("fr");
  const run = newEmail("plain").split("@")[0];
  const people = Array.from(
    { length: 150 },
    (_, index) => `${run}-${index}@example.com,P ${index}`,
  );
  const { page } = await signedIn(
    { role: "admin" },
    { locale: "fr", viewport: SIZES.phone, javaScriptEnabled: false },
  );
  await page.goto(IMPORT);
  await page.getByLabel(t("import:file")).setInputFiles(aFile(people));
  await page.getByRole("button", { name: t("import:check") }).click();
  await page.getByLabel(t("import:invites.label")).check();
  await page.getByRole("button", { name: /150/ }).click();
  await expect(page.getByRole("progressbar")).toHaveAttribute("value", "100");
  await page.getByRole("button", { name: t("import:goOn") }).click();

  await expect(page.getByRole("heading", { name: t("import:finished") })).toBeVisible();
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

  await expect(toast(page, t("codes:DEMO_READ_ONLY"))).toBeVisible();
  await expect(page.getByLabel(t("import:text"))).toHaveValue("a@example.com");
});
