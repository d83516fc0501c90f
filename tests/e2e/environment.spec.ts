import type { Page } from "@playwright/test";
import { expect, SIZES, test } from "../support/e2e.ts";

test("without an environment name there is neither bar nor prefix", async ({ page }) => {
  await page.goto("/login");
  await expect(page).toHaveTitle("Login or Sign Up · Gatehouse");
  await expect(page.getByText("staging")).toHaveCount(0);
});

test("a named environment has a coloured bar with its name, and the name before every title", async ({
  newContext,
  newGatehouse,
}) => {
  const staging = await newGatehouse({
    vars: { ENVIRONMENT_NAME: "staging", ENVIRONMENT_COLOR: "amber" },
  });
  for (const language of ["en", "ar"] as const) {
    const context = await newContext({ baseURL: staging.origin, locale: language });
    const page = await context.newPage();
    await page.goto("/login");
    const label = page.getByText("staging");
    await expect(label).toBeVisible();
    await expect(label).toHaveCSS("background-color", "rgb(255, 197, 61)");
    await expect(label).toHaveCSS("color", "rgb(0, 0, 0)");
    await expect(label).toHaveCSS("text-transform", "uppercase");
    await expect(page).toHaveTitle(/^\[staging\] .+ · Gatehouse$/);

    const box = await boxOf(page, "staging");
    expect(box.y).toBe(0);
    // At the start of the line, left or right.
    const { width } = SIZES.desktop;
    if (language === "ar") expect(box.x + box.width).toBeGreaterThan(width - 40);
    else expect(box.x).toBeLessThan(40);

    await page.goto("/nowhere");
    await expect(page).toHaveTitle(/^\[staging\] /);
    await expect(label).toBeVisible();
  }
});

test("the bar takes no clicks", async ({ newContext, newGatehouse }) => {
  const staging = await newGatehouse({
    vars: { ENVIRONMENT_NAME: "a long name of staging" },
  });
  const context = await newContext({ baseURL: staging.origin });
  const page = await context.newPage();
  await page.goto("/login");
  const box = await boxOf(page, "a long name of staging");
  const found = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.textContent ?? "",
    [box.x + box.width / 2, box.y + box.height / 2] as const,
  );
  expect(found).not.toBe("a long name of staging");
});

test("an emoji replaces the name in titles, and the bar is plum by default", async ({
  newContext,
  newGatehouse,
}) => {
  const preview = await newGatehouse({
    vars: { ENVIRONMENT_NAME: "preview", ENVIRONMENT_EMOJI: "🧪" },
  });
  const context = await newContext({ baseURL: preview.origin });
  const page = await context.newPage();
  await page.goto("/login");
  await expect(page).toHaveTitle("🧪 Login or Sign Up · Gatehouse");
  await expect(page.getByText("preview")).toHaveCSS("background-color", "rgb(171, 74, 186)");
});

async function boxOf(page: Page, text: string) {
  const box = await page.getByText(text).boundingBox();
  if (!box) throw new Error(`"${text}" has no position on the page`);
  return box;
}
