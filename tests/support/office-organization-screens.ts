import { isolate } from "../../app/ui/text/isolate.ts";
import { anOrganization } from "./organizations.ts";
import { newEmail } from "./people.ts";
import { go, type Screen, signedIn, signedInAtFirst } from "./visit.ts";

/** The back-office's screens of one organization. */
export const OFFICE_ORGANIZATION_SCREENS: Screen[] = [
  {
    name: "manager-organization",
    open: (visit) => signedInAtFirst(visit, "organization", (id) => `/manager/organizations/${id}`),
  },
  {
    name: "manager-organization-member",
    async open(visit) {
      const { page, t } = visit;
      await signedInAtFirst(visit, "organization", (id) => `/manager/organizations/${id}`);
      await page
        .getByRole("link", { name: t("common:list.rowActions", { name: isolate("Theo Walsh") }) })
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "manager-organization-disabled",
    async open(visit) {
      const { organization } = await anOrganization(visit.gatehouse, {
        name: "مؤسسة Zawadi",
        deletion_due_at: Date.UTC(2099, 4, 1, 12),
      });
      await signedIn(visit, `/manager/organizations/${organization.id}`, "admin");
      const { page, t } = visit;
      // Disabled on the screen, so that it shows the event as well.
      await page
        .getByRole("button", { name: t("manager-organizations:menus.organization") })
        .click();
      const disable = t("manager-organizations:disable.title");
      await page.getByRole("button", { name: disable, exact: true }).click();
      const drawer = page.getByRole("alertdialog");
      await drawer
        .getByLabel(t("manager-organizations:disabled.reason"))
        .fill("The bills of two months are unpaid.");
      await drawer.getByRole("button", { name: t("common:actions.confirm") }).click();
      await page.getByRole("button", { name: t("manager-organizations:enable") }).waitFor();
      // Without the toast.
      await go(page, `/manager/organizations/${organization.id}`);
    },
  },
  {
    name: "manager-organization-refused",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { organization } = await anOrganization(gatehouse);
      await signedIn(visit, `/manager/organizations/${organization.id}`, "admin");
      await page.getByRole("button", { name: t("manager-organizations:addMember.title") }).click();
      const drawer = page.getByRole("alertdialog");
      await drawer.getByLabel(t("manager-organizations:email")).fill(newEmail("nobody"));
      await drawer.getByRole("button", { name: t("common:actions.confirm") }).click();
      await drawer.getByText(t("manager-organizations:refusal.noUser")).waitFor();
    },
  },
];
