import type { ApiDocument } from "./openapi.server.ts";

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

export type CallGroup = { name: string; calls: ShownCall[] };

/** Returns the calls of a description, by group. */
export function shownCalls({ paths, components }: ApiDocument): CallGroup[] {
  const groups = new Map<string, ShownCall[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [group = ""] = operation.tags;
      const calls = groups.get(group) ?? [];
      groups.set(group, calls);
      const body = operation.requestBody?.content["application/json"]?.schema;
      calls.push({
        method: method.toUpperCase(),
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
        answers: Object.entries(operation.responses).flatMap(
          ([status, { description, content }]) =>
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
      });
    }
  }
  return [
    ...[...groups].map(([name, calls]) => ({ name, calls })),
    { name: "types", calls: typesOf(components.schemas) },
  ];
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
  const options = known.anyOf ?? known.oneOf;
  if (Array.isArray(options)) return [...new Set(options.map(typeOf))].join(" | ");
  if (type === "array") return `${typeOf(items)}[]`;
  const fields = fieldsOf(schema).map((field) => `${field.name}: ${field.type}`);
  if (fields.length > 0) return `{ ${fields.join(", ")} }`;
  if (typeof type !== "string") return "not" in known ? "never" : "any";
  return typeof format === "string" ? `${type} (${format})` : type;
}
