import { eq } from "drizzle-orm";
import { type Db, isRuleViolation, isUniqueViolation } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { AuditAction } from "../../audit/actions.ts";
import { type Actor, type AuditEntry, eventBy } from "../../audit/audit.server.ts";

/** Error codes of a refused change. A database trigger protects the last admin, even from two simultaneous requests. */
export type UserRefusal =
  | "not_found"
  | "not_banned"
  | "not_refusing"
  | "email_taken"
  | "email_domain"
  | "listed_email"
  | "listed_admin"
  | "listed_new_email"
  | "conflict"
  | "own_role"
  | "own_email"
  | "yourself"
  | "last_admin"
  | "sole_owner"
  | "signed_in"
  | "no_methods"
  | "no_release"
  | "nothing_to_keep"
  | "newer_change"
  | "invited_recently"
  | "invited_often"
  | "too_many";

export function messageOf(error: UserRefusal): CheckedMessage {
  switch (error) {
    case "not_found":
      return "users:bulk.gone";
    case "too_many":
      return "common:selection.rest";
    case "own_email":
      return "users:ownEmailHint";
    default:
      return `users:refusal.${error}`;
  }
}

export type Result = { ok: true; id: string } | { ok: false; error: UserRefusal };

/** Returns the audit event of a manager's change of a user. */
export function userEvent(
  actor: Actor,
  action: AuditAction,
  id: string,
  details?: AuditEntry["details"],
) {
  return eventBy(actor, action, { target: { type: "user", id }, details });
}

/** Statement that finds out whether a user exists. */
export function selectId(db: Db, id: string) {
  return db.select({ id: user.id }).from(user).where(eq(user.id, id));
}

/**
 * Runs a change. The callback returns an error code when it changed nothing; errors of database rules become error
 * codes too.
 */
export async function attempt(
  id: string,
  change: () => Promise<true | UserRefusal>,
): Promise<Result> {
  try {
    const result = await change();
    return result === true ? { ok: true, id } : { ok: false, error: result };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return { ok: false, error: refusal };
    throw error;
  }
}

/** Returns the error code of a database rule; undefined for any other error. */
export function refusalOf(error: unknown): UserRefusal | undefined {
  if (isUniqueViolation(error, "user.email")) return "email_taken";
  if (isRuleViolation(error, "LAST_ADMIN")) return "last_admin";
  if (isRuleViolation(error, "SOLE_OWNER")) return "sole_owner";
  return undefined;
}
