import type { ApiEndpoint } from "../../access/api-endpoint.ts";
import { scopeOf } from "../../access/scopes.ts";
import { curlOf, KEY_PLACEHOLDER } from "../snippets.ts";
import { exampleOf, optionsOf } from "./example.ts";
import type { ApiDocument } from "./openapi.server.ts";

type Endpoints = Readonly<Record<string, ApiEndpoint>>;
type Operation = ApiDocument["paths"][string][string];

/** A field of a call, with its type in a few words. */
type Field = { name: string; type: string; isRequired: boolean };

/** A call as the page of documentation shows it. */
export type ShownCall = {
  method: string;
  path: string;
  summary: string | undefined;
  fields: Field[];
  /** Statuses with what they mean: a type, or error codes. */
  answers: { status: string; text: string }[];
};

/** A call that keys open, with what it needs and an example. */
export type OwnCall = ShownCall & ReturnType<typeof detailsOf>;

export type CallGroup<Call = ShownCall> = { name: string; calls: Call[] };

/** Returns the calls of a description, by group. `api` has the product's calls, which keys open. */
export function shownCalls(description: ApiDocument, api: Endpoints) {
  const own = new Map<string, OwnCall[]>();
  const client = new Map<string, ShownCall[]>();
  const calls = Object.values(api);
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [group = ""] = operation.tags;
      const shown = shownCall(path, method.toUpperCase(), operation);
      const endpoint = calls.find((one) => one.path === path && one.method === shown.method);
      if (endpoint) {
        const call = { ...shown, ...detailsOf(endpoint, operation, description) };
        own.set(group, [...(own.get(group) ?? []), call]);
      } else {
        client.set(group, [...(client.get(group) ?? []), shown]);
      }
    }
  }
  const listed = <Call>(groups: Map<string, Call>) =>
    [...groups].map(([name, found]) => ({ name, calls: found }));
  return {
    own: listed(own),
    client: listed(client),
    types: typesOf(description.components.schemas),
  };
}

function shownCall(path: string, method: string, operation: Operation): ShownCall {
  const body = operation.requestBody?.content["application/json"]?.schema;
  return {
    method,
    path,
    summary: operation.summary,
    fields: [
      ...(operation.parameters ?? []).map(({ name, schema, required }) => ({
        name,
        type: typeOf(schema),
        isRequired: required,
      })),
      ...fieldsOf(body),
    ],
    answers: Object.entries(operation.responses).flatMap(([status, { description, content }]) =>
      status.endsWith("XX")
        ? []
        : [
            {
              status,
              text:
                Number(status) < 300
                  ? typeOf(Object.values(content ?? {})[0]?.schema)
                  : description,
            },
          ],
    ),
  };
}

/** Returns what a call of the product needs, an example of it, and its own errors. */
function detailsOf(endpoint: ApiEndpoint, operation: Operation, description: ApiDocument) {
  const { method, path, act, organization, isOfOrganization, isForAll, requires, answer, errors } =
    endpoint;
  const { schemas } = description.components;
  const [server] = description.servers;
  const sent = operation.requestBody?.content["application/json"]?.schema;
  const [content] = Object.values(operation.responses[answer.status]?.content ?? {});
  const indent = answer.type ? undefined : 2;
  return {
    scopes: [
      ...(isOfOrganization || isForAll
        ? []
        : [{ scope: scopeOf(act.permission), isOfOrganization: false }]),
      ...(organization ? [{ scope: scopeOf(organization), isOfOrganization: true }] : []),
    ],
    request: curlOf({
      method,
      url: `${server?.url}${path.replace(/\{(\w+)\}/g, (_, name) => String(exampleOf({ type: "string" }, schemas, name)))}`,
      key: KEY_PLACEHOLDER,
      headers: requires ? [`${requires}: "1"`] : [],
      body: sent && JSON.stringify(exampleOf(sent, schemas)),
    }),
    example: content && JSON.stringify(exampleOf(content.schema, schemas), undefined, indent),
    status: answer.status,
    errors: errors.map(([status, code]) => ({ status, code })),
  };
}

/** The named types, in the form of calls without a method. */
function typesOf(schemas: ApiDocument["components"]["schemas"]): ShownCall[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    method: "",
    path: name,
    summary: undefined,
    answers: [],
    fields: fieldsOf(schema),
  }));
}

function fieldsOf(schema: unknown): Field[] {
  const { properties, required }: { properties?: object; required?: unknown } = Object(schema);
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: names.includes(name),
  }));
}

/** Returns a schema's type in a few words, such as `"asc" | "desc"`, `string (email)` or `User[]`. */
function typeOf(schema: unknown): string {
  const known: { [Name in string]?: unknown } = Object(schema);
  if (schema === undefined) return "";
  const { $ref, type, format, items } = known;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(known.enum))
    return known.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in known) return JSON.stringify(known.const);
  const options = optionsOf(known);
  if (options) return [...new Set(options.map(typeOf))].join(" | ");
  if (type === "array") return `${typeOf(items)}[]`;
  const fields = fieldsOf(schema).map((field) => `${field.name}: ${field.type}`);
  if (fields.length > 0) return `{ ${fields.join(", ")} }`;
  if (typeof type !== "string") return "not" in known ? "never" : "any";
  return typeof format === "string" ? `${type} (${format})` : type;
}
