import { and, eq, inArray, not, sql } from "drizzle-orm";
import { hasAdminRole } from "../../db/admin-role.ts";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { type AuditSource, auditChange } from "../audit/audit.server.ts";

/**
 * Makes whoever signs in an admin when their verified address is in `ADMIN_EMAILS`. Taking an address off that list
 * demotes nobody.
 */
export async function promoteConfiguredAdmin(
  db: Db,
  source: AuditSource,
  userId: string,
  adminEmails: string[],
): Promise<void> {
  if (adminEmails.length === 0) return;
  await db.batch([
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
    auditChange(db, source, {
      action: "user.promoted",
      actorId: null,
      target: { type: "user", id: userId },
      details: { reason: "ADMIN_EMAILS" },
    }),
  ]);
}
