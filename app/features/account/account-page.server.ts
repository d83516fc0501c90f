import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import { account, organization, passkey, session } from "../../db/schema/schema.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { CurrentSession } from "../auth/sessions/sessions.server.ts";
import { emailStepOf, selectEmailCodes } from "./email-change.server.ts";

const SHOWN_SESSIONS = 50;

/**
 * Loads the account screen's data beside the user, in one round trip: the sessions, with the current one first, the
 * current step of the change to `newEmail`, and the organizations to hand over before the account can be deleted.
 */
export async function loadOwnAccount(
  db: Db,
  current: CurrentSession,
  { newEmail, panels }: { newEmail: string; panels: readonly BatchItem<"sqlite">[] },
  now: Date,
) {
  const { id: userId, email } = current.user;
  const { id: sessionId } = current.session;
  const [sessions, accounts, passkeys, emailCodes, soleOwned, ...panelRows] = await db.batch([
    db
      .select({
        id: session.id,
        userAgent: session.userAgent,
        place: session.place,
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
        impersonatedBy: session.impersonatedBy,
        total: sql<number>`count(*) OVER ()`.as("total"),
      })
      .from(session)
      .where(and(eq(session.userId, userId), gt(session.expiresAt, now)))
      .orderBy(desc(session.createdAt))
      .limit(SHOWN_SESSIONS),
    db
      .select({
        id: account.id,
        providerId: account.providerId,
        email: account.email,
        createdAt: account.createdAt,
      })
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
    db
      .select({ name: organization.name, slug: organization.slug })
      .from(organization)
      .where(
        sql`${organization.id} IN (SELECT organization_id FROM sole_ownership WHERE user_id = ${userId})`,
      )
      .orderBy(asc(organization.name)),
    ...panels,
  ]);
  return {
    sessions: sessions
      .map(({ userAgent, total, ...shown }) => ({
        ...shown,
        device: describeDevice(userAgent),
        isThisOne: shown.id === sessionId,
      }))
      .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne)),
    sessionCount: sessions[0]?.total ?? 0,
    accounts,
    passkeys,
    soleOwned,
    panelRows,
    emailStep: emailStepOf(emailCodes, { email, newEmail }, now),
  };
}
