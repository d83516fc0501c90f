import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import {
  account,
  auditEvent,
  member,
  organization,
  passkey,
  session,
  user,
} from "../../db/schema/schema.ts";
import { selectMethodsQuestion } from "./user-sign-in-methods.server.ts";

const SHOWN_EVENTS = 20;

/**
 * Loads a user with everything the user's screen shows, in one round trip. `methods.isAsked` is true when passkeys or
 * linked accounts are left from before a manager changed the e-mail.
 */
export async function findUserDetail(db: Db, id: string, now: Date) {
  const [users, sessions, accounts, passkeys, questions, organizations, activity] = await db.batch([
    db.select().from(user).where(eq(user.id, id)),
    db
      .select({
        id: session.id,
        userAgent: session.userAgent,
        place: session.place,
        ipAddress: session.ipAddress,
        isImpersonated: sql<number>`${session.impersonatedBy} IS NOT NULL`
          .mapWith(Boolean)
          .as("is_impersonated"),
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
      })
      .from(session)
      .where(and(eq(session.userId, id), gt(session.expiresAt, now)))
      .orderBy(desc(session.createdAt))
      .limit(50),
    db
      .select({ provider: account.providerId, createdAt: account.createdAt })
      .from(account)
      .where(eq(account.userId, id)),
    db
      .select({ id: passkey.id, name: passkey.name, createdAt: passkey.createdAt })
      .from(passkey)
      .where(eq(passkey.userId, id)),
    selectMethodsQuestion(db, id),
    db
      .select({ id: organization.id, name: organization.name, role: member.role })
      .from(member)
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(eq(member.userId, id)),
    db
      .select({
        id: auditEvent.id,
        action: auditEvent.action,
        actorId: auditEvent.actorId,
        createdAt: auditEvent.createdAt,
      })
      .from(auditEvent)
      .where(and(eq(auditEvent.targetType, "user"), eq(auditEvent.targetId, id)))
      .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
      .limit(SHOWN_EVENTS),
  ]);
  const [row] = users;
  const hasMethods = accounts.length + passkeys.length > 0;
  const methods = { accounts, passkeys, isAsked: hasMethods && questions[0]?.isOpen === true };
  return row && { user: row, sessions, methods, organizations, activity };
}
