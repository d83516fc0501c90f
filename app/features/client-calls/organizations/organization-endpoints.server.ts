import { actOfInvitation, OWN_ACTS } from "../../organizations/acts.ts";
import {
  type ApiRequest,
  type ApiServices,
  answer,
  type Endpoint,
  endpoint,
  type OrganizationEndpoints,
  statusOf,
  within,
} from "../../organizations/api/api-call.server.ts";
import { InOrganization } from "../../organizations/api/in-organization.server.ts";
import * as inputs from "./api-input.server.ts";
import * as invitations from "./invitation-calls.server.ts";
import * as members from "./member-calls.server.ts";
import * as organizations from "./organization-calls.server.ts";

const ORGANIZATIONS: OrganizationEndpoints = {
  "/organization/create": endpoint({
    method: "POST",
    act: OWN_ACTS.create,
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
    act: OWN_ACTS.save,
    input: inputs.OrganizationUpdate,
    run: within(organizations.update),
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
    refusals: { NO_ACTIVE_ORGANIZATION: [400, "ORGANIZATION_NOT_FOUND"] },
  }),
  "/organization/delete": endpoint({
    method: "POST",
    act: OWN_ACTS.delete,
    input: inputs.OneOrganization,
    run: organizations.deleteOrganization,
    notMember: [400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  }),
  "/organization/set-active": endpoint({
    method: "POST",
    act: OWN_ACTS.activate,
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

const INVITATIONS: OrganizationEndpoints = {
  "/organization/invite-member": endpoint({
    method: "POST",
    act: OWN_ACTS.invite,
    actFor: ({ role }) => actOfInvitation(role),
    input: inputs.NewInvitation,
    run: within(invitations.inviteMember),
    notMember: [400, "MEMBER_NOT_FOUND"],
    refusals: { NO_ACTIVE_ORGANIZATION: [400, "ORGANIZATION_NOT_FOUND"] },
  }),
  "/organization/cancel-invitation": endpoint({
    method: "POST",
    act: OWN_ACTS.cancel,
    input: inputs.OneInvitation,
    run: invitations.cancel,
    notMember: [400, "INVITATION_NOT_FOUND"],
  }),
  "/organization/accept-invitation": endpoint({
    method: "POST",
    act: OWN_ACTS.answer,
    input: inputs.OneInvitation,
    run: invitations.accept,
  }),
  "/organization/reject-invitation": endpoint({
    method: "POST",
    act: OWN_ACTS.answer,
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
    input: InOrganization,
    run: within(invitations.list),
    notMember: [403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION"],
  }),
  "/organization/list-user-invitations": endpoint({
    method: "GET",
    input: inputs.OwnInvitations,
    run: invitations.listOfUser,
  }),
};

const MEMBERS: OrganizationEndpoints = {
  "/organization/remove-member": endpoint({
    method: "POST",
    act: OWN_ACTS.remove,
    input: inputs.MemberRemoval,
    run: within(members.remove),
    notMember: [400, "MEMBER_NOT_FOUND"],
    refusals: {
      YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: [401, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER"],
    },
  }),
  "/organization/update-member-role": endpoint({
    method: "POST",
    act: OWN_ACTS["set-role"],
    input: inputs.NewRole,
    run: within(members.updateRole),
    notMember: [400, "MEMBER_NOT_FOUND"],
  }),
  "/organization/leave": endpoint({
    method: "POST",
    act: OWN_ACTS.leave,
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

/**
 * Returns the endpoints of better-auth's organization plugin, by path and with those of features,
 * for the auth gateway: it checks session and input. Each answers as the plugin does, but none of
 * the plugin's code runs.
 */
export function createOrganizationEndpoints(
  services: ApiServices,
  ofFeatures: OrganizationEndpoints,
) {
  const rows = Object.entries({ ...ORGANIZATIONS, ...INVITATIONS, ...MEMBERS, ...ofFeatures });
  return Object.fromEntries(
    rows.map(([path, row]) => [
      path,
      {
        method: row.method,
        act: row.act,
        actFor: row.actFor,
        input: row.input,
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
