import type { Page } from "@playwright/test";
import { expect } from "../../../../tests/support/e2e.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";

const en = translationsIn("en");

/** The palette's elements in one language. */
export function paletteOn(page: Page, t = en) {
  const field = page.getByRole("combobox", { name: t("search:placeholder") });
  return {
    button: page.getByRole("button", { name: t("common:palette.open") }),
    dialog: page.getByRole("dialog"),
    field,
    option: (name: string) => page.getByRole("option", { name }),
    async choose(name: string, typed = name) {
      await field.fill(typed);
      await page.getByRole("option", { name }).click();
      await expect(page.getByRole("dialog")).toBeHidden();
    },
  };
}

/** Opens a screen and waits until its keyboard shortcuts work: the button names them then. */
export async function openWithPalette(page: Page, path: string, t = en) {
  await page.goto(path);
  const palette = paletteOn(page, t);
  await expect(palette.button).toHaveAttribute("aria-keyshortcuts", /K/);
  return palette;
}
