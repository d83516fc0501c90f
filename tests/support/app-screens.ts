import { createDb } from "../../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../../app/features/demo/sample-data.server.ts";
import { seed } from "../../app/features/demo/seed.server.ts";
import { isolate } from "../../app/ui/text/isolate.ts";
import { signInAs } from "./e2e.ts";
import { anInvitation, anOrganization } from "./organizations.ts";
import {
  go,
  type Screen,
  signedIn,
  signedInAtFirst,
  signedInWithSamples,
  type Visit,
} from "./visit.ts";

/** The app's own screens: home and repositories. */
export const APP_SCREENS: Screen[] = [
  {
    name: "app-home",
    async open(visit) {
      await seed(createDb(visit.gatehouse.d1), DEFAULT_SIZE, new Date());
      await signedIn(visit, "/app");
    },
  },
  {
    name: "app-account-menu",
    async open(visit) {
      await signedIn(visit, "/app", "admin");
      await visit.page.getByRole("button", { name: visit.t("common:account.menu") }).click();
    },
  },
  {
    name: "app-organization-menu",
    async open(visit) {
      const { page, t } = visit;
      const { name } = await workingInOrganization(visit, "/app");
      const label = t("app:organizations.switch", { name: isolate(name) });
      await page.getByRole("button", { name: label }).click();
    },
  },
  {
    name: "app-repositories-shared",
    open: (visit) => workingInOrganization(visit, "/app/repositories").then(() => {}),
  },
  { name: "app-home-waiting", open: withOrganizationNotices },
  { name: "app-repositories-empty", open: (visit) => signedIn(visit, "/app/repositories") },
  { name: "app-repositories", open: (visit) => signedInWithSamples(visit, "/app/repositories") },
  {
    name: "app-repository",
    open: (visit) => signedInAtFirst(visit, "repository", (id) => `/app/repositories/${id}`),
  },
];

/** Signs a user in who is a member of three organizations and works in the first. */
async function workingInOrganization({ page, gatehouse }: Visit, path: string) {
  const person = await signInAs(gatehouse, page.context(), { name: "زهراء Zawadi" });
  const members = [person];
  const { organization } = await anOrganization(
    gatehouse,
    { name: "Nyumbani Cooperative" },
    { members },
  );
  await anOrganization(gatehouse, { name: "مؤسسة النخيل" }, { owner: person });
  const stopped = { name: "Société des éditeurs de logiciels libres du Sahel", disabled_at: 1 };
  await anOrganization(gatehouse, stopped, { members });
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date());
  await gatehouse.d1.batch([
    gatehouse.d1
      .prepare(
        "INSERT INTO organization_repository (organization_id, repository_id, created_at) SELECT ?, id, 1 FROM repository LIMIT 7",
      )
      .bind(organization.id),
    gatehouse.d1
      .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
      .bind(organization.id, person.id),
  ]);
  await go(page, path);
  return organization;
}

/** Signs a user in who has an invitation, and an organization that is being deleted. */
async function withOrganizationNotices({ page, gatehouse }: Visit) {
  const person = await signInAs(gatehouse, page.context());
  const inviting = await anOrganization(gatehouse, { name: "Nyumbani Cooperative" });
  await anInvitation(gatehouse, {
    organization_id: inviting.organization.id,
    inviter_id: inviting.ownerId,
    email: person.email,
  });
  const leaving = { name: "مؤسسة النخيل", deletion_due_at: Date.now() + 6 * 86_400_000 };
  await anOrganization(gatehouse, leaving, { members: [person] });
  await go(page, "/app");
}
