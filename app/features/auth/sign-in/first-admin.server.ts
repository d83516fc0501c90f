import { and, eq, inArray, not, sql } from "drizzle-orm";
import { hasAdminRole } from "../../../db/admin-role.ts";
import { recordedChange } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { rolesOf } from "../../access/permissions.ts";
import { type AuditSource, eventOf } from "../../audit/audit.server.ts";

/**
 * Returns the statements that make a user an admin when their verified e-mail is in `ADMIN_EMAILS`, for a batch of a
 * sign-in. Removing an e-mail from the list demotes no one.
 */
export function promotion(db: Db, source: AuditSource, userId: string, adminEmails: string[]) {
  return recordedChange(
    db,
    db
      .update(user)
      .set({
        role: sql`CASE ${user.role} WHEN 'user' THEN 'admin' ELSE 'admin,' || ${user.role} END`,
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(
        and(
          eq(user.id, userId),
          inArray(user.email, adminEmails),
          eq(user.emailVerified, true),
          not(hasAdminRole(user.role)),
        ),
      ),
    eventOf(source, {
      action: "user.promoted",
      actorId: null,
      target: { type: "user", id: userId },
    }),
  );
}

/** Returns a user's role after the promotion. */
export function promotedRole(role: string): string {
  if (rolesOf({ role }).includes("admin")) return role;
  return role === "user" ? "admin" : `admin,${role}`;
}
