import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { readOf } from "../../db/read.server.ts";
import { auditEvent, user } from "../../db/schema/schema.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { AuditAction } from "./actions.ts";

/** Events that begin, end or forbid a sign-in. */
const SIGN_IN_EVENTS = [
  "user.created",
  "user.signed_in",
  "user.banned",
  "user.unbanned",
  "user.mail_allowed",
  "user.email_changed",
  "user.deletion_started",
  "session.revoked_all",
] as const satisfies readonly AuditAction[];

/** Reads the events about the sign-in of the user with an e-mail, the newest first. */
export function signInEventsOf(email: string, since: Date) {
  const userId = sql`(SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${email})`;
  return readOf(
    (db) =>
      db
        .select({
          action: auditEvent.action,
          createdAt: auditEvent.createdAt,
          ipAddress: auditEvent.ipAddress,
          userAgent: auditEvent.userAgent,
          place: auditEvent.place,
          requestId: auditEvent.requestId,
        })
        .from(auditEvent)
        .where(
          and(
            eq(auditEvent.targetId, userId),
            gt(auditEvent.createdAt, since),
            inArray(auditEvent.action, [...SIGN_IN_EVENTS]),
          ),
        )
        .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
        .limit(200),
    (rows) =>
      rows.map(({ ipAddress, userAgent, place, ...event }) => ({
        ...event,
        origin: { ipAddress, place, device: describeDevice(userAgent) },
      })),
  );
}

/** Finds a user's e-mail by the user's id, or by the id of a request by or about the user. */
export async function findEmailOf(db: Db, reference: string): Promise<string | undefined> {
  const ofRequest = (column: SQL) =>
    sql`SELECT ${column} FROM ${auditEvent} INDEXED BY audit_event_request WHERE ${auditEvent.requestId} = ${reference}`;
  const [found] = await db
    .select({ email: user.email })
    .from(user)
    .where(
      sql`${user.id} IN (SELECT ${reference} UNION ${ofRequest(sql`${auditEvent.actorId}`)} UNION ${ofRequest(sql`${auditEvent.targetId}`)})`,
    )
    // A manager's request is about the other person.
    .orderBy(sql`${user.id} IN (${ofRequest(sql`${auditEvent.targetId}`)}) DESC`)
    .limit(1);
  return found?.email;
}
