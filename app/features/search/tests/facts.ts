import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { state } from "../../../../tests/support/screen.ts";

export const facts = {
  states: [
    state("palette", "admin", "/manager/dashboard", async (page, t) => {
      await page.keyboard.press("Control+K");
      await page.getByRole("combobox", { name: t("search:placeholder") }).fill("bea");
      await page.getByRole("group", { name: t("search:groups.users") }).waitFor();
    }),
    state("keyboard-help", "owner", "/app", async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("term").first().waitFor();
    }),
  ],
} satisfies FeatureTests;
