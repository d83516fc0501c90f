import type { Page } from "@playwright/test";
import { hydrated } from "./e2e.ts";
import type { translationsIn } from "./translations.ts";
import type { Gatehouse, GatehouseOptions } from "./worker.ts";

/** What a screen of the screen tests is opened with. */
export type Visit = { page: Page; gatehouse: Gatehouse; t: ReturnType<typeof translationsIn> };

export type Screen = {
  name: string;
  /** Settings of the product that this screen needs instead of `SETTINGS`. */
  settings?: GatehouseOptions;
  /** The browser problem that this screen causes. */
  problem?: string;
  /** True when the screenshots show the whole page instead of one window of it. */
  isLong?: boolean;
  /** Opens the screen in a new page. */
  open: (visit: Visit) => Promise<void>;
};

/** Opens a page and waits until React has hydrated it. */
export async function go(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}
