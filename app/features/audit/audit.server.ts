import { SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent } from "../../db/schema/schema.ts";
import type { AuditAction } from "./actions.ts";
import type { AuditDetails } from "./changes.ts";

export type AuditEntry = {
  action: AuditAction;
  actorId: string | null;
  impersonatorId?: string | null;
  target?: { type: "user" | "repository" | "mail"; id: string };
  /** What explains the change, or an expression for it. */
  details?: AuditDetails | SQL<string>;
};

/** Where a change came from. */
export type AuditSource = {
  id: string;
  now: () => Date;
  clientAddress: string | undefined;
  userAgent: string | undefined;
  place: string | undefined;
};

/** Who changes something, and from where. */
export type Actor = { actorId: string; impersonatorId: string | null; source: AuditSource };

/**
 * The statement that records a change when the statement before it, in the same `db.batch`, changed something: the
 * change and its record are written together or not at all.
 */
export function auditChange(db: Db, source: AuditSource, entry: AuditEntry) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)} WHERE changes() > 0`);
}

/**
 * The statement that records a change before it is made, by the statement after it in the same `db.batch` and on the same
 * condition: for a deletion, whose record says what was there.
 */
export function auditBefore(db: Db, source: AuditSource, entry: AuditEntry, condition: SQL) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)} WHERE ${condition}`);
}

/** The statement that records what happened outside this database's own writes, as better-auth's deletions do. */
export function auditEventStatement(db: Db, source: AuditSource, entry: AuditEntry) {
  return db.insert(auditEvent).select(sql`SELECT ${valuesOf(source, entry)}`);
}

function detailsOf({ details }: AuditEntry): SQL | string | null {
  if (!details) return null;
  return details instanceof SQL ? details : JSON.stringify(details);
}

/** In the order of the table's columns. */
function valuesOf(source: AuditSource, entry: AuditEntry) {
  const values = [
    crypto.randomUUID(),
    entry.action,
    entry.actorId,
    entry.impersonatorId ?? null,
    entry.target?.type ?? null,
    entry.target?.id ?? null,
    detailsOf(entry),
    source.clientAddress ?? null,
    source.userAgent?.slice(0, 500) ?? null,
    source.id,
    source.now().getTime(),
    source.place ?? null,
  ];
  return sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
}
