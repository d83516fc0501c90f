/** What an app may ask for. Source: OpenID Connect Core 1.0, 5.4 and 11; `organization` is ours. */
export const APP_SCOPES = ["openid", "profile", "email", "organization", "offline_access"] as const;

export type AppScope = (typeof APP_SCOPES)[number];

export function isAppScope(scope: string): scope is AppScope {
  return APP_SCOPES.some((known) => known === scope);
}

/** Returns the scopes of a list that better-auth's plugin has stored as JSON, in the order of `APP_SCOPES`. */
export function storedScopes(json: string): AppScope[] {
  const stored = storedList(json);
  return APP_SCOPES.filter((scope) => stored.includes(scope));
}

/** Returns a list of texts that better-auth's plugin has stored as JSON. */
export function storedList(json: string): string[] {
  const stored: unknown = JSON.parse(json);
  return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
}
