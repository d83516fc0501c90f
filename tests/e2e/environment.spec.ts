import type { Page } from "@playwright/test";
import { DEMO_ACCOUNTS } from "../../app/features/demo/accounts.ts";
import { expect, hydrated, SIZES, test, toast } from "../support/e2e.ts";
import { inTurn } from "../support/matrix.ts";
import { newEmail } from "../support/people.ts";

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

for (const javaScriptEnabled of inTurn([true, false], 0)) {
  test(`the demonstration shows its code and saves nothing (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    newContext,
    newGatehouse,
  }) => {
    const demo = await newGatehouse({ vars: { DEMO: "true" } });
    const { email } = DEMO_ACCOUNTS.user;
    const context = await newContext({ baseURL: demo.origin, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto("/login");
    // The demonstration makes its accounts by itself.
    const forget = demo.d1
      .prepare("UPDATE user SET name = 'Sample', onboarded_at = NULL WHERE email = ? RETURNING id")
      .bind(email);
    await expect.poll(() => forget.first()).not.toBeNull();
    await expect(page.getByText("This is a demonstration:")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Login", exact: true })).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Continue with email" }).click();

    // Nothing was sent, so nothing says so.
    await expect(page.getByText(`For ${email}`)).toBeVisible();
    const shown = page.getByRole("button", { name: /^Use the code \d{6}$/ });
    const code = /\d{6}/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
    await page.getByLabel("6-character code").pressSequentially(code);
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Confirm" }).click();

    await page.getByRole("textbox", { name: "What is your name?" }).fill("Somebody");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "This is a demonstration: nothing is saved")).toBeVisible();
    const row = await demo.d1.prepare("SELECT name FROM user WHERE email = ?").bind(email).first();
    expect(row).toEqual({ name: "Sample" });
    expect(demo.mailbox.attempts).toEqual([]);
  });
}

for (const javaScriptEnabled of inTurn([true, false], 1)) {
  test(`one button leads to the code of a sample manager (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    newContext,
    newGatehouse,
  }) => {
    const demo = await newGatehouse({ vars: { DEMO: "true" } });
    const context = await newContext({ baseURL: demo.origin, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto("/login");
    const managers = demo.d1.prepare("SELECT 1 FROM user WHERE email = 'manager@example.com'");
    await expect.poll(() => managers.first()).not.toBeNull();
    const [asUser, asManager] = [
      page.getByRole("button", { name: "Try as a user" }),
      page.getByRole("button", { name: "Try as an admin" }),
    ];
    const [user, manager] = [await asUser.boundingBox(), await asManager.boundingBox()];
    expect(user?.y).toBe(manager?.y);
    expect(user?.width).toBeCloseTo(manager?.width ?? 0, 1);
    await asManager.click();
    await expect(page.getByLabel("Email")).toHaveValue("manager@example.com");
    await page.getByRole("button", { name: "Continue with email" }).click();

    await page.getByRole("button", { name: /^Use the code \d{6}$/ }).click();
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  });
}

test("the demonstration refuses an unknown e-mail without saying that it is unknown", async ({
  newContext,
  newGatehouse,
}) => {
  const demo = await newGatehouse({ vars: { DEMO: "true" } });
  const context = await newContext({ baseURL: demo.origin });
  const page = await context.newPage();
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(newEmail());
  await page.getByRole("button", { name: "Continue with email" }).click();
  await expect(page.getByText("If you have an account, we have sent a code to")).toBeVisible();
  await page.getByLabel("6-character code").pressSequentially("123456");
  await expect(page.getByRole("alert").filter({ hasText: "Code is invalid" })).toBeVisible();
});

async function boxOf(page: Page, text: string) {
  const box = await page.getByText(text).boundingBox();
  if (!box) throw new Error(`"${text}" has no position on the page`);
  return box;
}
