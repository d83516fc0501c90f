import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  locationOf,
  newBrowser,
  readText,
} from "../../../../tests/support/client.ts";
import { clientTest } from "../../../../tests/support/endpoints.ts";
import {
  aClient,
  dataOf,
  organizationClientFor,
  refusalOf,
} from "../../../../tests/support/organization-client.ts";
import { anInvitation } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser, newEmail } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams } from "./teams.ts";

const gatehouse = await startGatehouse();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const made = await anOrganizationWithTeams(
    gatehouse,
    {},
    { owner: owner.user, teams: ["Design"] },
  );
  const [design] = made.teams;
  if (!design) throw new Error("The organization has no team");
  const path = `/app/organizations/${made.organization.slug}`;
  const client = organizationClientFor(gatehouse, owner.browser);
  return { ...made, owner, client, design, path, organizationId: made.organization.id };
}

function invite(
  { owner, path }: Awaited<ReturnType<typeof aCompany>>,
  email: string,
  team: string,
) {
  const fields = { intent: "invite", emails: email, role: "member", team };
  return owner.browser.submit(`${path}/invitations`, fields);
}

async function invitationTo(email: string) {
  return d1
    .prepare("SELECT * FROM invitation WHERE email = ?")
    .bind(email)
    .first<Record<string, string | number | null>>();
}

test("an invitation into a team that is deleted stays, without the team", async () => {
  const company = await aCompany();
  const { owner, path, design } = company;
  const email = newEmail("team");
  await invite(company, email, design.id);
  expect(readText(await (await owner.browser.get(`${path}/invitations`)).text())).toContain(
    "Team Design",
  );

  await owner.browser.submit(`${path}/teams/${design.id}`, { intent: "delete" });

  expect(await invitationTo(email)).toMatchObject({ team_id: null, status: "pending" });
});

test("an invitation into an unknown team, or another organization's, is refused at the field", async () => {
  const company = await aCompany();
  const foreign = await aCompany();
  for (const team of ["unknown", foreign.design.id]) {
    const email = newEmail();

    const page = readPage(await (await invite(company, email, team)).text());

    const field = page.field("emails");
    expect(field?.error?.replaceAll(" :", ":")).toBe(`${email}: ${t("codes:TEAM_NOT_FOUND")}`);
    expect(field?.value).toBe(email);
    expect(await invitationTo(email)).toBeNull();
  }
});

test("an id that is too long for a team is refused at its field, and keeps what was typed", async () => {
  const company = await aCompany();

  const response = await invite(company, "a@b.example", "x".repeat(65));

  expect(response.status).toBe(400);
  const page = await response.text();
  const message = t("validation:generic.tooBig.string.inclusive", { maximum: "64" });
  expect(accessibleError(page, "team")).toBe(message);
  expect(readPage(page).field("emails")?.value).toBe("a@b.example");
});

test("an invitation says which team it leads into, and its acceptance adds the person", async () => {
  const { organization, organizationId, ownerId, design } = await aCompany();
  const { user, browser } = await aSignedInUser(gatehouse);
  const { id } = await anInvitation(gatehouse, {
    organization_id: organizationId,
    inviter_id: ownerId,
    email: user.email,
    role: "admin",
    team_id: design.id,
  });
  const path = `/invitations/${id}`;
  const said = "You will be added to the team Design.";
  expect(readPage(await (await newBrowser(gatehouse).get(path)).text()).text()).toContain(said);
  expect(readPage(await (await browser.get(path)).text()).text()).toContain(said);

  const accepted = await browser.submit(path, { intent: "accept" });

  expect(locationOf(accepted)).toBe(`/app/organizations/${organization.slug}`);
  const { results } = await d1
    .prepare(
      `SELECT member.role, team.name AS team FROM member
       LEFT JOIN team_member ON team_member.user_id = member.user_id
       LEFT JOIN team ON team.id = team_member.team_id AND team.organization_id = member.organization_id
       WHERE member.organization_id = ? AND member.user_id = ?`,
    )
    .bind(organizationId, user.id)
    .all();
  expect(results).toEqual([{ role: "admin", team: "Design" }]);
});

clientTest("invite-member takes a team of the organization, and no other", async () => {
  const { client, organizationId, design } = await aCompany();
  const foreign = await aCompany();
  const input = { organizationId, role: ["admin" as const] };
  const email = newEmail("invited");

  const made = await dataOf(client.inviteMember({ ...input, email, teamId: design.id }));

  expect(made).toMatchObject({ organizationId, email, status: "pending", teamId: design.id });
  expect(await dataOf(client.listInvitations({ query: { organizationId } }))).toEqual([made]);
  for (const teamId of [crypto.randomUUID(), foreign.design.id]) {
    expect(await refusalOf(client.inviteMember({ ...input, email: newEmail(), teamId }))).toBe(
      "400 TEAM_NOT_FOUND",
    );
  }
});

clientTest("accept-invitation makes a member of the team, and both are active", async () => {
  const { client: inviter, organizationId, design } = await aCompany();
  const { user, client } = await aClient(gatehouse);
  const input = { organizationId, email: user.email, teamId: design.id };
  const { id } = await dataOf(inviter.inviteMember({ ...input, role: "admin" }));

  const { member } = await dataOf(client.acceptInvitation({ invitationId: id }));

  expect(member).toMatchObject({ organizationId, userId: user.id, role: "admin" });
  expect(await dataOf(client.getActiveMember())).toMatchObject({ id: member.id });
  expect((await dataOf(client.listTeamMembers())).map(({ userId }) => userId)).toContain(user.id);
});
