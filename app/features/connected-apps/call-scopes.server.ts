import type { FoldedServer } from "../../feature.server.ts";
import { scopeOf } from "../access/scopes.ts";

/**
 * Returns the permissions that an app may ask for: those of the API's calls that a user makes. None
 * without the feature that answers the API.
 */
export function callScopesOf({ programs, api }: Pick<FoldedServer, "programs" | "api">): string[] {
  if (!programs) return [];
  const calls = Object.values(api).filter((call) => !call.isOfOrganization && !call.isForAll);
  return [...new Set(calls.map(({ act }) => scopeOf(act.permission)))].sort();
}
