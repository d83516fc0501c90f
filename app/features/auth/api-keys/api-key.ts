/** Permissions of a key by resource, as better-auth's plugin stores them. */
export type KeyPermissions = Record<string, string[]>;
