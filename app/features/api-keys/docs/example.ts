/** A schema as the description prints it. */
export type Schema = { readonly [Name in string]?: unknown };

/** Example texts by field name, for fields without a format. */
const BY_NAME: readonly [pattern: RegExp, value: string][] = [
  [/^id$|Id$|^organization$/, "Zk3vQ81n"],
  [/email/i, "ada@example.com"],
  [/link|url|website/i, "https://example.com"],
  [/name|title/i, "Example"],
  [/description|note|text/i, "A few words"],
  [/^ip/i, "203.0.113.7"],
];

const BY_FORMAT: Record<string, string> = {
  "date-time": "2026-05-04T09:26:00.000Z",
  date: "2026-05-04",
  email: "ada@example.com",
  uri: "https://example.com",
};

/** Candidates for a text with a pattern. */
const FORMS = ["2026-05-04", "12.50", "1", "example", "EUR"];

/**
 * Returns a value that a schema of the description takes. `schemas` has the schemas that it refers
 * to.
 */
export function exampleOf(
  schema: unknown,
  schemas: Readonly<Record<string, Schema>>,
  name = "",
): unknown {
  const known: Schema = Object(schema);
  const { $ref, type, items, properties, minimum } = known;
  if (typeof $ref === "string") {
    return exampleOf(schemas[$ref.slice($ref.lastIndexOf("/") + 1)], schemas, name);
  }
  if ("default" in known) return known.default;
  if ("const" in known) return known.const;
  if (Array.isArray(known.enum)) return known.enum[0];
  const options = optionsOf(known);
  if (options) return exampleOfOne(options, schemas, name);
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(Object(properties)).flatMap(([field, value]) =>
          "not" in Object(value) ? [] : [[field, exampleOf(value, schemas, field)]],
        ),
      );
    case "array":
      return [exampleOf(items, schemas, name)];
    case "integer":
    case "number":
      return typeof minimum === "number" && minimum > 1 ? minimum : 1;
    case "boolean":
      return false;
    case "string":
      return textOf(known, name);
    default:
      return null;
  }
}

/** Returns the alternatives of a schema: `anyOf`, `oneOf`, or a list of types. */
export function optionsOf({ anyOf, oneOf, type, ...rest }: Schema): Schema[] | undefined {
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return options;
  return Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : undefined;
}

/** A nullable value is null, unless its name or format tells what it holds. */
function exampleOfOne(
  options: readonly unknown[],
  schemas: Readonly<Record<string, Schema>>,
  name: string,
): unknown {
  const isNull = (option: unknown) => Object(option).type === "null";
  const [first] = options.filter((option) => !isNull(option));
  const { type, format }: Schema = Object(first);
  const isUnnamed = type === "string" && format === undefined && byName(name) === undefined;
  return options.some(isNull) && isUnnamed ? null : exampleOf(first, schemas, name);
}

function textOf({ format, pattern, minLength }: Schema, name: string): string {
  const text = (typeof format === "string" && BY_FORMAT[format]) || byName(name);
  if (text !== undefined) return text;
  if (typeof pattern === "string") {
    const form = new RegExp(pattern, "u");
    return FORMS.find((one) => form.test(one)) ?? "example";
  }
  return typeof minLength === "number" ? "example".padEnd(minLength, "e") : "example";
}

function byName(name: string): string | undefined {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}
