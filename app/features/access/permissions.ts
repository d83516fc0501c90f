import type { PermissionTable } from "../../feature.ts";
import { type Joined, joined } from "../../features.ts";
import { ROLES, type Role } from "./role-names.ts";

/**
 * The permissions of the core (spec section 6). The same table is given to better-auth, whose 1.7
 * endpoints also ask for `get`, `update` and `set-email`. Nothing asks for `set-password`, because
 * the product has no passwords. `session.revoke` ends one session of a user, `session.delete` all
 * of them. `account.read` is seeing the sign-in methods of others, `account.update` is changing
 * one's own account. `export` downloads a whole list as a file. The features add their own.
 */
const CORE = {
  user: [
    "create",
    "list",
    "get",
    "update",
    "set-role",
    "set-email",
    "set-password",
    "ban",
    "impersonate",
    "delete",
    "export",
  ],
  session: ["list", "revoke", "delete"],
  account: ["read", "update"],
  apps: ["app", "manager"],
  organization: ["read", "create", "update", "delete", "export"],
  dashboard: ["read"],
  audit: ["read", "export"],
  mail: ["read", "retry"],
  settings: ["read", "update"],
  system: ["read"],
} as const;

type FeatureTable = Joined<"permissions">;
type FeatureStatements = {
  readonly [R in keyof FeatureTable]: readonly (keyof FeatureTable[R] & string)[];
};
type Statements = typeof CORE & FeatureStatements;

/** All permissions. */
export const statements: Statements = { ...CORE, ...ofFeatures(() => true) };

export type Resource = keyof Statements;
export type Action<R extends Resource> = Statements[R][number];

export type Permission = { [R in Resource]: readonly [resource: R, action: Action<R>] }[Resource];

type Grants = { readonly [R in Resource]?: readonly Action<R>[] };

/** What each role may do. An admin has every permission, also those of a later resource. */
export const roles = {
  admin: statements,
  support: {
    user: ["list", "get"],
    session: ["list", "revoke", "delete"],
    account: ["update"],
    apps: ["app", "manager"],
    dashboard: ["read"],
    mail: ["read", "retry"],
    ...grantedTo("support"),
  },
  auditor: {
    user: ["list", "get", "export"],
    session: ["list"],
    account: ["read", "update"],
    apps: ["app", "manager"],
    organization: ["read", "export"],
    dashboard: ["read"],
    audit: ["read", "export"],
    mail: ["read"],
    settings: ["read"],
    system: ["read"],
    ...grantedTo("auditor"),
  },
  user: {
    account: ["update"],
    apps: ["app"],
    ...grantedTo("user"),
  },
} as const satisfies Record<Role, Grants>;

export const DEFAULT_ROLE: Role = "user";

/** Returns the features' permissions of a role. */
function grantedTo(role: Exclude<Role, "admin">): Grants {
  return ofFeatures((granted) => granted.includes(role));
}

/** Returns the features' actions whose roles fit, by resource. */
function ofFeatures(fits: (granted: readonly string[]) => boolean): FeatureStatements {
  const table: PermissionTable<string> = joined("permissions");
  const rows = Object.entries(table).map(([resource, actions]) => [
    resource,
    Object.keys(actions).filter((action) => fits(actions[action] ?? [])),
  ]);
  return Object.fromEntries(rows);
}

/** A user, or anything with the list of roles of one. */
export type RoleHolder = { role?: string | null };

/**
 * Returns the known roles of a comma-separated list such as "admin,user". A list without any means
 * the default role.
 */
export function rolesOf(user: RoleHolder): Role[] {
  const known = (user.role ?? "").split(",");
  const found = ROLES.filter((role) => known.includes(role));
  return found.length > 0 ? found : [DEFAULT_ROLE];
}

/** Returns the list of roles as the database stores it: each once, in the order of the table. */
export function roleList(given: readonly Role[]): string {
  return ROLES.filter((role) => given.includes(role)).join(",");
}

/** True when two users have the same roles, however their lists are written. */
export function haveSameRoles(one: RoleHolder, other: RoleHolder): boolean {
  return roleList(rolesOf(one)) === roleList(rolesOf(other));
}

/** Returns true when a user may do an action on a kind of resource. The UI and the server ask only this question. */
export function can<R extends Resource>(user: RoleHolder, resource: R, action: Action<R>): boolean {
  return rolesOf(user).some((role) => roleCan(role, resource, action));
}

/** Returns true when a user has a permission. */
export function may(user: RoleHolder, [resource, action]: Permission): boolean {
  // The action is one of its own resource's.
  return can(user, resource, action as Action<typeof resource>);
}

/** The same for a permission that a feature's fact names as strings. */
export function mayDo(user: RoleHolder, [resource, action]: readonly [string, string]): boolean {
  return rolesOf(user).some((role) => isGranted(role, resource, action));
}

export function roleCan<R extends Resource>(role: Role, resource: R, action: Action<R>): boolean {
  return isGranted(role, resource, action);
}

function isGranted(role: Role, resource: string, action: string): boolean {
  const granted: Partial<Record<string, readonly string[]>> = roles[role];
  // What a caller names may be a member of every object, such as "constructor".
  return Object.hasOwn(granted, resource) && (granted[resource]?.includes(action) ?? false);
}

/** True when a manager may give a new user these roles: none is above the manager's own. */
export function mayGive(manager: RoleHolder, given: RoleHolder): boolean {
  if (haveSameRoles(given, { role: DEFAULT_ROLE })) return true;
  const highest = (of: RoleHolder) => ROLES.findIndex((role) => rolesOf(of).includes(role));
  return can(manager, "user", "set-role") && highest(given) >= highest(manager);
}
