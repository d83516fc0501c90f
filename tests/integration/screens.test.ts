import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../app/i18n/languages.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import type { Setting } from "../support/screen.ts";
import { SCREENS, startSeeded } from "../support/screens.ts";

/** Screens that say so with their status. */
const REFUSING: Record<string, number> = {
  "not-found": 404,
  "app-not-found": 404,
  "manager-not-found": 404,
  forbidden: 403,
};

const settings = [...new Set(SCREENS.map(({ setting }) => setting))];
const started = new Map<Setting, Awaited<ReturnType<typeof startSeeded>>>();

beforeAll(async () => {
  for (const setting of settings) started.set(setting, await startSeeded(setting));
});
afterAll(async () => {
  for (const one of started.values()) await one[Symbol.asyncDispose]();
});

const CASES = LANGUAGES.flatMap((language) => settings.map((setting) => ({ language, setting })));

test.each(CASES)("every screen opens ($language, $setting)", async ({ language, setting }) => {
  const gatehouse = started.get(setting);
  if (!gatehouse) throw new Error("Not started");
  const screens = SCREENS.filter((screen) => screen.setting === setting);
  const answers = [];
  for (const screen of screens)
    answers.push([screen.name, await open(gatehouse, screen, language)]);

  expect(answers).toEqual(screens.map(({ name }) => [name, REFUSING[name] ?? 200]));
});

async function open(
  gatehouse: Awaited<ReturnType<typeof startSeeded>>,
  { as, path }: (typeof SCREENS)[number],
  language: Language,
): Promise<number> {
  const browser = newBrowser(gatehouse, { language });
  if (as !== "anyone") {
    for (const [name, value] of gatehouse.seeded.browsers[as].cookies)
      browser.cookies.set(name, value);
  }
  const url = path(gatehouse.seeded.ids);
  let response = await browser.get(url);
  // Some screens ask for a proof first, or lead to their first part.
  if (response.status === 302) response = await browser.get(locationOf(response) ?? "");
  const page = await response.text();
  expect([url, page.includes(`<html lang="${language}"`)]).toEqual([url, true]);
  return response.status;
}
