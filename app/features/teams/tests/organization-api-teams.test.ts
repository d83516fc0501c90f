import { afterAll, expect } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { clientTest as test } from "../../../../tests/support/endpoints.ts";
import { aClient, dataOf, refusalOf } from "../../../../tests/support/organization-client.ts";
import { newSlug } from "../../../../tests/support/organizations.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { RACE_ROUNDS } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams, inTeam } from "./teams.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const UNKNOWN = crypto.randomUUID();

/** Makes an organization of the client's user with a second team and a member. */
async function anOwner() {
  const { user, client } = await aClient(gatehouse);
  const other = await aUser(gatehouse, { name: "Mia" });
  const made = await anOrganizationWithTeams(
    gatehouse,
    {},
    { owner: user, members: [other], teams: ["Platform"] },
  );
  const organizationId = made.organization.id;
  return {
    user,
    client,
    other,
    organizationId,
    first: made.team.id,
    second: made.teams[0]?.id ?? "",
  };
}

test("create-team, update-team and list-teams answer teams", async () => {
  const { client, organizationId, first, second } = await anOwner();

  const created = await dataOf(client.createTeam({ organizationId, name: " Design " }));
  const renamed = await dataOf(
    client.updateTeam({ teamId: created.id, data: { organizationId, name: "Brand" } }),
  );

  expect(created).toMatchObject({ name: "Design", organizationId });
  expect(created.createdAt).toBeInstanceOf(Date);
  expect(Object.keys(created).sort()).toEqual(
    ["createdAt", "id", "name", "organizationId", "updatedAt"].sort(),
  );
  expect(renamed).toMatchObject({ id: created.id, name: "Brand", organizationId });
  const teams = await dataOf(client.listTeams({ query: { organizationId } }));
  expect(teams.map(({ id }) => id).sort()).toEqual([first, second, created.id].sort());
});

