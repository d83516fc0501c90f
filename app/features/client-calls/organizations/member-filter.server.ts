import { eq, gt, gte, lt, lte, ne, not, type SQL, sql } from "drizzle-orm";
import { idsIn } from "../../../db/ids-in.ts";
import { member } from "../../../db/schema/schema.ts";

/** Fields of a member that a client may sort and filter by. */
export const SORTED = {
  id: member.id,
  userId: member.userId,
  organizationId: member.organizationId,
  role: member.role,
  createdAt: member.createdAt,
};

export type FilterField = keyof typeof SORTED;

export const OPERATORS = [
  ...["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in"],
  ...["contains", "starts_with", "ends_with"],
] as const;

export type MemberFilter = {
  filterField?: FilterField;
  filterOperator: (typeof OPERATORS)[number];
  filterValue: string[];
};

const COMPARISONS = { eq, ne, lt, lte, gt, gte };

/** Returns the SQL condition of a client's filter. Not ok without a value, or when a date is no date. */
export function memberFilter({
  filterField,
  filterOperator,
  filterValue,
}: MemberFilter): { ok: true; where: SQL | undefined } | { ok: false } {
  if (!filterField) return { ok: true, where: undefined };
  const column = sql`${SORTED[filterField]}`;
  const values = filterValue.map((value) => (filterField === "createdAt" ? timeOf(value) : value));
  const [value] = values;
  if (value === undefined || values.includes(Number.NaN)) return { ok: false };
  switch (filterOperator) {
    case "in":
      return { ok: true, where: idsIn(column, values) };
    case "not_in":
      return { ok: true, where: not(idsIn(column, values)) };
    // No LIKE: D1 refuses its patterns over 50 bytes.
    case "contains":
      return { ok: true, where: sql`instr(${column}, ${value}) > 0` };
    case "starts_with":
      return { ok: true, where: sql`substr(${column}, 1, length(${value})) = ${value}` };
    case "ends_with":
      return { ok: true, where: sql`substr(${column}, -length(${value})) = ${value}` };
    default:
      return { ok: true, where: COMPARISONS[filterOperator](column, value) };
  }
}

/** Returns a date in milliseconds; NaN for a text that is not a date. */
function timeOf(value: string): number {
  return /^\d+$/.test(value) ? Number(value) : Date.parse(value);
}
