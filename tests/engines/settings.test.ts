import { expect, open, SIZES, signInAs, test } from "../support/engines.ts";

test("an admin closes sign-up on a phone, and the form keeps it", async ({
  page,
  visit,
  gatehouse,
}) => {
  await page.setViewportSize(SIZES.phone);
  await signInAs({ visit, gatehouse }, { role: "admin" });
  await open(page, "/manager/settings/access");
  const mode = page.getByRole("group", { name: "New accounts" });
  const byInvitation = mode.getByRole("radio", { name: "By invitation", exact: true });

  await byInvitation.click();
  await page.getByText("Unsaved changes").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Settings saved.").waitFor();

  await open(page, "/manager/settings/access");
  expect(await byInvitation.isChecked()).toBe(true);
});

test("a link that is not one is refused beside its field, which keeps it", async ({
  page,
  visit,
  gatehouse,
}) => {
  await signInAs({ visit, gatehouse }, { role: "admin" });
  await open(page, "/manager/settings/access");
  await page.getByRole("heading", { name: "Terms and privacy" }).click();
  const terms = page.getByRole("textbox", { name: "Link to the terms" });

  await terms.fill("example.com/terms");
  await page.getByRole("button", { name: "Save changes" }).click();

  await page.getByRole("alert").getByText("Use a link that begins with https://").waitFor();
  expect(await terms.inputValue()).toBe("example.com/terms");
});
