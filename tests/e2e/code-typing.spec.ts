import type { BrowserContext, Page } from "@playwright/test";
import { countPosts, openCodeEntry } from "../support/code-entry.ts";
import { expect, test } from "../support/e2e.ts";
import { ANY_LANGUAGE } from "../support/matrix.ts";
import { translationsIn } from "../support/translations.ts";

for (const language of ANY_LANGUAGE) {
  const t = translationsIn(language);
  test.describe(language, () => {
    test.use({ locale: language });

    for (const [how, write] of [
      ["pasted with a space", (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
      ["pasted with what stood around it", (code: string) => `\u200f ${code}\n`],
    ] as const) {
      test(`a code ${how} signs in by itself, once`, async ({ page, context, gatehouse }) => {
        const email = await openCodeEntry(page, t);
        const code = await gatehouse.mailbox.codeFor(email);
        const posts = countPosts(page);
        await paste(context, page, write(code));
        await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
        expect(posts()).toBe(1);
      });
    }

    test("a code typed in Arabic-Indic digits signs in", async ({ page, gatehouse }) => {
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const posts = countPosts(page);
      await page.getByLabel(t("login:code")).pressSequentially(inDigitsFrom(code, 0x0660));
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
      expect(posts()).toBe(1);
    });

    test("a pasted code replaces the typed digits", async ({ page, context, gatehouse }) => {
      const email = await openCodeEntry(page, t);
      const code = await gatehouse.mailbox.codeFor(email);
      const field = page.getByLabel(t("login:code"));
      await field.pressSequentially("12");
      await page.keyboard.press("Home");
      await paste(context, page, code);
      await expect(page.getByRole("heading", { name: t("onboarding:title") })).toBeVisible();
    });
  });
}

async function paste(context: BrowserContext, page: Page, text: string): Promise<void> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press("Control+V");
}

function inDigitsFrom(code: string, zero: number): string {
  return code.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
}
