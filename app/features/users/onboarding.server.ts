import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { user } from "../../db/schema/schema.ts";
import { type AuditSource, auditChange } from "../audit/audit.server.ts";

/**
 * Sets a new user's name; a name that is already set stays. False when the e-mail changed meanwhile, because the search
 * key holds it too.
 */
export async function onboardUser(
  db: Db,
  source: AuditSource,
  input: {
    userId: string;
    email: string;
    name: string;
    language: string | undefined;
  },
): Promise<boolean> {
  const { userId, email, name, language } = input;
  const [, , found] = await db.batch([
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
      .where(and(eq(user.id, userId), eq(user.email, email), isNull(user.onboardedAt))),
    auditChange(db, source, {
      action: "user.onboarded",
      actorId: userId,
      target: { type: "user", id: userId },
      details: { name },
    }),
    db.select({ onboardedAt: user.onboardedAt }).from(user).where(eq(user.id, userId)),
  ]);
  return Boolean(found[0]?.onboardedAt);
}
