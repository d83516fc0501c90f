import type { OpenCall } from "../../http/open-calls.ts";

export const MCP = "/mcp";

/** Where the metadata of a resource is, before its path. Source: RFC 9728, 3.1. */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** What agents may call with a token, by its path: the whole site, the API, and the API by the protocol. */
export const RESOURCES = ["", "/api/v1", MCP] as const;

export const OPEN_CALLS: readonly OpenCall[] = [
  { path: MCP },
  ...RESOURCES.map((path) => ({ path: RESOURCE_METADATA + path })),
];
