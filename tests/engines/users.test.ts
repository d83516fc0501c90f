import { aCrowd } from "../support/crowd.ts";
import { expect, open, signInAs, test } from "../support/engines.ts";
import { aUser } from "../support/people.ts";
import { findPerson, userPath } from "../support/users.ts";

test("a manager searches, filters and bans several users at once", async ({
  page,
  visit,
  gatehouse,
}) => {
  const { word } = await aCrowd(gatehouse, 3);
  await signInAs({ visit, gatehouse }, { role: "admin", name: "Mona Manager" });
  await open(page, "/manager/users?sort=name&direction=asc");
  const rowOf = (number: string) =>
    page.getByRole("row", { name: new RegExp(`${word} ${number}`) });

  await page.getByRole("searchbox").fill(word);
  await expect.poll(() => page.getByRole("row", { name: /Mona/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await page.getByText("Nothing matches these filters.").waitFor();
  await open(page, `/manager/users?searchTerm=${word}&sort=name&direction=asc`);

  for (const number of ["001", "003"]) {
    await page.getByRole("checkbox", { name: `Select ${word} ${number}` }).click();
  }
  const bar = page.getByRole("form", { name: "Selected rows" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByRole("button", { name: "Ban", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox", { name: "Reason" }).fill("Spam");
  await question.getByRole("button", { name: "Ban 2 users" }).click();

  await page.getByText("2 banned:").waitFor();
  for (const number of ["001", "003"]) await rowOf(number).getByText("Banned").waitFor();
  expect(await rowOf("002").getByText("Banned").count()).toBe(0);
});

test("a manager bans a user until a day of the calendar, and lifts the ban", async ({
  page,
  visit,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri Abdi" });
  await signInAs({ visit, gatehouse }, { role: "admin", name: "Mona Manager" });
  await open(page, userPath(person.id));

  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await page.getByRole("button", { name: "Ban", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.getByLabel("Duration").selectOption("date");
  await question.getByRole("button", { name: "Pick a date" }).click();
  const calendar = page.getByRole("dialog", { name: "Pick a date" });
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await calendar.getByRole("textbox").fill(inTenDays);
  await question.getByRole("button", { name: "Ban", exact: true }).click();

  const unban = page.getByRole("button", { name: "Unban" });
  await unban.waitFor();
  expect((await findPerson(gatehouse, person.id))?.ban_expires).toBe(
    Date.parse(`${inTenDays}T23:59:59.999Z`),
  );
});
