import type { z } from "zod";
import { actOfInvitation } from "../../access/proof.ts";
import * as teams from "../../teams/team-calls.server.ts";
import {
  type ApiCall,
  type ApiRequest,
  type ApiResult,
  type ApiServices,
  answer,
  type PluginRefusal,
  statusOf,
  within,
} from "./api-call.server.ts";
import * as inputs from "./api-input.server.ts";
import * as invitations from "./invitation-calls.server.ts";
import * as members from "./member-calls.server.ts";
import * as organizations from "./organization-calls.server.ts";

/** An endpoint of the plugin. `input` reads the JSON body, or the query of a GET. */
type Endpoint<Input = Record<string, unknown>> = {
  method: "GET" | "POST";
  /** Closes it to a manager who impersonates the user. */
  isChange?: boolean;
  /** What a change does, as the table of proofs names it; by default an act of its own, which needs a proof. */
  act?: string;
  /** The same where the input decides. A method, as `run`. */
  actOf?(input: Input): string;
  input: z.ZodType<Input>;
  /** A method, so that TypeScript allows each row its own input type. */
  run(call: ApiCall, input: Input): Promise<ApiResult>;
  /** The answer to users who are not members; an unknown organization has the same. */
  notMember?: PluginRefusal;
  /** Other refusals that differ from `statusOf`. */
  refusals?: { [code: string]: PluginRefusal };
};

/** Checks that a row's function takes what its schema gives. */
function endpoint<Input extends Record<string, unknown>>(row: Endpoint<Input>): Endpoint {
  return row;
}

