import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { boundedD1, isUnavailable } from "./bounded-d1.server.ts";
import { signInCode } from "./schema/schema.ts";

export function createDb(d1: D1Database) {
  return drizzle(d1);
}

export type Db = ReturnType<typeof createDb>;

/** Connects the product to its database: requests, cron and objects alike. Tools of operators use `createDb`. */
export function connectDb(d1: D1Database): Db {
  return createDb(boundedD1(d1));
}

/**
 * True when an error or one of its causes is a broken UNIQUE constraint; with `column` ("user.email"), only on
 * that column.
 */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("UNIQUE constraint failed")) {
      return column === undefined || cause.message.includes(column);
    }
  }
  return false;
}

/** True when an error comes from a statement or a batch, and not from the code around it. */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof DrizzleQueryError || isUnavailable(error)) return true;
  // Drizzle does not wrap what D1 throws for a batch.
  return error instanceof Error && error.message.startsWith("D1_ERROR");
}

/** Runs the cheapest query on the newest schema. Throws when the database does not answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.select({ id: signInCode.id }).from(signInCode).limit(1);
}

/** True when an error or one of its causes is a trigger's error with this name. */
export function isRuleViolation(
  error: unknown,
  rule:
    | "LAST_ADMIN"
    | "SOLE_OWNER"
    | "BANNED_USER"
    | "EMAIL_NOT_VERIFIED"
    | "PASSKEY_LIMIT"
    | "PASSKEY_COUNTER"
    | "PASSKEY_REMOVED"
    | "INVITATION_LINK_USED_UP",
): boolean {
  return ruleOf(error, [rule]) !== undefined;
}

/** Returns the trigger's name in an error or one of its causes, if it is one of these. */
export function ruleOf<Rule extends string>(
  error: unknown,
  rules: readonly Rule[],
): Rule | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { message } = cause;
    const rule = rules.find((name) => message.includes(`${name}: SQLITE_CONSTRAINT`));
    if (rule) return rule;
  }
  return undefined;
}
