import {
  type StockCases,
  type StockSides,
  UNSIGNED,
} from "../../../../tests/support/stock-sides.ts";
import { aTeam } from "./teams.ts";

const NOBODY = "nobody-has-this";

/** The audit events of the good cases. */
export const TEAM_EVENTS = {
  "/organization/create-team": ["team.created"],
  "/organization/update-team": ["team.renamed"],
  "/organization/remove-team": ["team.deleted"],
  "/organization/add-team-member": ["team.member_added"],
  "/organization/remove-team-member": ["team.member_removed"],
};

/** Returns for each call about teams a good case, a bad one, and its refusal. */
export function teamCases(sides: StockSides): Record<string, StockCases> {
  const { someone, anonymous, by } = sides;

  async function anOwner() {
    const made = await sides.anOwner();
    const own = { organization_id: made.organizationId, name: "Team" };
    return { ...made, team: await aTeam(sides.gatehouse, own) };
  }

  return {
    "/organization/create-team": [
      async () => {
        const { owner, organizationId } = await anOwner();
        return by(owner, (client) =>
          client.organization.createTeam({ organizationId, name: "New" }),
        );
      },
      async () => {
        const { owner, organizationId } = await anOwner();
        return by(owner, (client) =>
          client.organization.createTeam({ organizationId, name: "Team" }),
        );
      },
      "400 TEAM_ALREADY_EXISTS",
    ],
    "/organization/update-team": [
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const data = { organizationId, name: "Renamed" };
        return by(owner, (client) => client.organization.updateTeam({ teamId: team.id, data }));
      },
      async () => {
        const { owner, organizationId } = await anOwner();
        const data = { organizationId, name: "Renamed" };
        return by(owner, (client) => client.organization.updateTeam({ teamId: NOBODY, data }));
      },
      "400 TEAM_NOT_FOUND",
    ],
    "/organization/remove-team": [
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const teamId = team.id;
        return by(owner, (client) => client.organization.removeTeam({ organizationId, teamId }));
      },
      async () => {
        const { owner, organizationId } = await anOwner();
        const teamId = NOBODY;
        return by(owner, (client) => client.organization.removeTeam({ organizationId, teamId }));
      },
      "400 TEAM_NOT_FOUND",
    ],
    "/organization/list-teams": [
      async () => {
        const { owner, organizationId } = await anOwner();
        const query = { organizationId };
        return by(owner, (client) => client.organization.listTeams({ query }));
      },
      async () => {
        const query = { organizationId: NOBODY };
        return by(await someone(), (client) => client.organization.listTeams({ query }));
      },
      "403 YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION",
    ],
    "/organization/set-active-team": [
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const userId = owner.user.id;
        await owner.client.organization.setActive({ organizationId });
        await owner.client.organization.addTeamMember({ organizationId, teamId: team.id, userId });
        return by(owner, (client) => client.organization.setActiveTeam({ teamId: team.id }));
      },
      async () => {
        const { owner, organizationId } = await anOwner();
        await owner.client.organization.setActive({ organizationId });
        return by(owner, (client) => client.organization.setActiveTeam({ teamId: NOBODY }));
      },
      "400 TEAM_NOT_FOUND",
    ],
    "/organization/list-user-teams": [
      async () => {
        const { owner, organizationId } = await anOwner();
        await owner.client.organization.setActive({ organizationId });
        return by(owner, (client) => client.organization.listUserTeams());
      },
      async () => by(anonymous(), (client) => client.organization.listUserTeams()),
      UNSIGNED,
    ],
    "/organization/list-team-members": [
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const userId = owner.user.id;
        await owner.client.organization.setActive({ organizationId });
        await owner.client.organization.addTeamMember({ organizationId, teamId: team.id, userId });
        const query = { teamId: team.id };
        return by(owner, (client) => client.organization.listTeamMembers({ query }));
      },
      async () => {
        const query = { teamId: NOBODY };
        return by(await someone(), (client) => client.organization.listTeamMembers({ query }));
      },
      "400 TEAM_NOT_FOUND",
    ],
    "/organization/add-team-member": [
      async () => {
        const { owner, organizationId, team, theirs } = await anOwner();
        const one = { organizationId, teamId: team.id, userId: theirs.user_id };
        return by(owner, (client) => client.organization.addTeamMember(one));
      },
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const one = { organizationId, teamId: team.id, userId: NOBODY };
        return by(owner, (client) => client.organization.addTeamMember(one));
      },
      "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    ],
    "/organization/remove-team-member": [
      async () => {
        const { owner, organizationId, team, theirs } = await anOwner();
        const one = { organizationId, teamId: team.id, userId: theirs.user_id };
        await owner.client.organization.addTeamMember(one);
        return by(owner, (client) => client.organization.removeTeamMember(one));
      },
      async () => {
        const { owner, organizationId, team } = await anOwner();
        const one = { organizationId, teamId: team.id, userId: NOBODY };
        return by(owner, (client) => client.organization.removeTeamMember(one));
      },
      "400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
    ],
  };
}
