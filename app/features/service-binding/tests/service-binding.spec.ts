import { expect, test } from "../../../../tests/support/e2e.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { FRONT, SHOP } from "./beside.ts";

for (const javaScriptEnabled of [true, false]) {
  test(`a visitor of another Worker signs in and comes back to its page (JavaScript ${javaScriptEnabled ? "on" : "off"})`, async ({
    newGatehouse,
    newContext,
    expectProblem,
  }) => {
    // The product's layout asks for its data there, before the browser loads the page of the other Worker.
    if (javaScriptEnabled) expectProblem("404 /app/shop/orders.data");
    const gatehouse = await newGatehouse({ front: FRONT, beside: [SHOP] });
    const context = await newContext({ baseURL: gatehouse.origin, javaScriptEnabled });
    const page = await context.newPage();
    const email = newEmail();
    const t = translationsIn("en");

    await page.goto("/app/shop/orders");
    await page.getByLabel(t("login:email")).fill(email);
    await page.getByRole("button", { name: t("login:withEmail") }).click();
    const code = await gatehouse.mailbox.codeFor(email);
    await page.getByLabel(t("login:code")).pressSequentially(code);
    if (!javaScriptEnabled) await page.getByRole("button", { name: t("login:confirm") }).click();
    await page.getByRole("textbox", { name: t("onboarding:question") }).fill("Amina Yusuf");
    await page.getByRole("button", { name: t("onboarding:continue") }).click();

    await expect(page.getByText("Orders of Amina Yusuf.")).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/app/shop/orders");
  });
}