test("teams answer the plugin's refusals", async () => {
  const { client, organizationId, second } = await anOwner();
  const foreign = await anOwner();
  const plain = await aClient(gatehouse);
  const asMember = await anOrganizationWithTeams(gatehouse, {}, { members: [plain.user] });
  const inOther = { organizationId: asMember.organization.id };

  expect(await refusalOf(client.createTeam({ name: "New" }))).toBe("400 NO_ACTIVE_ORGANIZATION");
  expect(await refusalOf(client.createTeam({ organizationId, name: "Platform" }))).toBe(
    "400 TEAM_ALREADY_EXISTS",
  );
  expect(await refusalOf(client.createTeam({ organizationId, name: " " }))).toBe(
    "400 INVALID_PAYLOAD",
  );
  expect(await refusalOf(plain.client.createTeam({ ...inOther, name: "New" }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
  );
  const rename = { teamId: asMember.team.id, data: { ...inOther, name: "New" } };
  expect(await refusalOf(plain.client.updateTeam(rename))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
  );
  expect(await refusalOf(plain.client.removeTeam({ ...inOther, teamId: asMember.team.id }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION",
  );
  for (const teamId of [UNKNOWN, foreign.second]) {
    const data = { organizationId, name: "New" };
    expect(await refusalOf(client.updateTeam({ teamId, data }))).toBe("400 TEAM_NOT_FOUND");
    expect(await refusalOf(client.removeTeam({ teamId, organizationId }))).toBe(
      "400 TEAM_NOT_FOUND",
    );
  }
  const same = { teamId: second, data: { organizationId, name: "Platform" } };
  expect(await dataOf(client.updateTeam(same))).toMatchObject({ id: second });
});

test("remove-team removes a team, also the last, but not the active one", async () => {
  const { user, client, organizationId, first, second } = await anOwner();
  await dataOf(client.setActive({ organizationId }));
  await inTeam(gatehouse, second, user.id);
  await dataOf(client.setActiveTeam({ teamId: second }));

  expect(await refusalOf(client.removeTeam({ teamId: second }))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
  );
  expect((await client.setActiveTeam({ teamId: null })).data).toBeNull();
  expect(await dataOf(client.removeTeam({ teamId: second }))).toEqual({
    message: "Team removed successfully.",
  });
  expect(await refusalOf(client.removeTeam({ teamId: first }))).toBe("ok");
});

test("set-active-team sets a team of the active organization", async () => {
  const { client, organizationId, first, second } = await anOwner();
  const foreign = await anOwner();
  expect(await refusalOf(client.setActiveTeam({ teamId: first }))).toBe(
    "400 NO_ACTIVE_ORGANIZATION",
  );
  await dataOf(client.setActive({ organizationId }));

  expect(await dataOf(client.setActiveTeam({ teamId: first }))).toMatchObject({
    id: first,
    organizationId,
  });
  expect(await refusalOf(client.setActiveTeam({ teamId: second }))).toBe(
    "403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
  );
  for (const teamId of [UNKNOWN, foreign.first]) {
    expect(await refusalOf(client.setActiveTeam({ teamId }))).toBe("400 TEAM_NOT_FOUND");
  }
  expect((await dataOf(client.listTeamMembers())).map(({ teamId }) => teamId)).toEqual([first]);
});

test("add-team-member and remove-team-member change who is in a team", async () => {
  const { user, client, other, organizationId, first } = await anOwner();
  const input = { organizationId, teamId: first, userId: other.id };

  const added = await dataOf(client.addTeamMember(input));
  const again = await dataOf(client.addTeamMember(input));

  expect(added).toMatchObject({ teamId: first, userId: other.id });
  expect(Object.keys(added).sort()).toEqual(["createdAt", "id", "teamId", "userId"]);
  expect(again.id).toBe(added.id);
  const seats = await dataOf(client.listTeamMembers({ query: { teamId: first } }));
  expect(seats.map(({ userId }) => userId).sort()).toEqual([user.id, other.id].sort());
  expect(await dataOf(client.removeTeamMember(input))).toEqual({
    message: "Team member removed successfully.",
  });
  expect(await refusalOf(client.removeTeamMember(input))).toBe(
    "400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
  );
  const events = (await auditOf(gatehouse, organizationId)).map(({ action }) => action);
  expect(events).toEqual(["team.member_added", "team.member_removed"]);
});

test("members of teams answer the plugin's refusals", async () => {
  const { client, other, organizationId, first } = await anOwner();
  const foreign = await anOwner();
  const plain = await aClient(gatehouse);
  const asMember = await anOrganizationWithTeams(gatehouse, {}, { members: [plain.user] });
  const own = { organizationId, teamId: first };
  const inOther = { organizationId: asMember.organization.id, teamId: asMember.team.id };

  expect(await refusalOf(client.addTeamMember({ ...own, userId: foreign.other.id }))).toBe(
    "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
  for (const teamId of [UNKNOWN, foreign.first]) {
    const input = { organizationId, teamId, userId: other.id };
    expect(await refusalOf(client.addTeamMember(input))).toBe("400 TEAM_NOT_FOUND");
    expect(await refusalOf(client.removeTeamMember(input))).toBe("400 TEAM_NOT_FOUND");
    expect(await refusalOf(client.listTeamMembers({ query: { teamId } }))).toBe(
      "400 TEAM_NOT_FOUND",
    );
  }
  const self = { ...inOther, userId: plain.user.id };
  expect(await refusalOf(plain.client.addTeamMember(self))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
  );
  expect(await refusalOf(plain.client.removeTeamMember(self))).toBe(
    "403 YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER",
  );
  const query = { teamId: asMember.team.id };
  expect(await refusalOf(plain.client.listTeamMembers({ query }))).toBe(
    "400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
  );
  expect(await refusalOf(plain.client.listTeamMembers())).toBe(
    "400 YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM",
  );
});

test("list-user-teams answers own teams, and others' to those who may update members", async () => {
  const { user, client, other, organizationId, first, second } = await anOwner();
  const elsewhere = await anOrganizationWithTeams(gatehouse, {}, { owner: user });
  await inTeam(gatehouse, second, other.id);
  const idsOf = async (query: { userId?: string; organizationId?: string }) =>
    (await dataOf(client.listUserTeams({ query }))).map(({ id }) => id).sort();

  expect(await idsOf({})).toEqual([first, elsewhere.team.id].sort());
  expect(await idsOf({ organizationId })).toEqual([first]);
  expect(await idsOf({ organizationId, userId: other.id })).toEqual([second]);
  expect(await refusalOf(client.listUserTeams({ query: { userId: other.id } }))).toBe(
    "400 NO_ACTIVE_ORGANIZATION",
  );
  const stranger = { organizationId, userId: UNKNOWN };
  expect(await refusalOf(client.listUserTeams({ query: stranger }))).toBe(
    "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});

test("create makes no team", async () => {
  const { client } = await aClient(gatehouse);

  const created = await dataOf(client.create({ name: " Acme  Ltd ", slug: newSlug() }));

  expect(await dataOf(client.listTeams())).toEqual([]);
  expect(await dataOf(client.getFullOrganization())).toMatchObject({ id: created.id, teams: [] });
});

test("get-full-organization answers teams", async () => {
  const { client, organizationId } = await anOwner();

  const full = await dataOf(client.getFullOrganization({ query: { organizationId } }));

  expect(full.teams.map(({ name }) => name)).toContain("Platform");
});

test("has-permission answers by the access table of teams", async () => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganizationWithTeams(gatehouse, {}, { admins: [user] });
  const permissions = { organization: ["update" as const], team: ["create", "delete"] as const };
  const ask = (organizationId: string) => ({
    organizationId,
    permissions: { ...permissions, team: [...permissions.team] },
  });

  const answer = await dataOf(client.hasPermission(ask(organization.id)));

  expect(answer.success).toBe(true);
  expect(await refusalOf(client.hasPermission(ask(UNKNOWN)))).toBe(
    "401 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});

test("an organization has 20 teams at most", async () => {
  const { user, client } = await aClient(gatehouse);
  const teams = Array.from({ length: 19 }, (_, index) => `Team ${index}`);
  const made = await anOrganizationWithTeams(gatehouse, {}, { owner: user, teams });
  const organizationId = made.organization.id;

  expect(await refusalOf(client.createTeam({ organizationId, name: "One more" }))).toBe(
    "400 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
  );
  await dataOf(client.removeTeam({ organizationId, teamId: made.teams[0]?.id ?? "" }));
  expect(await refusalOf(client.createTeam({ organizationId, name: "One more" }))).toBe("ok");
});

test.each([
  [{ disabled_at: 1, disabled_reason: "Spam" }, "403 ORGANIZATION_DISABLED"],
  [{ deletion_due_at: Date.now() + 1e8 }, "403 ORGANIZATION_BEING_DELETED"],
])("an organization with %j takes no new team", async (state, refusal) => {
  const { user, client } = await aClient(gatehouse);
  const { organization } = await anOrganizationWithTeams(gatehouse, state, { owner: user });

  const made = client.createTeam({ organizationId: organization.id, name: "Late" });

  expect(await refusalOf(made)).toBe(refusal);
});

test("list-team-members answers a foreign team like one that does not exist", async () => {
  const { first } = await anOwner();
  const outside = [await aClient(gatehouse), await anOwner()];

  for (const { client } of outside) {
    const [known, unknown] = [
      await client.listTeamMembers({ query: { teamId: first } }),
      await client.listTeamMembers({ query: { teamId: UNKNOWN } }),
    ];
    expect(known.error).toEqual(unknown.error);
    expect(known.error?.status).toBe(400);
  }
});

test("a removed member lists no teams of an active organization", async () => {
  const removed = await aClient(gatehouse);
  const made = await anOrganizationWithTeams(gatehouse, {}, { members: [removed.user] });
  await dataOf(removed.client.setActive({ organizationId: made.organization.id }));
  await gatehouse.d1.prepare("DELETE FROM member WHERE user_id = ?").bind(removed.user.id).run();

  expect(await refusalOf(removed.client.listTeams())).toBe("400 NO_ACTIVE_ORGANIZATION");
});

test("an admin who is removed makes no team on the next request", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const owner = await aClient(gatehouse);
    const admin = await aClient(gatehouse);
    const other = await aUser(gatehouse);
    const made = await anOrganizationWithTeams(
      gatehouse,
      {},
      { owner: owner.user, admins: [admin.user], members: [other] },
    );
    const organizationId = made.organization.id;
    const memberId = made.members[1]?.id ?? "";

    const [, created] = await Promise.all([
      dataOf(owner.client.removeMember({ organizationId, memberIdOrEmail: memberId })),
      refusalOf(admin.client.createTeam({ organizationId, name: "Late" })),
    ]);

    expect(["ok", "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"]).toContain(
      created,
    );
    expect(await refusalOf(admin.client.createTeam({ organizationId, name: "Later" }))).toBe(
      "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
    );
  }
});
