import { insertRows } from "../../../../tests/support/insert.ts";
import {
  anOrganization,
  type OrganizationParts,
  type OrganizationRow,
} from "../../../../tests/support/organizations.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";

/** A row of the team table. */
export type TeamRow = {
  id: string;
  name: string;
  organization_id: string;
  created_at: number;
  member_count?: number;
  updated_at: number;
};

/**
 * Inserts an organization with a team that its owner is in, returned as `team`, and with further
 * ones.
 */
export async function anOrganizationWithTeams(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<OrganizationRow> = {},
  { teams: names = [], ...parts }: OrganizationParts & { teams?: string[] } = {},
) {
  const made = await anOrganization(gatehouse, overrides, parts);
  const { id, name: ownName } = made.organization;
  const team = await aTeam(gatehouse, { organization_id: id, name: ownName });
  await inTeam(gatehouse, team.id, made.ownerId);
  const teams: TeamRow[] = [];
  for (const name of names) {
    teams.push(await aTeam(gatehouse, { organization_id: id, name }));
  }
  return { ...made, team, teams };
}

/** Inserts a team. */
export async function aTeam(
  gatehouse: Pick<Gatehouse, "d1">,
  values: Pick<TeamRow, "organization_id"> & Partial<TeamRow>,
): Promise<TeamRow> {
  const row = newTeam(values);
  await insertRows(gatehouse.d1, "team", [row]);
  return row;
}

/** Puts a member of the organization into a team. */
export async function inTeam(
  gatehouse: Pick<Gatehouse, "d1">,
  teamId: string,
  userId: string,
): Promise<void> {
  const row = { id: crypto.randomUUID(), team_id: teamId, user_id: userId, created_at: Date.now() };
  await insertRows(gatehouse.d1, "team_member", [row]);
}

function newTeam(values: Pick<TeamRow, "organization_id"> & Partial<TeamRow>): TeamRow {
  const now = Date.now();
  const id = crypto.randomUUID();
  return { id, name: `Team ${id}`, created_at: now, updated_at: now, ...values };
}
