import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { invitation, organization } from "./schema/schema.ts";

/** SQL condition: the organization of a row of `invitation` is neither disabled nor being deleted. */
export const IS_OF_OPEN_ORGANIZATION = sql`EXISTS (
  SELECT 1 FROM ${organization}
  WHERE ${organization.id} = ${invitation.organizationId}
    AND ${organization.disabledAt} IS NULL AND ${organization.deletionDueAt} IS NULL
)`;

/** SQL condition: a row of `invitation` waits for the answer of the person with this e-mail. */
export function isWaiting(email: string | SQLiteColumn, now: Date): SQL | undefined {
  return and(
    eq(invitation.email, email),
    eq(invitation.status, "pending"),
    gt(invitation.expiresAt, now),
    IS_OF_OPEN_ORGANIZATION,
  );
}
