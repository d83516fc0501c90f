import { type SQL, sql } from "drizzle-orm";
import type { EventRow } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { auditEvent } from "../../db/schema/schema.ts";
import type { KeysOf } from "../../features.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditDetails } from "./changes.ts";

export type AuditEntry = {
  action: AuditAction;
  actorId: string | null;
  impersonatorId?: string | null;
  target?: { type: "user" | "mail" | "organization" | KeysOf<"things">; id: string | SQL };
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

/** Returns the audit event of a change, for the batch that makes it. */
export function eventOf(source: AuditSource, entry: AuditEntry): EventRow {
  return {
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
  };
}

/** Returns the audit event of a user's change, with the manager who acts in their name. */
export function eventBy(
  { actorId, impersonatorId, source }: Actor,
  action: AuditAction,
  { target, details }: Pick<AuditEntry, "target" | "details"> = {},
): EventRow {
  return eventOf(source, { action, actorId, impersonatorId, target, details });
}

/** Returns the audit event of what users do to their own account. */
export function ownEvent(
  source: AuditSource,
  userId: string,
  action: AuditAction,
  details?: AuditEntry["details"],
): EventRow {
  return eventOf(source, {
    action,
    actorId: userId,
    target: { type: "user", id: userId },
    details,
  });
}

/**
 * Statement that writes an audit event for each row that the next statement of the same `db.batch` changes. `rows` is
 * what follows SELECT … in the query of these rows; target, details and id may be SQL expressions of it. Returns the
 * targets' ids.
 */
export function auditEach(
  db: Db,
  event: EventRow,
  rows: SQL,
  id = sql`lower(hex(randomblob(16)))`,
) {
  return db
    .insert(auditEvent)
    .select(sql`SELECT ${rowValues(auditEvent, { ...event, id })} ${rows}`)
    .returning({ id: sql<string>`${auditEvent.targetId}` });
}
