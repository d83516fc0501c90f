import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { user } from "../../db/schema/schema.ts";
import { type AuditSource, auditChange } from "../audit/audit.server.ts";

/** Gives a new user their name, once: whoever is onboarded already keeps what they have. */
export async function onboardUser(
  db: Db,
  source: AuditSource,
  input: {
    userId: string;
    email: string;
    name: string;
    language: string | undefined;
  },
): Promise<void> {
  const { userId, email, name, language } = input;
  await db.batch([
    db
      .update(user)
      .set({
        name,
        searchKey: searchKey(name, email),
        language,
        onboardedAt: source.now(),
        updatedAt: source.now(),
        version: sql`${user.version} + 1`,
      })
      .where(and(eq(user.id, userId), isNull(user.onboardedAt))),
    auditChange(db, source, {
      action: "user.onboarded",
      actorId: userId,
      target: { type: "user", id: userId },
      details: { name },
    }),
  ]);
}
