import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { codeFailure } from "./schema/schema.ts";

/** Drizzle over a D1 database. */
export function createDb(d1: D1Database) {
  return drizzle(d1);
}

export type Db = ReturnType<typeof createDb>;

/** Whether an error, or what caused it, is a broken UNIQUE constraint; with `column`, of that one ("repository.name_key"). */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("UNIQUE constraint failed")) {
      return column === undefined || cause.message.includes(column);
    }
  }
  return false;
}

/** Whether an error comes from a statement or a batch, and not from the code around it. */
export function isDatabaseError(error: unknown): boolean {
  if (error instanceof DrizzleQueryError) return true;
  // Drizzle hands on what D1 throws of a batch.
  return error instanceof Error && error.message.startsWith("D1_ERROR");
}

/** Asks the database the cheapest question about the newest schema. Throws when it cannot answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.select({ id: codeFailure.mailbox }).from(codeFailure).limit(1);
}

/** Whether an error, or what caused it, is a rule of the database's own, or a broken constraint. */
export function isAnyRuleViolation(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("SQLITE_CONSTRAINT")) return true;
  }
  return false;
}

/** Whether an error, or what caused it, is a rule of the database's own: one that a trigger raises under this name. */
export function isRuleViolation(
  error: unknown,
  rule:
    | "LAST_ADMIN"
    | "SOLE_OWNER"
    | "BANNED_USER"
    | "PROOF_SPENT"
    | "EMAIL_NOT_VERIFIED"
    | "PASSKEY_LIMIT"
    | "PASSKEY_COUNTER",
): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(`${rule}: SQLITE_CONSTRAINT`)) return true;
  }
  return false;
}
