import type { Page } from "@playwright/test";
import { ADMIN_ONLY, managerScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf, state, type Translate } from "../../../../tests/support/screen.ts";
import { IMPORT_ACTS } from "../acts.ts";
import { ImportForm } from "../input.ts";

const IMPORT = "/manager/users/import";
const id = crypto.randomUUID();

export const facts = {
  access: {
    [IMPORT]: managerScreen(200, 415, ADMIN_ONLY),
    [`${IMPORT}/wrong-lines`]: managerScreen(IMPORT, 405, { read: { support: 403, auditor: 403 } }),
  },
  managers: {
    [IMPORT]: ["admin"],
    [`${IMPORT}/wrong-lines`]: ["admin"],
  },
  commands: [["import users", IMPORT, { intent: "close-import", import: id }, ["admin"]]],
  forms: { [IMPORT]: ImportForm },
  fields: ({ email }) => ({
    import: crypto.randomUUID(),
    invites: "yes",
    file: undefined,
    text: email,
  }),
  acts: {
    [IMPORT]: [
      [IMPORT_ACTS.upload, { intent: "upload", text: "" }],
      [IMPORT_ACTS.import, { intent: "import", import: id }],
      [IMPORT_ACTS["stop-import"], { intent: "stop-import", import: id }],
      [IMPORT_ACTS["continue-import"], { intent: "continue-import", import: id }],
      [IMPORT_ACTS["close-import"], { intent: "close-import", import: id }],
    ],
  },
  leftBehind: {
    "users:upload":
      "Lines, which only the same session imports; roles are proved, and listed before the start.",
    "users:stop-import": "A stopped import.",
    "users:continue-import": "Nothing but the users of lines that were started with a proof.",
    "users:close-import": "No lines.",
  },
  changes: { "the back-office": [IMPORT] },
  screens: screensOf("admin", { "import-users": IMPORT }),
  states: [
    state("import-preview", "admin", IMPORT, checkLines),
    state("import-finished", "admin", IMPORT, async (page, t) => {
      await checkLines(page, t);
      await page.locator('button[value="import"]').click();
      await page.getByRole("heading", { name: t("import:finished") }).waitFor();
    }),
  ],
  translated: async ({ ofManager }) => [
    ["manager, import", ofManager, (browser) => browser.get(IMPORT)],
    [
      "manager, a bad import",
      ofManager,
      (browser) => browser.submit(IMPORT, { intent: "upload", text: "" }),
    ],
    [
      "manager, an import's check",
      ofManager,
      async (browser) =>
        browser.follow(browser.submit(IMPORT, { intent: "upload", text: "new@example.com\nx" })),
    ],
  ],
  limits: { nobodyElse: { "IMPORT_LIMITS.lines": "Only the manager's own files use it up." } },
  personal: ["user_import"],
} satisfies FeatureTests;

/** Has some lines of a new import checked. */
async function checkLines(page: Page, t: Translate): Promise<void> {
  const earlier = page.locator('button[value="close-import"]');
  if (await earlier.isVisible()) await earlier.click();
  const lines = `${crypto.randomUUID()}@example.com,New\nnot an e-mail,Nobody`;
  await page.getByLabel(t("import:text")).fill(lines);
  await page.getByRole("button", { name: t("import:check") }).click();
  await page.getByRole("heading", { name: t("import:preview") }).waitFor();
}
