import { createAccessControl } from "better-auth/plugins/access";

/**
 * All permissions (spec section 6). The same object is given to better-auth, whose 1.7 endpoints also ask for `get`,
 * `update` and `set-email`. Nothing asks for `set-password`, because the product has no passwords. `session.revoke`
 * ends one session of a user, `session.delete` all of them.
 */
export const statements = {
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
  ],
  session: ["list", "revoke", "delete"],
  account: ["read", "update"],
  apps: ["app", "manager"],
  repository: ["read", "create", "update", "delete"],
  organization: ["read", "create", "update", "delete"],
  settings: ["read", "update"],
} as const;

export type Resource = keyof typeof statements;
export type Action<R extends Resource> = (typeof statements)[R][number];

/** A resource and an action on it. */
export type Permission = { [R in Resource]: readonly [resource: R, action: Action<R>] }[Resource];

export const accessControl = createAccessControl(statements);

export const roles = {
  admin: accessControl.newRole({
    user: [...statements.user],
    session: [...statements.session],
    account: [...statements.account],
    apps: [...statements.apps],
    repository: [...statements.repository],
    organization: [...statements.organization],
    settings: [...statements.settings],
  }),
  user: accessControl.newRole({
    account: ["update"],
    apps: ["app"],
    repository: ["read"],
  }),
};

export type Role = keyof typeof roles;

export const DEFAULT_ROLE: Role = "user";

/** Returns the known roles of a comma-separated list such as "admin,user". A list without any means the default role. */
export function rolesOf(user: { role?: string | null }): Role[] {
  const known = (user.role ?? "").split(",").map((role) => role.trim());
  const found = (Object.keys(roles) as Role[]).filter((role) => known.includes(role));
  return found.length > 0 ? found : [DEFAULT_ROLE];
}

/** Returns true when a user may do an action on a kind of resource. The UI and the server ask only this question. */
export function can<R extends Resource>(
  user: { role?: string | null },
  resource: R,
  action: Action<R>,
): boolean {
  return rolesOf(user).some((role) => {
    const granted: Partial<Record<Resource, readonly string[]>> = roles[role].statements;
    return granted[resource]?.includes(action) ?? false;
  });
}
