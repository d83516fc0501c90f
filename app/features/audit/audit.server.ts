import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
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

/** The events of one change of many rows. `targetId` and `details` are SQL expressions for each row of `rows`. */
type ManyEntries = Omit<AuditEntry, "target" | "details"> & {
  target: { type: "user" | "repository" | "organization"; id: SQL | SQLWrapper };
  details?: SQL<string>;
  /** The event's id; a random one by default. */
  id?: SQL;
  /** SQL: what follows SELECT … in the query of the rows that the next statement of the batch changes. */
  rows: SQL;
};

/**
 * Statement that writes an audit event for each row of a query, before the next statement of the same `db.batch` changes
 * these rows. It returns the ids of the rows.
 */
export function auditEach(
  db: Db,
  source: AuditSource,
  { rows, id, target, details, ...entry }: ManyEntries,
) {
  const values = valuesOf(source, {
    ...entry,
    id: id ?? sql`lower(hex(randomblob(16)))`,
    target: { type: target.type, id: sql`${target.id}` },
    details,
  });
  return db
    .insert(auditEvent)
    .select(sql`SELECT ${values} ${rows}`)
    .returning({ id: sql<string>`${auditEvent.targetId}` });
}

/**
 * Statement that writes an audit event for a change that is not one of our own writes, such as better-auth's
 * deletions.
 */
export function auditEventStatement(db: Db, source: AuditSource, entry: AuditEntry) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)}`);
}

function valuesOf(source: AuditSource, entry: AuditEntry & { id?: SQL }) {
  return rowValues(auditEvent, {
    id: entry.id ?? crypto.randomUUID(),
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
