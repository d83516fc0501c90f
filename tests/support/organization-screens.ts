import { isolate } from "../../app/ui/text/isolate.ts";
import { signInAs } from "./e2e.ts";
import { insertRows } from "./insert.ts";
import { anInvitation, anOrganization, inTeam, type OrganizationRow } from "./organizations.ts";
import { aUser, newEmail } from "./people.ts";
import { manyRepositories, newName } from "./repositories.ts";
import { go, type Screen, type Visit } from "./visit.ts";

const HOUR_MS = 3_600_000;

/** Every screen of organizations, in each state that looks different. */
export const ORGANIZATION_SCREENS: Screen[] = [
  {
    name: "organizations-empty",
    async open({ page, gatehouse }) {
      await signInAs(gatehouse, page.context());
      await go(page, "/app/organizations");
    },
  },
  {
    name: "organizations",
    async open(visit) {
      const { page, gatehouse } = visit;
      const person = await signInAs(gatehouse, page.context());
      await anOrganization(gatehouse, { name: "Nyumbani Cooperative" }, { owner: person });
      const leaving = { name: "مؤسسة النخيل", deletion_due_at: Date.now() + HOUR_MS };
      await anOrganization(gatehouse, leaving, { members: [person] });
      await anOffer(visit, person.email);
      await go(page, "/app/organizations");
    },
  },
  {
    name: "organization-new-invalid",
    async open({ page, gatehouse, t }) {
      await signInAs(gatehouse, page.context());
      await go(page, "/app/organizations/new");
      await page.getByRole("button", { name: t("organizations:create") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:name.required") })
        .waitFor();
    },
  },
  { name: "organization", open: (visit) => inCompany(visit, "") },
  { name: "organization-members", open: (visit) => inCompany(visit, "/members") },
  {
    name: "organization-members-as-member",
    open: (visit) => inCompany(visit, "/members", "member"),
  },
  {
    name: "organization-members-role",
    async open(visit) {
      const { page, t } = visit;
      await inCompany(visit, "/members");
      const name = isolate("Baraka Mwangi");
      await page
        .getByRole("button", { name: t("organizations:membersList.actions", { name }) })
        .click();
      await page.getByRole("button", { name: t("organizations:membersList.setRole") }).click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  { name: "organization-teams", open: (visit) => inCompany(visit, "/teams") },
  { name: "organization-team-new", open: (visit) => inCompany(visit, "/teams?new") },
  { name: "organization-team", open: (visit) => inCompany(visit, "/teams/TEAM") },
  {
    name: "organization-team-as-member",
    open: (visit) => inCompany(visit, "/teams/TEAM", "member"),
  },
  { name: "organization-invitations", open: (visit) => inCompany(visit, "/invitations") },
  {
    name: "organization-invitations-report",
    async open(visit) {
      const { page, t } = visit;
      await inCompany(visit, "/invitations?invite");
      const emails = `${newEmail("zawadi")}, ${newEmail("amina")}, someone@nowhere`;
      await page.getByLabel(t("organizations:invite.emails")).fill(emails);
      await page.getByRole("button", { name: t("organizations:invite.send") }).click();
      await page
        .getByRole("alert")
        .filter({ hasText: t("validation:email.invalid") })
        .waitFor();
    },
  },
  {
    name: "organization-repositories",
    open: (visit) => sharing(visit, "book"),
  },
  {
    name: "organization-repositories-none",
    open: (visit) => sharing(visit, "nothing like this"),
  },
  { name: "organization-settings", open: (visit) => inCompany(visit, "/settings") },
  {
    name: "organization-settings-taken",
    async open(visit) {
      const { page, gatehouse, t } = visit;
      const { organization } = await anOrganization(gatehouse);
      await inCompany(visit, "/settings");
      await page.getByLabel(t("organizations:slug")).fill(organization.slug);
      await page.getByText(t("organizations:slugTaken")).waitFor();
    },
  },
  {
    name: "organization-disabled",
    open: (visit) =>
      inCompany(visit, "/settings", "owner", {
        ...{ disabled_at: Date.now(), disabled_reason: "The last three bills are open." },
      }),
  },
  {
    name: "invitation-open",
    async open(visit) {
      await go(visit.page, await anOffer(visit, newEmail("invited")));
    },
  },
  {
    name: "invitation-answer",
    async open(visit) {
      const { email } = await signInAs(visit.gatehouse, visit.page.context());
      await go(visit.page, await anOffer(visit, email));
    },
  },
  {
    name: "invitation-foreign",
    async open(visit) {
      await signInAs(visit.gatehouse, visit.page.context());
      await go(visit.page, await anOffer(visit, newEmail("invited")));
    },
  },
  {
    name: "invitation-expired",
    async open(visit) {
      await go(visit.page, await anOffer(visit, newEmail("invited"), Date.now() - HOUR_MS));
    },
  },
];

/** Invites an e-mail into a new organization. Returns the path of the invitation. */
async function anOffer({ gatehouse }: Visit, email: string, expiresAt = Date.now() + 48 * HOUR_MS) {
  const owner = await aUser(gatehouse, { name: "زهراء Zawadi" });
  const name = "Société des éditeurs de logiciels libres du Sahel";
  const { organization, team } = await anOrganization(gatehouse, { name }, { owner });
  const own = { organization_id: organization.id, inviter_id: owner.id, team_id: team.id };
  const { id } = await anInvitation(gatehouse, { ...own, email, expires_at: expiresAt });
  return `/invitations/${id}`;
}

/** Searches for repositories to share, as a person does. */
async function sharing(visit: Visit, term: string): Promise<void> {
  const { page, t } = visit;
  await inCompany(visit, "/repositories");
  await page.getByRole("link", { name: t("organizations:repositories.share") }).click();
  await page.getByRole("dialog").getByRole("searchbox").fill(term);
  await page.waitForURL(`**?${new URLSearchParams({ share: term })}`);
}

/** Opens a page of an organization with members, teams, repositories, invitations and events. */
async function inCompany(
  { page, gatehouse }: Visit,
  part: string,
  as: "owner" | "member" = "owner",
  overrides: Partial<OrganizationRow> = {},
): Promise<void> {
  const self = await signInAs(gatehouse, page.context(), { name: "زهراء Zawadi" });
  const other = await aUser(gatehouse, { name: "Baraka Mwangi" });
  const banned = await aUser(gatehouse, { name: "ليلى Haddad", banned: 1 });
  const owner = as === "owner" ? self : other;
  const now = Date.now();
  const { organization, teams } = await anOrganization(
    gatehouse,
    { name: "مؤسسة النخيل Nyumbani", ...overrides },
    {
      owner,
      admins: [
        await aUser(gatehouse, {
          name: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft",
        }),
      ],
      members: [as === "owner" ? other : self, banned],
      teams: [
        "Design · تصميم",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaften",
      ],
      invitations: [
        {},
        { role: "admin", expires_at: now - HOUR_MS },
        { status: "accepted", answered_at: now - HOUR_MS },
        { status: "canceled", answered_at: now - HOUR_MS },
      ],
    },
  );
  const team = teams[0]?.id ?? "";
  await inTeam(gatehouse, team, self.id);
  const books = await manyRepositories(
    gatehouse,
    Array.from({ length: 7 }, () => ({ name: newName("Book of the desert") })),
  );
  const own = { organization_id: organization.id, created_at: now };
  const shared = books.slice(0, 4).map(({ id }) => ({ ...own, repository_id: id }));
  await insertRows(gatehouse.d1, "organization_repository", shared);
  await insertRows(gatehouse.d1, "audit_event", [
    anEvent("organization.created", {}),
    anEvent("team.created", { team: "Design · تصميم" }),
    anEvent("member.role_changed", { member: other.id, after: { role: "admin" } }),
  ]);
  await go(page, `/app/organizations/${organization.slug}${part.replace("TEAM", team)}`);

  function anEvent(action: string, details: object) {
    return {
      ...{ id: crypto.randomUUID(), action, actor_id: owner.id, created_at: now - HOUR_MS },
      ...{ target_type: "organization", target_id: organization.id },
      details: JSON.stringify(details),
    };
  }
}
