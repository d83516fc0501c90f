import { createAccessControl } from "better-auth/plugins/access";
import type { PermissionTable } from "../../feature.ts";
import { type Joined, joined } from "../../features.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "./role-names.ts";

/**
 * What members may do and the roles that may, in better-auth's words: `ac.read` is seeing the
 * roles. The features add their own. A browser's client of better-auth takes the same objects, so
 * it gives the same answers.
 */
const CORE = {
  organization: { update: ["owner", "admin"], delete: ["owner"] },
  member: { create: ["owner", "admin"], update: ["owner", "admin"], delete: ["owner", "admin"] },
  invitation: { create: ["owner", "admin"], cancel: ["owner", "admin"] },
  ac: { read: ["owner", "admin", "member"] },
} as const satisfies PermissionTable<OrganizationRole>;

type Table = typeof CORE & Joined<"organizationPermissions">;

const TABLE: Table = { ...CORE, ...joined("organizationPermissions") };
const ROWS: [string, PermissionTable<OrganizationRole>[string]][] = Object.entries(TABLE);

export type OrganizationResource = keyof Table;
export type OrganizationAction<R extends OrganizationResource> = keyof Table[R] & string;

type Statements = { readonly [R in OrganizationResource]: readonly OrganizationAction<R>[] };

export type OrganizationPermission = {
  [R in OrganizationResource]: readonly [resource: R, action: OrganizationAction<R>];
}[OrganizationResource];

/** All permissions within an organization. */
export const organizationStatements: Statements = byResource(() => true);

export const organizationAccess = createAccessControl(organizationStatements);

export const organizationRoles = {
  owner: organizationAccess.newRole(byResource((granted) => granted.includes("owner"))),
  admin: organizationAccess.newRole(byResource((granted) => granted.includes("admin"))),
  member: organizationAccess.newRole(byResource((granted) => granted.includes("member"))),
};

/** Returns the actions whose roles fit, by resource. A resource without any is left out. */
function byResource(fits: (granted: readonly OrganizationRole[]) => boolean): Statements {
  const rows = ROWS.map(([resource, actions]) => [
    resource,
    Object.keys(actions).filter((action) => fits(actions[action] ?? [])),
  ]);
  return Object.fromEntries(rows.filter(([, actions]) => actions?.length));
}

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

/** The same for a permission that a feature's fact names as strings. */
export function roleMayDo(
  role: OrganizationRole,
  [resource, action]: readonly [string, string],
): boolean {
  return isGranted(role, resource, action);
}

function isGranted(role: OrganizationRole, resource: string, action: string): boolean {
  const table: PermissionTable<OrganizationRole> = TABLE;
  // What a caller names may be a member of every object, such as "constructor".
  const actions = Object.hasOwn(table, resource) ? table[resource] : undefined;
  return actions !== undefined && Object.hasOwn(actions, action)
    ? (actions[action]?.includes(role) ?? false)
    : false;
}

/** Returns the roles that a member may give to others and take from them: none above their own. */
export function rolesBelow(role: OrganizationRole): OrganizationRole[] {
  return role === "member" ? [] : ORGANIZATION_ROLES.slice(ORGANIZATION_ROLES.indexOf(role));
}
