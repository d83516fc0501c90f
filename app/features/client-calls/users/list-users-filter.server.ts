import { not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { foldForSearch } from "../../../db/fold.ts";
import { user } from "../../../db/schema/schema.ts";
import { ROLES } from "../../access/role-names.ts";
import { roleIs } from "../../users/commands/user-roles.server.ts";

/** Lines of the search key: the name, when there is one, then the e-mail. */
const BREAK = sql`instr(${user.searchKey}, char(10))`;
const FOLDED = {
  name: sql`substr(${user.searchKey}, 1, max(${BREAK} - 1, 0))`,
  email: sql`substr(${user.searchKey}, ${BREAK} + 1)`,
};

const TEXTS = { id: user.id, email: user.email, name: user.name };
const FLAGS = { banned: user.banned, emailVerified: user.emailVerified };
const MOMENTS = {
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
  lastSeenAt: user.lastSeenAt,
  onboardedAt: user.onboardedAt,
  banExpires: user.banExpires,
};

/** D1 binds up to 100 values a statement. */
const MAX_VALUES = 50;

/** Filter parameters of better-auth's user list. A list of values repeats the parameter. */
export const UserFilterQuery = z.object({
  filterField: z.string().default("email"),
  filterValue: z.array(z.string()).max(MAX_VALUES).optional(),
  filterOperator: z
    .enum([
      ...["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in"],
      ...["contains", "starts_with", "ends_with"],
    ] as const)
    .default("eq"),
});

type Filter = z.infer<typeof UserFilterQuery>;

type Operator = Filter["filterOperator"];

type Condition = { ok: true; where: SQL | undefined } | { ok: false };

const REFUSED: Condition = { ok: false };

/** SQL condition: the name or e-mail contains, begins with or ends with a term, ignoring case and accents. */
export function matchField(
  field: "name" | "email",
  operator: "contains" | "starts_with" | "ends_with",
  text: string,
): SQL {
  return match(FOLDED[field], operator, foldForSearch(text));
}

/**
 * Returns the SQL condition of a filter; none without a value. Not ok when field, operator and value do not fit
 * together.
 */
export function filterOf({
  filterField,
  filterOperator: operator,
  filterValue,
}: Filter): Condition {
  if (!filterValue) return { ok: true, where: undefined };
  const isList = operator === "in" || operator === "not_in";
  if (!isList && filterValue.length > 1) return REFUSED;
  const where = conditionOf(filterField, operator, filterValue);
  return where ? { ok: true, where } : REFUSED;
}

function conditionOf(field: string, operator: Operator, values: string[]): SQL | undefined {
  const [value = ""] = values;
  if (field === "role") return compare(operator, values, isNamedRole);
  if (isKeyOf(FLAGS, field)) return compare(operator, values, (one) => flagIs(FLAGS[field], one));
  if (isKeyOf(MOMENTS, field)) return momentOf(MOMENTS[field], operator, value);
  if (!isKeyOf(TEXTS, field)) return undefined;
  if (operator === "contains" || operator === "starts_with" || operator === "ends_with") {
    return field === "id"
      ? match(sql`${user.id}`, operator, value)
      : matchField(field, operator, value);
  }
  return compare(operator, values, (one) => sql`${TEXTS[field]} = ${one}`);
}

/**
 * Returns a condition for the operators eq, ne, in and not_in; undefined for another operator or a value the field
 * cannot have.
 */
function compare(
  operator: Operator,
  values: string[],
  is: (value: string) => SQL | undefined,
): SQL | undefined {
  if (!["eq", "ne", "in", "not_in"].includes(operator)) return undefined;
  const conditions = values.map(is).filter((condition) => condition !== undefined);
  if (conditions.length < values.length) return undefined;
  const isOneOf = or(...conditions);
  return isOneOf && (operator === "ne" || operator === "not_in" ? not(isOneOf) : isOneOf);
}

function isNamedRole(name: string): SQL | undefined {
  const role = ROLES.find((known) => known === name);
  return role && roleIs(role);
}

function flagIs(column: SQLiteColumn, value: string): SQL | undefined {
  // A literal instead of a bound value, because only then SQLite can use a partial index.
  if (value === "true") return sql`${column} = 1`;
  return value === "false" ? sql`${column} = 0` : undefined;
}

const COMPARISONS = { eq: "IS", ne: "IS NOT", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** Compares a date: ISO 8601, or milliseconds since 1970. */
function momentOf(column: SQLiteColumn, operator: Operator, value: string): SQL | undefined {
  if (!isKeyOf(COMPARISONS, operator)) return undefined;
  const time = new Date(/^-?\d{1,16}$/.test(value) ? Number(value) : unquoted(value)).getTime();
  if (Number.isNaN(time)) return undefined;
  return sql`${column} ${sql.raw(COMPARISONS[operator])} ${time}`;
}

/** Removes the quotes that better-auth's client adds when it writes a Date as JSON. */
function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/, "$1");
}

function match(text: SQL, operator: "contains" | "starts_with" | "ends_with", term: string): SQL {
  if (operator === "contains") return sql`instr(${text}, ${term}) > 0`;
  const length = sql`length(${term})`;
  return operator === "starts_with"
    ? sql`substr(${text}, 1, ${length}) = ${term}`
    : sql`substr(${text}, -${length}) = ${term}`;
}

function isKeyOf<T extends object>(record: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(record, name);
}
