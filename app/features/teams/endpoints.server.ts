import { z } from "zod";
import { OwnName } from "../../values/person-name.ts";
import { OWN_ACTS } from "../organizations/acts.ts";
import {
  endpoint,
  type OrganizationEndpoints,
  within,
} from "../organizations/api/api-call.server.ts";
import { Id, InOrganization, optionalId } from "../organizations/api/in-organization.server.ts";
import { TEAM_ACTS } from "./acts.ts";
import * as teams from "./team-calls.server.ts";

const NewTeam = InOrganization.extend({ name: OwnName });
const TeamUpdate = z.object({
  teamId: Id,
  data: InOrganization.extend({ name: OwnName }),
});
const OneTeam = InOrganization.extend({ teamId: Id });
const ActiveTeam = z.object({ teamId: optionalId.nullable() });
const TeamQuery = z.object({ teamId: optionalId });
const TeamsOfUser = InOrganization.extend({ userId: optionalId });
const OneTeamMember = OneTeam.extend({ userId: Id });

/** The calls of better-auth's client for teams. */
export const TEAM_ENDPOINTS: OrganizationEndpoints = {
  "/organization/create-team": endpoint({
    method: "POST",
    act: TEAM_ACTS.team,
    input: NewTeam,
    run: within(teams.create),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"],
  }),
  "/organization/update-team": endpoint({
    method: "POST",
    act: TEAM_ACTS.team,
    input: TeamUpdate,
    run: teams.update,
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM"],
  }),
  "/organization/remove-team": endpoint({
    method: "POST",
    act: TEAM_ACTS.team,
    input: OneTeam,
    run: within(teams.remove),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM"],
  }),
  "/organization/list-teams": endpoint({
    method: "GET",
    input: InOrganization,
    run: within(teams.list),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION"],
  }),
  "/organization/set-active-team": endpoint({
    method: "POST",
    act: OWN_ACTS.activate,
    input: ActiveTeam,
    run: teams.setActive,
    refusals: { USER_IS_NOT_A_MEMBER_OF_THE_TEAM: [403, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM"] },
  }),
  "/organization/list-user-teams": endpoint({
    method: "GET",
    input: TeamsOfUser,
    run: teams.listOfUser,
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
  "/organization/list-team-members": endpoint({
    method: "GET",
    input: TeamQuery,
    run: teams.listMembers,
  }),
  "/organization/add-team-member": endpoint({
    method: "POST",
    act: TEAM_ACTS.team,
    input: OneTeamMember,
    run: within(teams.addMember),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/remove-team-member": endpoint({
    method: "POST",
    act: TEAM_ACTS.team,
    input: OneTeamMember,
    run: within(teams.removeMember),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
};
