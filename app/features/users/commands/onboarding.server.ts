import { and, eq, isNull, sql } from "drizzle-orm";
import { changeAndRecord, insertEvent } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { user } from "../../../db/schema/schema.ts";
import { type AuditSource, ownEvent } from "../../audit/audit.server.ts";

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
  const { found } = await changeAndRecord(db, {
    change: db
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
    event: ownEvent(source, userId, "user.onboarded", { name }),
    next: (isOnboarded) => ({
      terms: termsVersion
        ? [
            insertEvent(
              db,
              ownEvent(source, userId, "user.terms_accepted", { termsVersion }),
              isOnboarded,
            ),
          ]
        : [],
    }),
    after: {
      found: db.select({ onboardedAt: user.onboardedAt }).from(user).where(eq(user.id, userId)),
    },
  });
  return Boolean(found[0]?.onboardedAt);
}
