import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { invitation, member } from "../../db/schema/schema.ts";

/**
 * Statement that selects whether an organization has neither another member nor a pending
 * invitation.
 */
export function selectIsAlone(db: Db, organizationId: string, userId: string) {
  const exists = (table: typeof member | typeof invitation, where: SQL | undefined) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${where})`;
  const others = exists(
    member,
    and(eq(member.organizationId, organizationId), ne(member.userId, userId)),
  );
  const invited = exists(
    invitation,
    and(eq(invitation.organizationId, organizationId), eq(invitation.status, "pending")),
  );
  return db
    .select({ isAlone: sql<number>`NOT (${others} OR ${invited})`.as("is_alone") })
    .from(sql`(SELECT 1)`);
}
