import { isolate } from "../../app/ui/text/isolate.ts";
import { confirmButton, expect, SIZES, test } from "../support/e2e.ts";
import { matrix } from "../support/matrix.ts";
import { aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";

for (const { language, size } of matrix(
  {
    language: ["en", "ar"],
    size: ["desktop", "phone"],
  },
  1,
)) {
  test(`a manager creates an organization, changes and disables it (${language}, ${size})`, async ({
    signedIn,
    gatehouse,
  }) => {
    const t = translationsIn(language);
    const { page } = await signedIn(
      { role: "admin" },
      { locale: language, viewport: SIZES[size], colorScheme: "light" },
    );
    const owner = await aUser(gatehouse, { name: "زينب Nandi", email: newEmail("nandi") });
    const other = await aUser(gatehouse, { name: "Otto Other", email: newEmail("otto") });
    const drawer = page.getByRole("alertdialog");
    const confirm = () => confirmButton(drawer).click();
    const open = (title: string) =>
      page.getByRole("button", { name: t(title), exact: true }).click();

    await page.goto("/manager/organizations/new");
    const name = `مؤسسة ${crypto.randomUUID().slice(0, 8)}`;
    await page.getByLabel(t("manager-organizations:name"), { exact: true }).fill(name);
    await page.getByLabel(t("manager-organizations:ownerEmail")).fill(owner.email);
    await page.getByRole("button", { name: t("manager-organizations:create") }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

    await open("manager-organizations:addMember.title");
    await drawer.getByLabel(t("manager-organizations:email")).fill(newEmail("nobody"));
    await confirm();
    await expect(drawer.getByText(t("manager-organizations:refusal.noUser"))).toBeVisible();
    await drawer.getByLabel(t("manager-organizations:email")).fill(other.email);
    await confirm();
    await expect(page.getByRole("link", { name: /^Otto Other/ })).toBeVisible();

    // The events below name the members too.
    const members = page.getByRole("listitem").filter({ has: page.getByRole("link") });
    const actionsOf = (name: string) =>
      page.getByRole("link", { name: t("common:list.rowActions", { name: isolate(name) }) });
    await actionsOf("زينب Nandi").click();
    const memberDrawer = page.getByRole("dialog", { name: "زينب Nandi" });
    // The only owner stays the owner, and the drawer says why.
    await expect(memberDrawer.getByRole("definition")).toHaveText(
      t("manager-organizations:roles.owner"),
    );
    await expect(
      memberDrawer.getByText(t("manager-organizations:refusal.onlyOwner")),
    ).toBeVisible();
    await expect(memberDrawer.getByRole("combobox")).toHaveCount(0);
    await expect(memberDrawer.getByRole("button")).toHaveCount(0);
    await memberDrawer.getByRole("link", { name: t("common:actions.close") }).click();
    await expect(memberDrawer).toHaveCount(0);
    await actionsOf("Otto Other").click();
    const otherDrawer = page.getByRole("dialog", { name: "Otto Other" });
    const otherRole = otherDrawer.getByLabel(t("manager-organizations:role"));
    const save = otherDrawer.getByRole("button", { name: t("common:actions.save") });
    await expect(save).toBeDisabled();
    await otherRole.selectOption("admin");
    await expect(save).toBeEnabled();
    await otherRole.selectOption("member");
    await expect(save).toBeDisabled();
    await open("manager-organizations:transfer.title");
    await confirm();
    await expect(page.getByText(t("manager-organizations:toast.transferred"))).toBeVisible();
    await expect(members.filter({ hasText: "Otto Other" }).first()).toContainText(
      t("manager-organizations:roles.owner"),
    );

    await open("manager-organizations:menus.organization");
    await open("manager-organizations:disable.title");
    await drawer.getByLabel(t("manager-organizations:disabled.reason")).fill("Unpaid bills");
    await confirm();
    await expect(page.getByRole("paragraph").filter({ hasText: "Unpaid bills" })).toBeVisible();
    await expect(
      page.getByRole("button", { name: t("manager-organizations:addMember.title") }),
    ).toHaveCount(0);

    await page.goto("/manager/organizations?state=disabled");
    await page.getByRole("link", { name, exact: true }).click();
    await open("manager-organizations:enable");
    await expect(page.getByText(t("manager-organizations:toast.enabled"))).toBeVisible();
  });
}
