import { askForCode, expect, hydrated, SIZES, signInAs, test } from "../support/e2e.ts";
import { newEmail } from "../support/people.ts";

test("a new user types the name at once, after the code and after a reload", async ({
  page,
  gatehouse,
}) => {
  const email = newEmail();
  await askForCode(page, email);
  await page.getByLabel("6-digit code").pressSequentially(await gatehouse.mailbox.codeFor(email));
  await page.waitForURL("/onboarding*");
  const name = page.getByRole("textbox", { name: "What is your name?" });
  await expect(name).toBeFocused();
  await page.keyboard.type("Zawadi");
  await expect(name).toHaveValue("Zawadi");

  await page.goto("/app");
  await expect(page).toHaveURL("/onboarding?redirect=%2Fapp");
  await page.keyboard.type("Neema");
  await hydrated(page);
  await expect(name).toHaveValue("Neema");
  await expect(name).toBeFocused();
});

test("the first field of a form has the focus when its screen opens", async ({
  page,
  context,
  gatehouse,
}) => {
  await page.goto("/login");
  await expect(page.getByLabel("Email")).toBeFocused();

  const user = await signInAs(gatehouse, context, { role: "admin" });
  for (const path of [
    "/manager/organizations/new",
    "/manager/users/new",
    `/manager/users/${user.id}/update`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  }
  await page.goto("/manager/users");
  await hydrated(page);
  await page.getByRole("link", { name: "New user" }).click();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
});

test("on a phone no field takes the focus by itself", async ({ newContext, gatehouse }) => {
  const context = await newContext({ viewport: SIZES.phone, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto("/login");
  await hydrated(page);
  await expect(page.getByLabel("Email")).not.toBeFocused();
  await signInAs(gatehouse, context, { role: "admin" });
  await page.goto("/manager/users/new");
  await hydrated(page);
  await expect(page.getByRole("textbox", { name: "Name" })).not.toBeFocused();
});
