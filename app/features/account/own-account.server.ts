import { and, desc, eq, gt } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { account, passkey, session } from "../../db/schema/schema.ts";
import { selectEmailCodes } from "./email-change.server.ts";

const SHOWN_SESSIONS = 50;

/** What the account screen shows of a person besides the person, in one round trip. */
export async function loadOwnAccount(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
) {
  const [sessions, accounts, passkeys, emailCodes] = await db.batch([
    db
      .select({
        id: session.id,
        userAgent: session.userAgent,
        place: session.place,
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
        impersonatedBy: session.impersonatedBy,
      })
      .from(session)
      .where(and(eq(session.userId, userId), gt(session.expiresAt, now)))
      .orderBy(desc(session.createdAt))
      .limit(SHOWN_SESSIONS),
    db
      .select({ id: account.id, providerId: account.providerId, createdAt: account.createdAt })
      .from(account)
      .where(eq(account.userId, userId))
      .orderBy(account.createdAt),
    db
      .select({
        id: passkey.id,
        name: passkey.name,
        backedUp: passkey.backedUp,
        createdAt: passkey.createdAt,
        lastUsedAt: passkey.lastUsedAt,
      })
      .from(passkey)
      .where(eq(passkey.userId, userId))
      .orderBy(desc(passkey.createdAt)),
    selectEmailCodes(db, userId, sessionId),
  ]);
  return { sessions, accounts, passkeys, emailCodes };
}
