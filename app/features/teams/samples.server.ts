import type { Samples } from "../samples/sample-data.server.ts";
import {
  foundedAt,
  MOST_MEMBERS,
  membersOf,
  organizationId,
  tablesOfOrganizations,
} from "../samples/sample-organizations.server.ts";
import { type Row, sampleId, userId } from "../samples/sample-rows.ts";

const TEAM_NAMES = ["Design", "Engineering", "Support"];

/** Sample teams of each organization, and who is in them. */
export const sampleTeamsOf: Samples = (size, today) =>
  tablesOfOrganizations(size, today, { team: sampleTeams, team_member: sampleTeamMembers });

function sampleTeams(organization: number, now: number): Row[] {
  return TEAM_NAMES.map((name, team) => ({
    id: teamId(organization, team),
    name,
    organization_id: organizationId(organization),
    created_at: foundedAt(organization, now),
  }));
}

function sampleTeamMembers(organization: number, now: number): Row[] {
  return TEAM_NAMES.flatMap((_, team) =>
    membersOfTeam(organization, team).map((user) => ({
      // Members are in one team each, and neighbouring organizations share them.
      id: sampleId("team-member", organization * MOST_MEMBERS + user - organization),
      team_id: teamId(organization, team),
      user_id: userId(user),
      created_at: foundedAt(organization, now),
    })),
  );
}

function membersOfTeam(organization: number, team: number) {
  return membersOf(organization).filter((_, position) => position % TEAM_NAMES.length === team);
}

function teamId(organization: number, team: number) {
  return sampleId("team", organization * TEAM_NAMES.length + team);
}
