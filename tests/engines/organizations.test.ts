import { expect, hydrated, open, signInAs, test } from "../support/engines.ts";
import { newEmail } from "../support/people.ts";

test("a person creates an organization, and an invited one signs up and joins it", async ({
  page,
  visit,
  gatehouse,
}) => {
  const email = newEmail("nia");
  await signInAs({ visit, gatehouse }, { name: "Olga Owner" });
  await open(page, "/app/organizations");
  await page.getByRole("link", { name: "New organization" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Zeit Works");
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.getByRole("heading", { name: "Zeit Works" }).waitFor();

  const parts = page.getByRole("navigation", { name: "Organization", exact: true });
  await parts.getByRole("link", { name: "Invitations" }).click();
  await page.getByRole("link", { name: "Invite people" }).click();
  await page.getByRole("textbox", { name: "Email addresses" }).fill(email);
  await page.getByRole("button", { name: "Send invitations" }).click();
  await page.getByRole("status").getByText(email).waitFor();

  await visit.forget();
  await open(page, await gatehouse.mailbox.linkFor(email));
  await page.getByRole("link", { name: "Sign in to respond" }).click();
  await page.getByRole("button", { name: "Continue with email" }).click();
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  const code = page.getByRole("textbox", { name: "6-digit code" });
  await code.pressSequentially(await gatehouse.mailbox.codeFor(email));
  await page.getByRole("textbox", { name: "What is your name?" }).fill("Nia New");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Accept" }).click();

  await page.getByRole("heading", { name: "Zeit Works" }).waitFor();
  await hydrated(page);
  await parts.getByRole("link", { name: "Members" }).click();
  await page.getByRole("table").getByText("Olga Owner").waitFor();
  expect(await page.getByRole("table").getByText("Nia New").count()).toBe(1);
});
