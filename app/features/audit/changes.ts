import type { AuditRow } from "../../feature.ts";
import { type FactsOf, joined } from "../../features.ts";
import type { NameField } from "../../i18n/name-fields.ts";

/** One line of an event's details: a field's old value, its new value, or both. `null` is an empty value. */
export type Change = { field: string; before?: string | null; after?: string | null };

/** Fields that events of the core have. */
const CORE_FIELDS = [
  "name",
  "email",
  "role",
  "reason",
  "until",
  "provider",
  "permissions",
  "dueAt",
  "slug",
  "metadata",
  "member",
  "invitation",
  "signUpMode",
  "allowedDomains",
  "blockedDomains",
  "organizationsAdmit",
  "termsUrl",
  "privacyUrl",
  "termsVersion",
  "managerPasskeys",
  "accent",
  "logoLight",
  "logoDark",
  "helpUrl",
  "supportUrl",
  "senderName",
  "mailFooter",
] as const;

type RowOf<Facts> = Facts extends unknown ? Facts[keyof Facts] : never;
type FieldsOf<Row> = Row extends { readonly fields: readonly (infer Field)[] } ? Field : never;
type AuditField =
  | (typeof CORE_FIELDS)[number]
  | NameField
  | (FieldsOf<RowOf<FactsOf<"audit">>> & string);

const FEATURE_ROWS: Record<string, AuditRow> = joined("audit");

/** Fields that events have; each has a label in every language. */
export const AUDIT_FIELDS: readonly string[] = [
  ...CORE_FIELDS,
  ...Object.values(FEATURE_ROWS).flatMap(({ fields }) => fields ?? []),
];

type AuditValues = { [Field in AuditField]?: unknown };

/** Details of an event: facts, or values before and after a change. Never a secret. */
export type AuditDetails = AuditValues & { before?: AuditValues; after?: AuditValues };

type Details = Record<string, unknown> | null;

/** Columns that users never see. */
const INTERNAL = [...["id", "nameKey", "searchKey", "version", "createdAt", "updatedAt"], "teams"];

/** Returns an event's details as lines. A change shows only the fields that differ; other events show all fields. */
export function changesOf(details: Details): Change[] {
  if (!details) return [];
  const { before, after, ...facts } = details;
  const [old, current] = [asRecord(before), asRecord(after)];
  const isChange = old !== undefined && current !== undefined;
  const fields = [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])];
  const changes = fields.map((field) => ({
    field,
    ...(old && { before: asText(old[field]) }),
    ...(current && { after: asText(current[field]) }),
  }));
  return [
    ...changes.filter((change) => !isChange || change.before !== change.after),
    ...Object.entries(facts).map(([field, value]) => ({ field, after: asText(value) })),
  ].filter(({ field }) => !INTERNAL.includes(field));
}

/** Returns the name of an event's target from its details, for a target that no longer exists. */
export function nameIn(details: Details): string | undefined {
  const records = [asRecord(details?.after), asRecord(details?.before), details ?? undefined];
  return ["name", "email"]
    .flatMap((field) => records.map((record) => record?.[field]))
    .find((value) => typeof value === "string" && value !== "") as string | undefined;
}

/**
 * Shortens a value at its own end, which a stylesheet would not find in a name of another
 * direction. The export has it in full.
 */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : text;
}

/** Writes a change as one line of a file. */
export function writeChange({ field, before, after }: Change): string {
  const values = [before, after].filter((value) => value !== undefined);
  return `${field}: ${values.map((value) => value ?? "-").join(" → ")}`;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : undefined;
}

function asText(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
