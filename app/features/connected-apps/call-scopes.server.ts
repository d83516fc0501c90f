import type { FoldedServer } from "../../feature.server.ts";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { DEFAULT_ROLE, may } from "../access/permissions.ts";
import { scopeOf } from "../access/scopes.ts";

/**
 * Returns the permissions that an app may ask for: those of the API's calls that a user makes. None
 * without the feature that answers the API.
 */
export function callScopesOf(features: Features): string[] {
  return scopesOf(features, () => true);
}

/**
 * Returns those of them that an organization's app may ask for: what every user may do, so that its
 * owners get no manager's rights.
 */
export function memberCallScopesOf(features: Features): string[] {
  return scopesOf(features, ({ act }) => may({ role: DEFAULT_ROLE }, act.permission));
}

type Features = Pick<FoldedServer, "programs" | "api">;

function scopesOf({ programs, api }: Features, isMeant: (call: ApiEndpoint) => boolean): string[] {
  if (!programs) return [];
  const calls = Object.values(api).filter(
    (call) => !call.isOfOrganization && !call.isForAll && isMeant(call),
  );
  return [...new Set(calls.map(({ act }) => scopeOf(act.permission)))].sort();
}
