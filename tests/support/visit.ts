import type { Page } from "@playwright/test";
import { createDb } from "../../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../../app/features/demo/sample-data.server.ts";
import { seed } from "../../app/features/demo/seed.server.ts";
import { hydrated, signInAs } from "./e2e.ts";
import { newEmail } from "./people.ts";
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

/** Opens a page as a new user. */
export async function signedIn(
  { page, gatehouse }: Pick<Visit, "page" | "gatehouse">,
  path: string,
  role: "admin" | "user" = "user",
): Promise<void> {
  // As a sign-in through the screens records it.
  await signInAs(gatehouse, page.context(), { role, last_seen_at: Date.now() });
  await go(page, path);
}

/** Opens a page as a new admin, with the sample data. */
export async function signedInWithSamples(visit: Visit, path: string): Promise<void> {
  await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
  await signedIn(visit, path, "admin");
}

/** Opens the page of the oldest sample row of a table. */
export async function signedInAtFirst(
  visit: Visit,
  table: "organization" | "repository" | "user",
  pathOf: (id: string) => string | Promise<string>,
): Promise<void> {
  await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
  const id = await visit.gatehouse.d1
    .prepare(`SELECT id FROM ${table} ORDER BY created_at LIMIT 1`)
    .first<string>("id");
  if (id === null) throw new Error(`There are no samples in ${table}`);
  await signedIn(visit, await pathOf(id), "admin");
}

/** Asks for a code on the login screen. Returns the e-mail. */
export async function askForCode({ page, t }: Visit, email = newEmail()): Promise<string> {
  await go(page, "/login");
  await page.getByLabel(t("login:email")).fill(email);
  await page.getByRole("button", { name: t("login:withEmail") }).click();
  await page.getByRole("heading", { name: t("login:verifyTitle") }).waitFor();
  return email;
}
