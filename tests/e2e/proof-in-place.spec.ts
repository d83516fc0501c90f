import type { Page } from "@playwright/test";
import { confirmButton, expect, hydrated, test } from "../support/e2e.ts";
import { aUser, newEmail } from "../support/people.ts";
import { makeProofOld } from "../support/sessions.ts";
import { translationsIn } from "../support/translations.ts";
import type { Gatehouse } from "../support/worker.ts";

// With JavaScript a proof of identity is asked for over the form that needs it, which goes on with
// what was typed.

const t = translationsIn("en");

function proofDialog(page: Page) {
  return page.getByRole("dialog", { name: t("account:confirm.title") });
}

/** Asks for a code in the dialog and enters it: the sixth digit proves. */
async function prove(page: Page, { mailbox }: Gatehouse, email: string) {
  const dialog = proofDialog(page);
  await dialog.getByRole("button", { name: t("account:code.send") }).click();
  await dialog.getByLabel(t("login:code")).fill(await mailbox.codeFor(email));
  await expect(dialog).toBeHidden();
}

async function countEvents({ d1 }: Gatehouse, target: string, action: string) {
  return d1
    .prepare("SELECT count(*) AS n FROM audit_event WHERE target_id = ? AND action = ?")
    .bind(target, action)
    .first<number>("n");
}

test("somebody is promoted in one go, with a name that was typed before", async ({
  signedIn,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Zuri" });
  const { page, user } = await signedIn({ role: "admin" });
  await makeProofOld(gatehouse, user);
  await page.goto(`/manager/users/${person.id}/update`);
  await hydrated(page);
  await expect(page.getByText(t("common:proof.first"))).toBeHidden();

  await page.getByLabel(t("users:name")).fill("Zuri Renamed");
  await page.getByRole("checkbox", { name: t("users:roles.admin") }).check();
  await page.getByRole("button", { name: t("users:save") }).click();
  await prove(page, gatehouse, user.email);

  await expect(page).toHaveURL(`/manager/users/${person.id}`);
  const saved = await gatehouse.d1
    .prepare("SELECT name, role FROM user WHERE id = ?")
    .bind(person.id)
    .first<{ name: string; role: string }>();
  expect(saved?.name).toBe("Zuri Renamed");
  expect(saved?.role).toContain("admin");
  expect(await countEvents(gatehouse, person.id, "user.updated")).toBe(1);
});

test("Escape leads back to the form with all that was typed, and a wrong code is told in place", async ({
  signedIn,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Amara" });
  const { page, user } = await signedIn({ role: "admin" });
  await makeProofOld(gatehouse, user);
  await page.goto(`/manager/users/${person.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: t("common:list.actions") }).click();
  await page.getByRole("button", { name: t("users:ban.title") }).click();
  const question = page.getByRole("alertdialog");
  const reason = question.getByRole("textbox").first();
  await reason.fill("Sends spam");
  await confirmButton(question).click();
  const dialog = proofDialog(page);
  await expect(dialog.getByRole("button", { name: t("account:code.send") })).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(question).toBeVisible();
  await expect(reason).toHaveValue("Sends spam");
  await expect(confirmButton(question)).toBeFocused();
  expect(await countEvents(gatehouse, person.id, "user.banned")).toBe(0);

  await confirmButton(question).click();
  await dialog.getByRole("button", { name: t("account:code.send") }).click();
  const field = dialog.getByLabel(t("login:code"));
  await expect(field).toBeFocused();
  const code = await gatehouse.mailbox.codeFor(user.email);
  await field.fill(code === "000000" ? "111111" : "000000");
  await expect(dialog.getByRole("alert").filter({ hasText: /./ })).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(field).toBeFocused();
  expect(await countEvents(gatehouse, person.id, "user.banned")).toBe(0);

  await field.fill(code);
  await expect(page.getByText(t("users:toast.banned"))).toBeVisible();
  await expect(question).toBeHidden();
  expect(await countEvents(gatehouse, person.id, "user.banned")).toBe(1);
  const banned = await gatehouse.d1
    .prepare("SELECT ban_reason FROM user WHERE id = ?")
    .bind(person.id)
    .first<string>("ban_reason");
  expect(banned).toBe("Sends spam");
});

test("of a list the chosen rows stay chosen, and are changed once after the proof", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `inplace${process.pid}`;
  const people = [];
  for (const number of [1, 2, 3]) {
    people.push(await aUser(gatehouse, { name: `${word} ${number}`, email: newEmail(word) }));
  }
  const { page, user } = await signedIn({ role: "admin" });
  await makeProofOld(gatehouse, user);
  await page.goto(`/manager/users?searchTerm=${word}&sort=name&direction=asc`);
  await hydrated(page);
  for (const number of [1, 2]) {
    const name = t("common:selection.choose", { name: `${word} ${number}` });
    await page.getByRole("checkbox", { name }).check();
  }
  const bar = page.getByRole("form", { name: t("common:selection.label") });
  const question = page.getByRole("alertdialog");
  const askToDelete = async () => {
    await bar.getByRole("button", { name: t("common:actions.delete") }).click();
    await confirmButton(question).click();
  };
  await askToDelete();
  await expect(proofDialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);

  await askToDelete();
  await prove(page, gatehouse, user.email);

  await expect(page.locator('section[role="status"]')).toContainText(
    t("users:bulk.deleted", { count: 2 }),
  );
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  const left = await gatehouse.d1
    .prepare("SELECT id FROM user WHERE id IN (?, ?, ?)")
    .bind(...people.map(({ id }) => id))
    .all<{ id: string }>();
  expect(left.results).toEqual([{ id: people[2]?.id }]);
});

test("a file of the users is downloaded after the proof, without leaving the list", async ({
  signedIn,
  gatehouse,
}) => {
  const { page, user } = await signedIn({ role: "admin" });
  await makeProofOld(gatehouse, user);
  await page.goto("/manager/users?searchTerm=x");
  await hydrated(page);
  await page.getByRole("link", { name: t("common:list.export") }).click();
  await proofDialog(page)
    .getByRole("button", { name: t("account:code.send") })
    .click();
  const download = page.waitForEvent("download");
  await proofDialog(page)
    .getByLabel(t("login:code"))
    .fill(await gatehouse.mailbox.codeFor(user.email));
  expect((await download).suggestedFilename()).toContain(".csv");
  await expect(page).toHaveURL("/manager/users?searchTerm=x");
});

test("a session that has ended in another tab proves nothing, and nothing is done", async ({
  signedIn,
  gatehouse,
}) => {
  const person = await aUser(gatehouse, { name: "Kofi" });
  const { page, user } = await signedIn({ role: "admin" });
  await makeProofOld(gatehouse, user);
  await page.goto(`/manager/users/${person.id}/update`);
  await hydrated(page);
  await page.getByRole("checkbox", { name: t("users:roles.admin") }).check();
  await page.getByRole("button", { name: t("users:save") }).click();
  const dialog = proofDialog(page);
  await dialog.getByRole("button", { name: t("account:code.send") }).click();
  await expect(dialog.getByLabel(t("login:code"))).toBeVisible();
  const code = await gatehouse.mailbox.codeFor(user.email);
  await gatehouse.d1.prepare("DELETE FROM session WHERE user_id = ?").bind(user.id).run();
  await dialog.getByLabel(t("login:code")).fill(code);
  await expect(page).toHaveURL(/\/login/);
  expect(await countEvents(gatehouse, person.id, "user.updated")).toBe(0);
});
