import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;
type Params = Record<string, string>;

/** Key in `validation:types` for each type that zod expects or receives. */
const TYPE_KEYS: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["template_literal", "string"],
  ["number", "number"],
  ["int", "integer"],
  ["bigint", "bigint"],
  ["boolean", "boolean"],
  ["symbol", "symbol"],
  ["undefined", "undefined"],
  ["void", "undefined"],
  ["object", "object"],
  ["record", "object"],
  ["function", "function"],
  ["map", "map"],
  ["null", "null"],
  ["array", "array"],
  ["tuple", "array"],
  ["date", "date"],
  ["set", "set"],
  ["nan", "nan"],
  ["file", "file"],
]);

/** Key in `validation:generic.invalidFormat` for each format; any other format is `default`. */
const FORMAT_KEYS: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["url", "url"],
  ["uuid", "uuid"],
  ["uuidv4", "uuid"],
  ["uuidv6", "uuid"],
  ["uuidv7", "uuid"],
  ["guid", "uuid"],
  ["datetime", "datetime"],
  ["date", "date"],
  ["time", "time"],
  ["duration", "duration"],
  ["ipv4", "ip"],
  ["ipv6", "ip"],
  ["cidrv4", "cidr"],
  ["cidrv6", "cidr"],
  ["base64", "base64"],
  ["base64url", "base64"],
  ["json_string", "json"],
  ["e164", "e164"],
  ["jwt", "jwt"],
  ["emoji", "emoji"],
  ["regex", "regex"],
]);

/** Key in `validation:generic.tooSmall` and `tooBig` for each kind of size. */
const SIZE_KEYS: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["int", "number"],
  ["bigint", "number"],
  ["array", "array"],
  ["set", "set"],
  ["map", "set"],
  ["file", "file"],
  ["date", "date"],
]);

/**
 * Returns the message reference for a schema issue, for zod's `localeError` (spec section 5, generic schema messages).
 *
 * A reference such as `validation:generic.tooSmall.string.inclusive?minimum=4` has namespace, key and the URL-encoded
 * values of the translation's placeholders. In `invalidType`, `expected` and `received` are themselves keys of
 * `validation:types`. Bounds of dates are in milliseconds since 1970. A typed value is never part of it.
 */
export function describeIssue(issue: RawIssue): string {
  if (isMissing(issue)) return reference("required");
  switch (issue.code) {
    case "invalid_type":
      return describeType(issue);
    case "invalid_value":
      return issue.values.length === 1
        ? reference("invalidValue", { expected: String(issue.values[0]) })
        : reference("invalidOption", { options: joinValues(issue.values) });
    case "invalid_union":
      return describeUnion(issue);
    case "invalid_format":
      return describeFormat(issue);
    case "too_small":
      return describeSize("tooSmall", issue, { minimum: String(issue.minimum) });
    case "too_big":
      return describeSize("tooBig", issue, { maximum: String(issue.maximum) });
    case "not_multiple_of":
      return reference("notMultipleOf", { multipleOf: String(issue.divisor) });
    case "unrecognized_keys":
      return reference("unrecognizedKeys", { keys: joinValues(issue.keys) });
    case "invalid_key":
      return reference("invalidKey");
    case "invalid_element":
      return reference("invalidElement");
    default:
      return reference("custom");
  }
}

function reference(key: string, params?: Params): string {
  const name = `validation:generic.${key}`;
  return params ? `${name}?${new URLSearchParams(params)}` : name;
}

function isMissing(issue: RawIssue): boolean {
  switch (issue.code) {
    case "invalid_type":
      // Only for `z.never()` a missing input is not what is wrong.
      return issue.input === undefined && issue.expected !== "never";
    case "invalid_value":
      return issue.input === undefined;
    case "invalid_union":
      return issue.input === undefined || isMissingDiscriminator(issue);
    case "too_small":
      // A text of at least one character is a required text, and the translation has no singular.
      return (
        issue.origin === "string" && issue.inclusive === true && !issue.exact && issue.minimum === 1
      );
    default:
      return false;
  }
}

function isMissingDiscriminator(issue: RawIssue & { code: "invalid_union" }): boolean {
  if (!issue.discriminator || typeof issue.input !== "object" || issue.input === null) return false;
  return Reflect.get(issue.input, issue.discriminator) === undefined;
}

function describeType(issue: RawIssue & { code: "invalid_type" }): string {
  const { expected, input } = issue;
  if (expected === "never") return reference("custom");
  if (expected === "date" && input instanceof Date) return reference("invalidDate");
  if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY) {
    return reference("notFinite");
  }
  return reference("invalidType", {
    expected: typeKey(expected),
    received: receivedKey(input, expected),
  });
}

function receivedKey(input: unknown, expected: string): string {
  if (Number.isNaN(input)) return "nan";
  if (typeof input === "number") return expected === "int" ? "float" : "number";
  // "[object Date]": the only way to name a type that also works for null and for objects without a prototype.
  return typeKey(Object.prototype.toString.call(input).slice("[object ".length, -1));
}

function typeKey(name: string): string {
  // `z.instanceof(File)` expects "File", the name of the class.
  return TYPE_KEYS.get(name.toLowerCase()) ?? "unknown";
}

function describeUnion(issue: RawIssue & { code: "invalid_union" }): string {
  // Only a discriminated union tells which values it accepts.
  const options: unknown = issue.options;
  return Array.isArray(options) && options.length > 0
    ? reference("invalidOption", { options: joinValues(options) })
    : reference("invalidUnion");
}

function describeFormat(issue: RawIssue & { code: "invalid_format" }): string {
  switch (issue.format) {
    case "starts_with":
      return reference("invalidFormat.startsWith", { prefix: String(issue.prefix) });
    case "ends_with":
      return reference("invalidFormat.endsWith", { suffix: String(issue.suffix) });
    case "includes":
      return reference("invalidFormat.includes", { includes: String(issue.includes) });
    default:
      return reference(`invalidFormat.${FORMAT_KEYS.get(issue.format) ?? "default"}`);
  }
}

function describeSize(
  key: "tooSmall" | "tooBig",
  issue: RawIssue & { code: "too_small" | "too_big" },
  params: Params,
): string {
  const size = SIZE_KEYS.get(issue.origin);
  if (!size) return reference("custom");
  const bound = issue.exact ? "exact" : issue.inclusive ? "inclusive" : "exclusive";
  return reference(`${key}.${size}.${bound}`, params);
}

function joinValues(values: readonly unknown[]): string {
  return values.map(String).join(", ");
}
