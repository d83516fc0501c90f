import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { scopeOf } from "../access/scopes.ts";

/** Stands for a key in examples. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

type Snippet = "curl" | "javascript" | "python";

/** The permissions of a key, and whether an organization owns it. */
type Given = { scopes: readonly string[]; isOfOrganization: boolean };

/**
 * Returns the path of a call for a first try. The key may make it, it only reads, and it needs no
 * parameter. Undefined when the key has no such call.
 */
export function firstPath(
  api: Readonly<Record<string, ApiEndpoint>>,
  given?: Given,
): string | undefined {
  return Object.values(api).find(
    (call) => call.method === "GET" && !call.path.includes("{") && isGiven(call, given),
  )?.path;
}

function isGiven(call: ApiEndpoint, given: Given | undefined): boolean {
  if (!given) return !call.isOfOrganization;
  const { act, organization } = call;
  const permission = given.isOfOrganization
    ? organization
    : !call.isOfOrganization && act.permission;
  return permission ? given.scopes.includes(scopeOf(permission)) : false;
}

/** Returns programs that call a URL with a key, one for each language. */
export function snippetsOf(url: string, key: string): Record<Snippet, string> {
  return {
    curl: curlOf({ method: "GET", url, key }),
    javascript: `const response = await fetch("${url}", {
  headers: { Authorization: "Bearer ${key}" },
});
console.log(response.status, await response.text());`,
    // Cloudflare refuses the user agent that Python sends by itself.
    python: `import urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}", "User-Agent": "my-program/1.0"},
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,
  };
}

type Curl = {
  method: string;
  url: string;
  key: string;
  headers?: readonly string[];
  body?: string | undefined;
};

/** Returns the command that sends a call. Its texts have no apostrophe. */
export function curlOf({ method, url, key, headers = [], body }: Curl): string {
  const parts = [
    method === "GET" ? `curl "${url}"` : `curl -X ${method} "${url}"`,
    `-H "Authorization: Bearer ${key}"`,
    ...headers.map((header) => `-H '${header}'`),
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${body}'`]),
  ];
  return parts.length > 2 ? parts.join(" \\\n  ") : parts.join(" ");
}
