import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { needsProof } from "../access/proof.ts";
import { scopeOf } from "../access/scopes.ts";
import type { Me } from "../api-keys/api.ts";

/** The calls of all features, by operation id. */
type Calls = Readonly<Record<string, ApiEndpoint>>;

/** What an agent sends to a tool, by the parameters of its schema. */
type Sent = Record<string, unknown>;

const Version = z.int().describe("The `version` that was read.");

const IdempotencyKey = z
  .string()
  .max(255)
  .optional()
  .describe("Any text of your own: a call that is sent again with it is made once.");

/** Returns the calls that an agent may make, as tools: those that its token allows and its user may. */
export function toolsFor(me: Me, calls: Calls): Tool[] {
  return Object.entries(calls)
    .filter(([, call]) => mayUse(me, call))
    .map(([name, call]) => toolOf(name, call));
}

function mayUse({ organization, permissions }: Me, call: ApiEndpoint): boolean {
  if (call.isForAll) return true;
  if (!organization) {
    return !call.isOfOrganization && permissions.includes(scopeOf(call.act.permission));
  }
  return call.organization !== undefined && permissions.includes(scopeOf(call.organization));
}

function toolOf(name: string, call: ApiEndpoint): Tool {
  const { method, summary, act } = call;
  const isProved = needsProof(act);
  const { $schema, ...schema } = z.toJSONSchema(inputOf(call), {
    io: "input",
    unrepresentable: "any",
  });
  return {
    name,
    title: summary,
    description: isProved ? `${summary}. ${APPROVED_FIRST}` : summary,
    inputSchema: schema as Tool["inputSchema"],
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: method === "DELETE",
      idempotentHint: method !== "POST",
      openWorldHint: false,
    },
  };
}

const APPROVED_FIRST =
  "The user must approve each call first: the first answer has the page for it. Call the tool again with the same arguments afterwards.";

/** Returns the parameters of a tool: those of the call's path, query, body and headers. */
function inputOf(call: ApiEndpoint): z.ZodObject {
  const { query, body, headers = [] } = call;
  const ofPath = Object.fromEntries(namesIn(call.path).map((name) => [name, z.string().min(1)]));
  const input = { ...ofPath, ...query?.shape, ...body?.shape };
  return z.object({
    ...input,
    ...(headers.includes("If-Match") &&
      !body && { version: call.requires ? Version : Version.optional() }),
    ...(headers.includes("Idempotency-Key") && { idempotencyKey: IdempotencyKey }),
  });
}

/** Returns the request of a call as a program would send it; undefined where a part of the path is missing. */
export function requestOf(
  call: ApiEndpoint,
  sent: Sent,
  { baseUrl, headers }: { baseUrl: string; headers: Headers },
): Request | undefined {
  const { method, body, query, headers: known = [] } = call;
  const parts = namesIn(call.path).map((name) => [name, textOf(sent[name])] as const);
  // A dot would lead to another path.
  if (parts.some(([, value]) => ["", ".", ".."].includes(value))) return undefined;
  const path = parts.reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    call.path as string,
  );
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(only(sent, query))) {
    url.searchParams.set(name, textOf(value));
  }
  const own = new Headers(headers);
  if (body) own.set("content-type", "application/json");
  if (!body && known.includes("If-Match") && sent.version !== undefined)
    own.set("if-match", `"${textOf(sent.version)}"`);
  if (known.includes("Idempotency-Key") && sent.idempotencyKey !== undefined)
    own.set("idempotency-key", textOf(sent.idempotencyKey));
  return new Request(url, {
    method,
    headers: own,
    ...(body && { body: JSON.stringify(only(sent, body)) }),
  });
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}

/** Returns what an agent has sent for a schema. */
function only(sent: Sent, schema: z.ZodObject | undefined): Sent {
  const names = Object.keys(schema?.shape ?? {});
  return Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name)));
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
