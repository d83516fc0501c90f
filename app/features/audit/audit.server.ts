import { type SQL, sql } from "drizzle-orm";
import { CHANGED } from "../../db/changed-rows.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { auditEvent } from "../../db/schema/schema.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditDetails } from "./changes.ts";

export type AuditEntry = {
  action: AuditAction;
  actorId: string | null;
  impersonatorId?: string | null;
  target?: { type: "user" | "repository" | "mail" | "organization"; id: string | SQL };
  /** Details of the change, or an SQL expression for them. */
  details?: AuditDetails | SQL<string>;
};

/** The request that a change came from. */
export type AuditSource = {
  id: string;
  now: () => Date;
  clientIpAddress: string | undefined;
  userAgent: string | undefined;
  location: string | undefined;
};

/** Returns the source of a change that the cron makes. */
export function cronSource(now: Date): AuditSource {
  return {
    id: "cron",
    now: () => now,
    clientIpAddress: undefined,
    userAgent: undefined,
    location: undefined,
  };
}

/** The user who makes a change, and the request it came from. */
export type Actor = { actorId: string; impersonatorId: string | null; source: AuditSource };

/**
 * Statement that writes an audit event if the previous statement of the same `db.batch` changed a row. The change and
 * its record are written together or not at all.
 */
export function auditChange(db: Db, source: AuditSource, entry: AuditEntry) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)} WHERE ${CHANGED}`);
}

/**
 * Statement that writes an audit event before the next statement of the same `db.batch`, which has the same condition.
 * For deletions, because the record holds the deleted values.
 */
export function auditBefore(db: Db, source: AuditSource, entry: AuditEntry, condition: SQL) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)} WHERE ${condition}`);
}

/**
 * Statement that writes an audit event for a change that is not one of our own writes, such as better-auth's
 * deletions.
 */
export function auditEventStatement(db: Db, source: AuditSource, entry: AuditEntry) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)}`);
}

function valuesOf(source: AuditSource, entry: AuditEntry) {
  return rowValues(auditEvent, {
    id: crypto.randomUUID(),
    action: entry.action,
    actorId: entry.actorId,
    impersonatorId: entry.impersonatorId ?? null,
    targetType: entry.target?.type ?? null,
    targetId: entry.target?.id ?? null,
    details: entry.details ?? null,
    ipAddress: source.clientIpAddress ?? null,
    userAgent: source.userAgent?.slice(0, 500) ?? null,
    requestId: source.id,
    createdAt: source.now(),
    place: source.location ?? null,
  });
}
