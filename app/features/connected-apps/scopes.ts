/** What an app may ask to know. Source: OpenID Connect Core 1.0, 5.4 and 11; `organization` is ours. */
export const APP_SCOPES = ["openid", "profile", "email", "organization", "offline_access"] as const;

export type AppScope = (typeof APP_SCOPES)[number];

export function isAppScope(scope: string): scope is AppScope {
  return APP_SCOPES.some((known) => known === scope);
}

/** True for a permission of the API, such as `repository.read`: what an app may ask to do for a person. */
export function isCallScope(scope: string): boolean {
  return /^[a-z-]+\.[a-z-]+$/i.test(scope);
}

/** Returns scopes in the order in which they are shown, each once. */
export function inOrder(scopes: readonly string[]): string[] {
  const calls = new Set(scopes.filter(isCallScope));
  return [...APP_SCOPES.filter((scope) => scopes.includes(scope)), ...[...calls].sort()];
}

/** Returns the scopes of a list that better-auth's plugin has stored as JSON, in their order. */
export function storedScopes(json: string): string[] {
  return inOrder(storedList(json));
}

/** Returns a list of texts that better-auth's plugin has stored as JSON. */
export function storedList(json: string): string[] {
  const stored: unknown = JSON.parse(json);
  return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
}
