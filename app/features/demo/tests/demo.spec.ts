import { expect, hydrated, test, toast } from "../../../../tests/support/e2e.ts";
import { inTurn } from "../../../../tests/support/matrix.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { DEMO_ACCOUNTS } from "../accounts.ts";

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
    await page.getByLabel("6-digit code").pressSequentially(code);
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
  await page.getByLabel("6-digit code").pressSequentially("123456");
  await expect(page.getByRole("alert").filter({ hasText: "Code is invalid" })).toBeVisible();
});
