import { and, eq, exists, ne, sql } from "drizzle-orm";
import { changeAndRecord, recordAndChange } from "../../db/change.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { member } from "../../db/schema/schema.ts";
import {
  attempt,
  eventIn,
  type FeatureRules,
  findRefusal,
  idOf,
  isAllowed,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../organizations/standing.server.ts";
import { team, teamMember } from "./tables.server.ts";

type Done = { ok: true } | Refusal;

const NOT_ALLOWED = {
  create: "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
  update: "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
  delete: "YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION",
} as const;

const RULES: FeatureRules = {
  raised: [
    "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
    "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  ],
  unique: { "team.name": "TEAM_ALREADY_EXISTS" },
};

/** SQL condition: a row of `team` is this team of the organization. */
function isTeam({ key }: OrganizationCall, teamId: string) {
  return and(eq(team.id, teamId), eq(team.organizationId, idOf(key)));
}

function selectTeam(call: OrganizationCall, teamId: string) {
  return call.db.select().from(team).where(isTeam(call, teamId));
}

/**
 * Creates a team. Errors: TEAM_ALREADY_EXISTS, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS and
 * those of `findRefusal`.
 */
export async function createTeam(
  call: OrganizationCall,
  name: string,
): Promise<{ ok: true; id: string; team: typeof team.$inferSelect } | Refusal> {
  const { db, actor, key, as } = call;
  const permission = ["team", "create"] as const;
  const id = crypto.randomUUID();
  const now = actor.source.now();
  const organizationId = idOf(key);
  const values = rowValues(team, {
    id,
    name,
    organizationId,
    memberCount: 0,
    createdAt: now,
    updatedAt: now,
  });
  return attempt(async () => {
    const {
      standings: [standing],
      teams: [created],
    } = await changeAndRecord(db, {
      change: db.insert(team).select(sql`SELECT ${values} WHERE ${isAllowed(call, permission)}`),
      event: eventIn(call, "team.created", { team: name, ids: { team: id } }),
      after: { standings: selectStanding(call), teams: selectTeam(call, id) },
    });
    if (created) return { ok: true, id, team: created };
    return (
      findRefusal(standing, permission, as, NOT_ALLOWED.create) ?? refuse("ORGANIZATION_NOT_FOUND")
    );
  }, RULES);
}

/** Renames a team. Errors: TEAM_NOT_FOUND, TEAM_ALREADY_EXISTS and those of `findRefusal`. */
export async function renameTeam(
  call: OrganizationCall,
  teamId: string,
  name: string,
): Promise<{ ok: true; team: typeof team.$inferSelect } | Refusal> {
  const { db, actor, as } = call;
  const permission = ["team", "update"] as const;
  return attempt(async () => {
    const {
      standings: [standing],
      teams: [found],
    } = await changeAndRecord(db, {
      change: db
        .update(team)
        .set({ name, updatedAt: actor.source.now() })
        .where(and(isTeam(call, teamId), ne(team.name, name), isAllowed(call, permission))),
      event: eventIn(call, "team.renamed", { team: name, ids: { team: teamId } }),
      after: { standings: selectStanding(call), teams: selectTeam(call, teamId) },
    });
    const refusal = findRefusal(standing, permission, as, NOT_ALLOWED.update);
    if (refusal) return refusal;
    return found ? { ok: true, team: found } : refuse("TEAM_NOT_FOUND");
  }, RULES);
}

/** Deletes a team. Errors: TEAM_NOT_FOUND, and as `findRefusal`. */
export async function deleteTeam(call: OrganizationCall, teamId: string): Promise<Done> {
  const { db, as } = call;
  const permission = ["team", "delete"] as const;
  const ofTeam = sql`FROM ${team} WHERE ${and(isTeam(call, teamId), isAllowed(call, permission))}`;
  const details = sql<string>`(SELECT json_object('team', ${team.name}, 'ids', json_object('team', ${team.id})) ${ofTeam})`;
  return attempt(async () => {
    const done = await recordAndChange(db, {
      when: sql`EXISTS (SELECT 1 ${ofTeam})`,
      event: eventIn(call, "team.deleted", details),
      changes: (isRecorded) => ({
        deleted: db.delete(team).where(and(eq(team.id, teamId), isRecorded)),
      }),
      after: { standings: selectStanding(call) },
    });
    if (done.isChanged) return { ok: true };
    return (
      findRefusal(done.standings[0], permission, as, NOT_ALLOWED.delete) ?? refuse("TEAM_NOT_FOUND")
    );
  }, RULES);
}

/**
 * Adds a member of the organization to a team. A member who is in the team already stays. Errors: TEAM_NOT_FOUND,
 * USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER and those of `findRefusal`.
 */
export async function addTeamMember(
  call: OrganizationCall,
  teamId: string,
  userId: string,
): Promise<{ ok: true; teamMember: typeof teamMember.$inferSelect } | Refusal> {
  const { db, actor, as } = call;
  const permission = ["member", "update"] as const;
  const values = rowValues(teamMember, {
    id: crypto.randomUUID(),
    teamId,
    userId,
    createdAt: actor.source.now(),
  });
  const isPossible = and(
    exists(selectTeam(call, teamId)),
    exists(selectMember(call, userId)),
    isAllowed(call, permission),
  );
  return attempt(async () => {
    const {
      standings: [standing],
      teams: [found],
      members: [added],
    } = await changeAndRecord(db, {
      change: db
        .insert(teamMember)
        .select(sql`SELECT ${values} WHERE ${isPossible}`)
        .onConflictDoNothing(),
      event: eventIn(call, "team.member_added", detailsOf(call, teamId, userId)),
      after: {
        standings: selectStanding(call),
        teams: selectTeam(call, teamId),
        members: db
          .select()
          .from(teamMember)
          .where(and(eq(teamMember.teamId, teamId), eq(teamMember.userId, userId))),
      },
    });
    const refusal = findRefusal(
      standing,
      permission,
      as,
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
    );
    if (refusal) return refusal;
    if (!found) return refuse("TEAM_NOT_FOUND");
    // Only members of the organization are in its teams, so a user outside it was not added.
    return added
      ? { ok: true, teamMember: added }
      : refuse("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  }, RULES);
}

/**
 * Takes a member out of a team. Errors: TEAM_NOT_FOUND, USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
 * YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER and those of `findRefusal`.
 */
export async function removeTeamMember(
  call: OrganizationCall,
  teamId: string,
  userId: string,
): Promise<Done> {
  const { db, as } = call;
  const permission = ["member", "delete"] as const;
  const isThis = and(eq(teamMember.teamId, teamId), eq(teamMember.userId, userId));
  return attempt(async () => {
    const {
      isChanged,
      standings: [standing],
      teams: [found],
    } = await changeAndRecord(db, {
      change: db
        .delete(teamMember)
        .where(and(isThis, exists(selectTeam(call, teamId)), isAllowed(call, permission))),
      event: eventIn(call, "team.member_removed", detailsOf(call, teamId, userId)),
      after: { standings: selectStanding(call), teams: selectTeam(call, teamId) },
    });
    if (isChanged) return { ok: true };
    const refusal = findRefusal(
      standing,
      permission,
      as,
      "YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER",
    );
    if (refusal) return refusal;
    return refuse(found ? "USER_IS_NOT_A_MEMBER_OF_THE_TEAM" : "TEAM_NOT_FOUND");
  }, RULES);
}

function selectMember({ db, key }: OrganizationCall, userId: string) {
  return db
    .select({ id: member.id })
    .from(member)
    .where(and(eq(member.organizationId, idOf(key)), eq(member.userId, userId)));
}

/** SQL expression: the details of an event about a team and one of its members. */
function detailsOf(call: OrganizationCall, teamId: string, userId: string) {
  return sql<string>`(SELECT json_object('member', ${userId}, 'team', ${team.name}, 'ids', json_object('team', ${team.id})) FROM ${team} WHERE ${isTeam(call, teamId)})`;
}
