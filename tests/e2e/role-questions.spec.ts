import { isolate } from "../../app/ui/text/isolate.ts";
import { confirmButton, expect, hydrated, test } from "../support/e2e.ts";
import { anOrganization } from "../support/organizations.ts";
import { aUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

const t = translationsIn("en");

for (const hasScript of [true, false]) {
  const setting = `${hasScript ? "with" : "without"} JavaScript`;

  test(`a member's role is confirmed ${hasScript ? "once another one is chosen" : "at any time"} (${setting})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const { page, user } = await signedIn({}, { javaScriptEnabled: hasScript });
    const member = await aUser(gatehouse, { name: "Mia Member" });
    const { organization } = await anOrganization(
      gatehouse,
      {},
      { owner: user, members: [member] },
    );
    await page.goto(`/app/organizations/${organization.slug}/members`);
    if (hasScript) await hydrated(page);
    const actions = t("organizations:membersList.actions", { name: isolate("Mia Member") });
    await page.getByRole("button", { name: actions }).click();
    await page.getByRole("button", { name: t("organizations:membersList.setRole") }).click();
    const question = page.getByRole("alertdialog").filter({ visible: true });
    const confirm = confirmButton(question);
    const choose = (role: "admin" | "member") =>
      question.getByRole("radio", { name: t(`organizations:roles.${role}`) }).check();

    await expect(confirm).toBeEnabled({ enabled: !hasScript });
    await choose("admin");
    await expect(confirm).toBeEnabled();
    await choose("member");
    await expect(confirm).toBeEnabled({ enabled: !hasScript });
    await choose("admin");
    await confirm.click();
    await expect(page.getByRole("row", { name: "Mia Member" })).toContainText(
      t("organizations:roles.admin"),
    );
  });
}

test("roles of chosen users are confirmed once they are not the present ones of all", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `roles${process.pid}`;
  await aUser(gatehouse, { name: `${word} 1` });
  await aUser(gatehouse, { name: `${word} 2`, role: "support" });
  const { page } = await signedIn({ role: "admin" });
  await page.goto(`/manager/users?searchTerm=${word}`);
  await hydrated(page);
  const choose = (number: number) =>
    page
      .getByRole("checkbox", { name: t("common:selection.choose", { name: `${word} ${number}` }) })
      .check();
  const open = () => page.getByRole("button", { name: t("users:bulk.setRole") }).click();
  const question = page.getByRole("alertdialog").filter({ visible: true });
  const confirm = confirmButton(question);
  const support = question.getByRole("checkbox", { name: t("users:roles.support") });

  await choose(1);
  await open();
  await expect(confirm).toBeDisabled();
  await support.check();
  await expect(confirm).toBeEnabled();
  await support.uncheck();
  await expect(confirm).toBeDisabled();
  await question.getByRole("button", { name: t("common:actions.cancel") }).click();

  await choose(2);
  await open();
  await expect(confirm).toBeEnabled();
});

test("clearing the choice of users unchecks roles, and the next question is about the roles it shows", async ({
  signedIn,
  gatehouse,
}) => {
  const word = `cleared${process.pid}`;
  await aUser(gatehouse, { name: word, role: "support,user" });
  const { page } = await signedIn({ role: "admin" });
  await page.goto(`/manager/users?searchTerm=${word}`);
  await hydrated(page);
  const choice = page.getByRole("checkbox", {
    name: t("common:selection.choose", { name: word }),
  });
  const open = () => page.getByRole("button", { name: t("users:bulk.setRole") }).click();
  const question = page.getByRole("alertdialog").filter({ visible: true });
  const confirm = confirmButton(question);
  const support = question.getByRole("checkbox", { name: t("users:roles.support") });

  await choice.check();
  await open();
  await support.check();
  await expect(confirm).toBeDisabled();
  await question.getByRole("button", { name: t("common:actions.cancel") }).click();
  await page.getByRole("button", { name: t("common:selection.clear") }).click();
  await choice.check();
  await open();

  await expect(support).not.toBeChecked();
  await expect(confirm).toBeEnabled();
});
