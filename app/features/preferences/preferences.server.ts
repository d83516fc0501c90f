import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { type AuditSource, auditChange } from "../audit/audit.server.ts";

type Kept = { id: string; language: string | null; theme: string | null };

/**
 * Keeps a choice on the user and records it, so that a new device starts with it and mails follow. The choice that is
 * kept already changes and records nothing. The version stays: no form of a manager goes stale over it.
 */
export async function keepPreference(
  db: Db,
  source: AuditSource,
  before: Kept,
  kind: "language" | "theme",
  value: string,
): Promise<void> {
  const actorId = before.id;
  await db.batch([
    db
      .update(user)
      .set(kind === "language" ? { language: value } : { theme: value })
      .where(and(eq(user.id, actorId), sql`${user[kind]} IS NOT ${value}`)),
    auditChange(db, source, {
      action: `user.${kind}_changed`,
      actorId,
      target: { type: "user", id: actorId },
      details: { before: { [kind]: before[kind] }, after: { [kind]: value } },
    }),
  ]);
}
