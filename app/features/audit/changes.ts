import type { AuditRow } from "../../feature.ts";
import { type FactsOf, joined } from "../../features.ts";
import type { Formats } from "../../i18n/formats.ts";
import type { Language } from "../../i18n/languages.ts";
import { formatMoney } from "../../i18n/money-format.ts";
import type { NameField } from "../../i18n/name-fields.ts";
import { isDay } from "../../ui/forms/day.ts";
import { isMoney, type Money, writeMoney } from "../../values/money.ts";
import { THINGS } from "../access/things.ts";

/** A field's value in an event: a text, an amount of money, or `null` when it is empty. */
export type ChangeValue = string | Money | null;

/** One line of an event's details: a field's old value, its new value, or both. */
export type Change = { field: string; before?: ChangeValue; after?: ChangeValue };

/** A date as JSON writes it. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

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
  "link",
  "signUpMode",
  "allowedDomains",
  "blockedDomains",
  "organizationsAdmit",
  "termsUrl",
  "privacyUrl",
  "termsVersion",
  "managerPasskeys",
  "setUpList",
  "accent",
  "logoLight",
  "logoDark",
  "loginPicture",
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
export type AuditDetails = AuditValues & {
  before?: AuditValues;
  after?: AuditValues;
  /** Ids of objects that the event is about beside its target, by kind. For programs alone. */
  ids?: { [kind: string]: string };
};

type Details = Record<string, unknown> | null;

/** Columns and ids that users never see. */
const INTERNAL = [
  ...["id", "ids", "nameKey", "searchKey", "version", "createdAt", "updatedAt"],
  "teams",
];

/** Returns an event's details as lines. A change shows only the fields that differ; other events show all fields. */
export function changesOf(details: Details): Change[] {
  if (!details) return [];
  const { before, after, ...facts } = details;
  const [old, current] = [asRecord(before), asRecord(after)];
  const isChange = old !== undefined && current !== undefined;
  const fields = [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])];
  const changes = fields.map((field) => ({
    field,
    ...(old && { before: asValue(old[field]) }),
    ...(current && { after: asValue(current[field]) }),
  }));
  return [
    ...changes.filter((change) => !isChange || asText(change.before) !== asText(change.after)),
    ...Object.entries(facts).map(([field, value]) => ({ field, after: asValue(value) })),
  ].filter(({ field }) => !INTERNAL.includes(field));
}

/** Returns the same with every value as a text, for programs. */
export function plainChangesOf(details: Details) {
  return changesOf(details).map(({ field, before, after }) => ({
    field,
    ...(before !== undefined && { before: asText(before) }),
    ...(after !== undefined && { after: asText(after) }),
  }));
}

/** Fields that name a target: of users, organizations, and the things of features. */
const NAMES = ["name", "email", ...Object.values(THINGS).flatMap((thing) => fieldOf(thing?.title))];

/** Returns the field that a column fills. */
function fieldOf(column: string | undefined): string[] {
  if (column === undefined) return [];
  return [column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
}

/** Returns the name of an event's target from its details, for a target that no longer exists. */
export function nameIn(details: Details): string | undefined {
  const records = [asRecord(details?.after), asRecord(details?.before), details ?? undefined];
  return NAMES.flatMap((field) => records.map((record) => record?.[field])).find(
    (value) => typeof value === "string" && value !== "",
  ) as string | undefined;
}

/**
 * Shortens a value at its own end, which a stylesheet would not find in a name of another
 * direction. The export has it in full.
 */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : text;
}

/** Writes a value in the reader's formats. Those of moments have a time zone, those of calendar days have none. */
export function writeValue(
  value: string | Money,
  {
    language,
    moments,
    days,
    length,
  }: { language: Language; moments: Formats; days: Formats; length: number },
): string {
  if (typeof value !== "string") return formatMoney(value, language);
  if (MOMENT.test(value)) return moments.moment(new Date(value));
  return isDay(value) ? days.day(new Date(value)) : shorten(value, length);
}

/** Writes a change as one line of a file. */
export function writeChange({ field, before, after }: Change): string {
  const values = [before, after].filter((value) => value !== undefined);
  return `${field}: ${values.map((value) => asText(value) ?? "-").join(" → ")}`;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : undefined;
}

function asValue(value: unknown): ChangeValue {
  if (value === undefined || value === null || value === "") return null;
  if (isMoney(value)) return value;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function asText(value: ChangeValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : writeMoney(value);
}
