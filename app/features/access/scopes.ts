/** Permissions of a program by resource, as better-auth's plugin for API keys stores them. */
export type ProgramPermissions = Record<string, string[]>;

/** A permission that a program can be given, as `resource.action`. */
export function scopeOf([resource, action]: readonly [resource: string, action: string]): string {
  return `${resource}.${action}`;
}

/** Returns the permissions of chosen scopes. */
export function permissionsOf(scopes: readonly string[]): ProgramPermissions {
  const permissions: ProgramPermissions = {};
  for (const scope of scopes) {
    const [resource = "", action = ""] = scope.split(".");
    permissions[resource] = [...(permissions[resource] ?? []), action];
  }
  return permissions;
}

/** Returns the scopes of a program's permissions. */
export function scopesIn(permissions: ProgramPermissions): string[] {
  return Object.entries(permissions).flatMap(([resource, actions]) =>
    actions.map((action) => scopeOf([resource, action])),
  );
}
