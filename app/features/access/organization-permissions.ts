import { createAccessControl } from "better-auth/plugins/access";

/**
 * All permissions within an organization, in better-auth's words: `ac.read` is seeing the roles. A browser's client of
 * better-auth takes the same objects, so it gives the same answers. `repository.read` is seeing the shared repositories,
 * `repository.create` shares one into the organization, `repository.delete` ends that.
 */
export const organizationStatements = {
  organization: ["update", "delete"],
  member: ["create", "update", "delete"],
  invitation: ["create", "cancel"],
  team: ["create", "update", "delete"],
  repository: ["read", "create", "delete"],
  apiKey: ["create", "delete"],
  webhook: ["update"],
  ac: ["read"],
} as const;

export type OrganizationResource = keyof typeof organizationStatements;
export type OrganizationAction<R extends OrganizationResource> =
  (typeof organizationStatements)[R][number];

export type OrganizationPermission = {
  [R in OrganizationResource]: readonly [resource: R, action: OrganizationAction<R>];
}[OrganizationResource];

/** Roles of members, the highest first. */
export const ORGANIZATION_ROLES = ["owner", "admin", "member"] as const;

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

export const organizationAccess = createAccessControl(organizationStatements);

export const organizationRoles = {
  owner: organizationAccess.newRole({
    organization: ["update", "delete"],
    member: ["create", "update", "delete"],
    invitation: ["create", "cancel"],
    team: ["create", "update", "delete"],
    repository: ["read", "create", "delete"],
    apiKey: ["create", "delete"],
    webhook: ["update"],
    ac: ["read"],
  }),
  admin: organizationAccess.newRole({
    organization: ["update"],
    member: ["create", "update", "delete"],
    invitation: ["create", "cancel"],
    team: ["create", "update", "delete"],
    repository: ["read", "create", "delete"],
    ac: ["read"],
  }),
  member: organizationAccess.newRole({ repository: ["read"], ac: ["read"] }),
};

/** Returns true when a role may do an action. The UI and the server ask only this question. */
export function roleCan<R extends OrganizationResource>(
  role: OrganizationRole,
  resource: R,
  action: OrganizationAction<R>,
): boolean {
  return isGranted(role, resource, action);
}

/** Returns the roles that may do an action, for a condition in SQL. */
export function rolesThatCan([resource, action]: OrganizationPermission): OrganizationRole[] {
  return ORGANIZATION_ROLES.filter((role) => isGranted(role, resource, action));
}

function isGranted(role: OrganizationRole, resource: OrganizationResource, action: string) {
  const granted: Partial<Record<OrganizationResource, readonly string[]>> =
    organizationRoles[role].statements;
  return granted[resource]?.includes(action) ?? false;
}

/** Returns the roles that a member may give to others and take from them: none above their own. */
export function rolesBelow(role: OrganizationRole): OrganizationRole[] {
  return role === "member" ? [] : ORGANIZATION_ROLES.slice(ORGANIZATION_ROLES.indexOf(role));
}
