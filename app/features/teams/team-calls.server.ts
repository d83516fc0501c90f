import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { member } from "../../db/schema/schema.ts";
import {
  type ApiResult,
  actorOf,
  answer,
  type ClientCall,
  chosenKey,
  commandOn,
} from "../organizations/api/api-call.server.ts";
import { ownIdOf, selectOwn } from "../organizations/api/own-organization.server.ts";
import {
  findRefusal,
  type OrganizationCall,
  refuse,
  selectStanding,
} from "../organizations/standing.server.ts";
import { setActiveTeam } from "./active-team.server.ts";
import { team, teamMember } from "./tables.server.ts";
import * as commands from "./team-commands.server.ts";
import { shownTeam, TEAM, TEAM_MEMBER } from "./team-rows.server.ts";

/** Errors: those of `createTeam`. */
export async function create(
  _call: ClientCall,
  target: OrganizationCall,
  { name }: { name: string },
): Promise<ApiResult> {
  const created = await commands.createTeam(target, name);
  return created.ok ? answer(shownTeam(created.team)) : created;
}

/** Renames a team. Errors: NO_ACTIVE_ORGANIZATION and those of `renameTeam`. */
export async function update(
  call: ClientCall,
  { teamId, data }: { teamId: string; data: { name: string; organizationId?: string } },
): Promise<ApiResult> {
  const key = chosenKey(call, data);
  if (!key) return refuse("NO_ACTIVE_ORGANIZATION");
  const renamed = await commands.renameTeam(commandOn(call, key), teamId, data.name);
  return renamed.ok ? answer(shownTeam(renamed.team)) : renamed;
}

/** As in the plugin, the team that is active in the session cannot be deleted. Errors: those of `deleteTeam`. */
export async function remove(
  { current }: ClientCall,
  target: OrganizationCall,
  { teamId }: { teamId: string },
): Promise<ApiResult> {
  if (current.session.activeTeamId === teamId)
    return refuse("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
  const removed = await commands.deleteTeam(target, teamId);
  return removed.ok ? answer({ message: "Team removed successfully." }) : removed;
}

/** Lists the teams of an organization. */
export async function list(_call: ClientCall, target: OrganizationCall): Promise<ApiResult> {
  const [[found], teams] = await target.db.batch([
    selectOwn(target),
    target.db
      .select(TEAM)
      .from(team)
      .where(eq(team.organizationId, ownIdOf(target)))
      .orderBy(asc(team.createdAt), asc(team.id)),
  ]);
  return found ? answer(teams) : refuse("ORGANIZATION_NOT_FOUND");
}

/**
 * With null no team is active; without a value the active one stays and is answered. Errors: those
 * of `setActiveTeam`.
 */
export async function setActive(
  call: ClientCall,
  { teamId }: { teamId?: string | null },
): Promise<ApiResult> {
  const { db, current } = call;
  const { id, activeTeamId } = current.session;
  const chosen = teamId === null ? null : teamId || activeTeamId;
  if (!chosen && teamId !== null) return answer(null);
  const set = await setActiveTeam(db, actorOf(call), id, chosen);
  if (!set.ok) return set;
  return answer(set.team && shownTeam(set.team));
}

/**
 * Lists the teams of the user in all organizations or in one. Teams of another member need the permission to update
 * members. Errors: NO_ACTIVE_ORGANIZATION, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION and those of `findRefusal`.
 */
export async function listOfUser(
  call: ClientCall,
  { userId, organizationId }: { userId?: string; organizationId?: string },
): Promise<ApiResult> {
  const { db, current } = call;
  const own = current.user.id;
  if (userId && userId !== own) return listOfOther(call, userId, organizationId);
  const ofUser = selectTeamsOf(call, own);
  if (!organizationId) return answer(await ofUser);
  const target = commandOn(call, { id: organizationId });
  const [[found], teams] = await db.batch([selectOwn(target), ofUser]);
  if (!found) return refuse("ORGANIZATION_NOT_FOUND");
  return answer(teams.filter((one) => one.organizationId === organizationId));
}

async function listOfOther(
  call: ClientCall,
  userId: string,
  organizationId = call.current.session.activeOrganizationId ?? undefined,
): Promise<ApiResult> {
  if (!organizationId) return refuse("NO_ACTIVE_ORGANIZATION");
  const target = commandOn(call, { id: organizationId });
  const other = alias(member, "other");
  const [[standing], [joined], teams] = await call.db.batch([
    selectStanding(target),
    call.db
      .select({ id: other.id })
      .from(other)
      .where(and(eq(other.organizationId, ownIdOf(target)), eq(other.userId, userId))),
    selectTeamsOf(call, userId),
  ]);
  const permission = ["member", "update"] as const;
  // A disabled organization can be read.
  const open = standing && { ...standing, disabledAt: null, deletionDueAt: null };
  const refusal = findRefusal(open, permission, "member");
  if (refusal) return refusal;
  if (!joined) return refuse("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  return answer(teams.filter((one) => one.organizationId === organizationId));
}

/** Statement for the teams of a user, in all organizations. */
function selectTeamsOf({ db }: ClientCall, userId: string) {
  return db
    .select(TEAM)
    .from(teamMember)
    .innerJoin(team, eq(team.id, teamMember.teamId))
    .where(eq(teamMember.userId, userId))
    .orderBy(asc(teamMember.createdAt), asc(team.id));
}

/**
 * Lists the members of a team that the user is in; without `teamId` of the active team. Errors:
 * YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM, TEAM_NOT_FOUND, USER_IS_NOT_A_MEMBER_OF_THE_TEAM.
 */
export async function listMembers(
  call: ClientCall,
  input: { teamId?: string },
): Promise<ApiResult> {
  const { db, current } = call;
  const teamId = input.teamId || current.session.activeTeamId;
  if (!teamId) return refuse("YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM");
  const key = {
    id: sql<string>`(SELECT ${team.organizationId} FROM ${team} WHERE ${team.id} = ${teamId})`,
  };
  const [[found], members] = await db.batch([
    selectOwn(commandOn(call, key)),
    db
      .select(TEAM_MEMBER)
      .from(teamMember)
      .where(eq(teamMember.teamId, teamId))
      .orderBy(asc(teamMember.createdAt), asc(teamMember.id)),
  ]);
  if (!found) return refuse("TEAM_NOT_FOUND");
  const isInTeam = members.some(({ userId }) => userId === current.user.id);
  return isInTeam ? answer(members) : refuse("USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
}

type OneMember = { teamId: string; userId: string };

/** Errors: those of `addTeamMember`. */
export async function addMember(
  _call: ClientCall,
  target: OrganizationCall,
  { teamId, userId }: OneMember,
): Promise<ApiResult> {
  const added = await commands.addTeamMember(target, teamId, userId);
  return added.ok ? answer(added.teamMember) : added;
}

/** Errors: those of `removeTeamMember`. */
export async function removeMember(
  _call: ClientCall,
  target: OrganizationCall,
  { teamId, userId }: OneMember,
): Promise<ApiResult> {
  const removed = await commands.removeTeamMember(target, teamId, userId);
  return removed.ok ? answer({ message: "Team member removed successfully." }) : removed;
}