const ORGANIZATIONS: Record<string, Endpoint> = {
  "/organization/create": endpoint({
    method: "POST",
    isChange: true,
    act: "own:create",
    input: inputs.NewOrganization,
    run: organizations.create,
    refusals: { ORGANIZATION_SLUG_ALREADY_TAKEN: [400, "ORGANIZATION_ALREADY_EXISTS"] },
  }),
  "/organization/check-slug": endpoint({
    method: "POST",
    input: inputs.AnySlug,
    run: organizations.checkSlug,
  }),
  "/organization/update": endpoint({
    method: "POST",
    isChange: true,
    act: "own:save",
    input: inputs.OrganizationUpdate,
    run: within(organizations.update),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
    refusals: { NO_ACTIVE_ORGANIZATION: [400, "ORGANIZATION_NOT_FOUND"] },
  }),
  "/organization/delete": endpoint({
    method: "POST",
    isChange: true,
    act: "own:delete",
    input: inputs.OneOrganization,
    run: organizations.deleteOrganization,
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/set-active": endpoint({
    method: "POST",
    isChange: true,
    act: "own:activate",
    input: inputs.ActiveOrganization,
    run: organizations.setActive,
    notMember: [403, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/list": endpoint({
    method: "GET",
    input: inputs.Nothing,
    run: organizations.list,
  }),
  "/organization/get-organization": endpoint({
    method: "GET",
    input: inputs.AnyOrganization,
    run: within(organizations.get, answer(null)),
    notMember: [403, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/get-full-organization": endpoint({
    method: "GET",
    input: inputs.FullOrganization,
    run: within(organizations.getFull, answer(null)),
  }),
  "/organization/has-permission": endpoint({
    method: "POST",
    input: inputs.PermissionQuestion,
    run: within(organizations.hasPermission),
    notMember: [401, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
};

const INVITATIONS: Record<string, Endpoint> = {
  "/organization/invite-member": endpoint({
    method: "POST",
    isChange: true,
    actOf: ({ role }) => actOfInvitation(role),
    input: inputs.NewInvitation,
    run: within(invitations.inviteMember),
    notMember: [400, "MEMBER_NOT_FOUND"],
    refusals: { NO_ACTIVE_ORGANIZATION: [400, "ORGANIZATION_NOT_FOUND"] },
  }),
  "/organization/cancel-invitation": endpoint({
    method: "POST",
    isChange: true,
    act: "own:cancel",
    input: inputs.OneInvitation,
    run: invitations.cancel,
    notMember: [400, "INVITATION_NOT_FOUND"],
  }),
  "/organization/accept-invitation": endpoint({
    method: "POST",
    isChange: true,
    act: "own:answer",
    input: inputs.OneInvitation,
    run: invitations.accept,
  }),
  "/organization/reject-invitation": endpoint({
    method: "POST",
    isChange: true,
    act: "own:answer",
    input: inputs.OneInvitation,
    run: invitations.reject,
  }),
  "/organization/get-invitation": endpoint({
    method: "GET",
    input: inputs.InvitationQuery,
    run: invitations.get,
  }),
  "/organization/list-invitations": endpoint({
    method: "GET",
    input: inputs.InOrganization,
    run: within(invitations.list),
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
  "/organization/list-user-invitations": endpoint({
    method: "GET",
    input: inputs.OwnInvitations,
    run: invitations.listOfUser,
  }),
};

const MEMBERS: Record<string, Endpoint> = {
  "/organization/remove-member": endpoint({
    method: "POST",
    isChange: true,
    act: "own:remove",
    input: inputs.MemberRemoval,
    run: within(members.remove),
    notMember: [400, "MEMBER_NOT_FOUND"],
    refusals: {
      YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: [401, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER"],
    },
  }),
  "/organization/update-member-role": endpoint({
    method: "POST",
    isChange: true,
    act: "own:set-role",
    input: inputs.NewRole,
    run: within(members.updateRole),
    notMember: [400, "MEMBER_NOT_FOUND"],
  }),
  "/organization/leave": endpoint({
    method: "POST",
    isChange: true,
    act: "own:leave",
    input: inputs.OneOrganization,
    run: members.leave,
    notMember: [400, "MEMBER_NOT_FOUND"],
  }),
  "/organization/list-members": endpoint({
    method: "GET",
    input: inputs.MemberList,
    run: within(members.list),
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
  "/organization/get-active-member": endpoint({
    method: "GET",
    input: inputs.Nothing,
    run: within(members.getActive),
    notMember: [400, "MEMBER_NOT_FOUND"],
  }),
  "/organization/get-active-member-role": endpoint({
    method: "GET",
    input: inputs.RoleQuestion,
    run: within(members.getRole),
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
};

const TEAMS: Record<string, Endpoint> = {
  "/organization/create-team": endpoint({
    method: "POST",
    isChange: true,
    act: "own:team",
    input: inputs.NewTeam,
    run: within(teams.create),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"],
  }),
  "/organization/update-team": endpoint({
    method: "POST",
    isChange: true,
    act: "own:team",
    input: inputs.TeamUpdate,
    run: teams.update,
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM"],
  }),
  "/organization/remove-team": endpoint({
    method: "POST",
    isChange: true,
    act: "own:team",
    input: inputs.OneTeam,
    run: within(teams.remove),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM"],
  }),
  "/organization/list-teams": endpoint({
    method: "GET",
    input: inputs.InOrganization,
    run: within(teams.list),
    notMember: [403, "YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION"],
  }),
  "/organization/set-active-team": endpoint({
    method: "POST",
    isChange: true,
    act: "own:activate",
    input: inputs.ActiveTeam,
    run: teams.setActive,
    refusals: { USER_IS_NOT_A_MEMBER_OF_THE_TEAM: [403, "USER_IS_NOT_A_MEMBER_OF_THE_TEAM"] },
  }),
  "/organization/list-user-teams": endpoint({
    method: "GET",
    input: inputs.TeamsOfUser,
    run: teams.listOfUser,
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
  "/organization/list-team-members": endpoint({
    method: "GET",
    input: inputs.TeamQuery,
    run: teams.listMembers,
  }),
  "/organization/add-team-member": endpoint({
    method: "POST",
    isChange: true,
    act: "own:team",
    input: inputs.OneTeamMember,
    run: within(teams.addMember),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/remove-team-member": endpoint({
    method: "POST",
    isChange: true,
    act: "own:team",
    input: inputs.OneTeamMember,
    run: within(teams.removeMember),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
};

/**
 * Returns the endpoints of better-auth's organization plugin, by path, for the auth gateway: it checks session and input.
 * Each answers as the plugin does, but none of the plugin's code runs.
 */
export function createOrganizationEndpoints(services: ApiServices) {
  const rows = Object.entries({ ...ORGANIZATIONS, ...INVITATIONS, ...MEMBERS, ...TEAMS });
  return Object.fromEntries(
    rows.map(([path, row]) => [
      path,
      {
        ...{ method: row.method, isChange: row.isChange ?? false, input: row.input },
        actOf: (input: Record<string, unknown>) => row.actOf?.(input) ?? row.act ?? path,
        answer: answerWith.bind(undefined, services, row),
      },
    ]),
  );
}

async function answerWith(
  services: ApiServices,
  { run, notMember, refusals = {} }: Endpoint,
  request: ApiRequest,
  input: Record<string, unknown>,
) {
  const result = await run({ ...services, ...request }, input);
  if (result.ok) return result;
  const isNotMember = result.code === "ORGANIZATION_NOT_FOUND";
  const [status, code] = (isNotMember ? notMember : refusals[result.code]) ?? [
    statusOf(result.code),
    result.code,
  ];
  return { ok: false, status, code, retryAfterSeconds: result.retryAfterSeconds } as const;
}
