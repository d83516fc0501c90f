/** Keys of one user for the account, and keys of one organization, that have not ended. */
export const MAX_API_KEYS = 20;

/** True when these keys leave no room for another one. */
export function areKeysFull(keys: readonly { expiresAt: Date }[], now: Date): boolean {
  return keys.filter(({ expiresAt }) => expiresAt > now).length >= MAX_API_KEYS;
}

/** Days after which a new key ends. */
export const API_KEY_DAYS = [7, 30, 90, 180, 365] as const;
export const DEFAULT_API_KEY_DAYS = 90;
