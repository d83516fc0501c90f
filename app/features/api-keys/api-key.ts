/** Keys of one user for the account, and keys of one organization, that have not ended. */
export const MAX_API_KEYS = 20;

/** True when these keys leave no room for another one. */
export function areKeysFull(keys: readonly { expiresAt: Date }[], now: Date): boolean {
  return keys.filter(({ expiresAt }) => expiresAt > now).length >= MAX_API_KEYS;
}

/** Days after which a new key ends. */
export const API_KEY_DAYS = [7, 30, 90, 180, 365] as const;
export const DEFAULT_API_KEY_DAYS = 90;

/** Permissions of a key by resource, as better-auth's plugin stores them. */
export type KeyPermissions = Record<string, string[]>;

/** A permission that a key can be given, as `resource.action`. */
export function scopeOf([resource, action]: readonly [resource: string, action: string]): string {
  return `${resource}.${action}`;
}

/** Returns the permissions of chosen scopes. */
export function permissionsOf(scopes: readonly string[]): KeyPermissions {
  const permissions: KeyPermissions = {};
  for (const scope of scopes) {
    const [resource = "", action = ""] = scope.split(".");
    permissions[resource] = [...(permissions[resource] ?? []), action];
  }
  return permissions;
}

/** Returns the scopes of a key's permissions. */
export function scopesIn(permissions: KeyPermissions): string[] {
  return Object.entries(permissions).flatMap(([resource, actions]) =>
    actions.map((action) => scopeOf([resource, action])),
  );
}
