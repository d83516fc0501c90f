import { expect } from "vitest";
import type { Browser } from "./client.ts";
import { readPage, textOf } from "./page.ts";

/** Posts a list's form with these rows selected. */
export function choose(
  browser: Browser,
  list: string,
  ids: string[],
  fields: Record<string, string>,
  init?: RequestInit,
): Promise<Response> {
  const chosen = ids.map((id): [string, string] => ["id", id]);
  return browser.submit(list, [...Object.entries(fields), ...chosen], init);
}

/** Returns the list's report about the selected rows. */
export async function reportOn(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  const page = readPage(await response.text());
  const report = page.find("status");
  if (report === undefined) throw new Error(`There is no report on: ${page.text()}`);
  return textOf(report);
}
