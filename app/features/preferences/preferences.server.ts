import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";
import { type AuditSource, ownEvent } from "../audit/audit.server.ts";

type Kept = { id: string; language: string | null; theme: string | null };

/**
 * Saves a choice on the user and records it, so that new devices and mails use it. An equal choice changes and records
 * nothing. The version stays, so that a manager's open form does not become a conflict.
 */
export async function keepPreference(
  db: Db,
  source: AuditSource,
  before: Kept,
  kind: "language" | "theme",
  value: string,
): Promise<void> {
  await changeAndRecord(db, {
    change: db
      .update(user)
      .set(kind === "language" ? { language: value } : { theme: value })
      .where(and(eq(user.id, before.id), sql`${user[kind]} IS NOT ${value}`)),
    event: ownEvent(source, before.id, `user.${kind}_changed`, {
      before: { [kind]: before[kind] },
      after: { [kind]: value },
    }),
  });
}
