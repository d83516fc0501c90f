import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { user } from "../../../db/schema/schema.ts";
import { type AuditSource, auditBefore, auditChange } from "../../audit/audit.server.ts";

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
    /** The version of the terms that the user accepts; undefined when no one is asked. */
    termsVersion: string | undefined;
  },
): Promise<boolean> {
  const { userId, email, name, language, termsVersion } = input;
  const now = source.now();
  const target = { type: "user", id: userId } as const;
  const [, , found] = await db.batch([
    db
      .update(user)
      .set({
        name,
        searchKey: searchKey(name, email),
        language,
        onboardedAt: now,
        updatedAt: now,
        ...(termsVersion && { termsVersion, termsAcceptedAt: now }),
        version: sql`${user.version} + 1`,
      })
      .where(and(eq(user.id, userId), eq(user.email, email), isNull(user.onboardedAt))),
    auditChange(db, source, {
      action: "user.onboarded",
      actorId: userId,
      target,
      details: { name },
    }),
    db.select({ onboardedAt: user.onboardedAt }).from(user).where(eq(user.id, userId)),
    ...(termsVersion ? [acceptance(termsVersion)] : []),
  ]);
  return Boolean(found[0]?.onboardedAt);

  /** The same batch set the name, so this is the user's own acceptance and not an earlier one. */
  function acceptance(version: string) {
    const action = "user.terms_accepted";
    const entry = { action, actorId: userId, target, details: { termsVersion: version } } as const;
    const isNew = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${and(eq(user.id, userId), eq(user.onboardedAt, now))})`;
    return auditBefore(db, source, entry, isNew);
  }
}
