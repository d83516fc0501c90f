import type { Page } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { translationsIn } from "./translations.ts";

type T = ReturnType<typeof translationsIn>;

/** Opens a part of the organization with its navigation. */
export async function openPart(page: Page, t: T, part: string): Promise<void> {
  const label = t("organizations:nav.label");
  const link = page
    .getByRole("navigation", { name: label, exact: true })
    .getByRole("link", { name: t(`organizations:nav.${part}`) });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "page");
}

/** Opens the form of a part of an organization with its link, and closes it with "Cancel". */
export async function expectFormOf(
  page: Page,
  t: T,
  { part, opener, field }: { part: string; opener: string; field: string },
): Promise<void> {
  await openPart(page, t, part);
  const link = page.getByRole("link", { name: t(`organizations:${opener}`) });
  const name = t(`organizations:${field}`);
  const input = page.getByRole("textbox", { name });
  await expect(input).toHaveCount(0);
  await link.click();
  await expect(input).toBeVisible();
  await expect(link).toHaveCount(0);
  await page.getByRole("link", { name: t("common:actions.cancel") }).click();
  await expect(input).toHaveCount(0);
  await expect(link).toBeVisible();
}
