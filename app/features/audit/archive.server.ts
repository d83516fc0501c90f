import { and, asc, desc, eq, lt, min, type SQL, sql } from "drizzle-orm";
import { type Db, isAnyRuleViolation } from "../../db/db.server.ts";
import { auditArchive, auditEvent } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import {
  type ArchivedEvent,
  archiveKey,
  encodeArchive,
  sha256Of,
  withoutPersonalData,
} from "./archive-file.ts";

const EVENTS_PER_FILE = 5_000;
/** So that one run stays within the time and the memory of an invocation; the next run continues. */
const FILES_PER_RUN = 3;

type ArchiveRow = typeof auditArchive.$inferSelect;

type Retention = { keepDays: number; now: Date };

/**
 * Moves audit events older than `keepDays` to the bucket, the oldest first, in whole days (UTC). Returns the number of
 * moved events. A file is stored and read back before its events leave the database, and they leave in the batch that
 * records the file. So a run that stops anywhere loses nothing: the next run writes the same file under the same key.
 */
export async function archiveAudit(
  db: Db,
  bucket: R2Bucket,
  { keepDays, now }: Retention,
): Promise<number> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const until = new Date(today - keepDays * DAY_MS);
  let moved = 0;
  for (let file = 0; file < FILES_PER_RUN; file++) {
    const events = await archiveNext(db, bucket, until, now);
    moved += events;
    if (events < EVENTS_PER_FILE) break;
  }
  return moved;
}

/** Moves the next file of events. Returns their number; 0 when none is due or another run was faster. */
async function archiveNext(db: Db, bucket: R2Bucket, until: Date, now: Date): Promise<number> {
  const [previous] = await db
    .select()
    .from(auditArchive)
    .orderBy(desc(auditArchive.sequence))
    .limit(1);
  const events = await selectOldest(db, previous, until);
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return 0;

  const sequence = (previous?.sequence ?? 0) + 1;
  const header = { sequence, previous: previous?.sha256 ?? null, events: events.length };
  const bytes = await encodeArchive({ format: "gatehouse-audit-1", ...header }, events);
  const sha256 = await sha256Of(bytes);
  const { prefix, key } = archiveKey(sequence, first.created_at, last.created_at, sha256);
  await storeFile(bucket, key, bytes, sha256);
  const row = {
    ...{ sequence, objectKey: key, events: events.length, sha256, createdAt: now },
    ...{ firstAt: new Date(first.created_at), firstId: first.id },
    ...{ lastAt: new Date(last.created_at), lastId: last.id },
    previousSha256: header.previous,
  };
  if (!(await moveEvents(db, row))) return 0;
  log("info", "audit.archived", { sequence, events: events.length });
  await deleteOtherTries(bucket, prefix, key);
  return events.length;
}

/**
 * Selects the oldest events that are due, after the end of the archive. An event that was written later with an earlier
 * time stays in the database, because the files are in the order of time.
 */
async function selectOldest(
  db: Db,
  previous: ArchiveRow | undefined,
  until: Date,
): Promise<ArchivedEvent[]> {
  const isAfter = previous && sql`${POSITION} > (${previous.lastAt.getTime()}, ${previous.lastId})`;
  const rows = await db
    .select()
    .from(auditEvent)
    .where(and(isAfter, lt(auditEvent.createdAt, until)))
    .orderBy(asc(auditEvent.createdAt), asc(auditEvent.id))
    .limit(EVENTS_PER_FILE);
  return rows.map((row) =>
    withoutPersonalData({
      ...{ id: row.id, action: row.action, actor_id: row.actorId, details: row.details },
      ...{ impersonator_id: row.impersonatorId, target_type: row.targetType },
      ...{ target_id: row.targetId, request_id: row.requestId },
      created_at: row.createdAt.getTime(),
    }),
  );
}

/** The order of `audit_event` and of the archive. */
const POSITION: SQL = sql`(${auditEvent.createdAt}, ${auditEvent.id})`;

/** Stores a file and checks that the bucket has it whole. A run that stopped may have stored it already. */
async function storeFile(
  bucket: R2Bucket,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
): Promise<void> {
  if (await isStored(bucket, key, sha256)) return;
  await bucket.put(key, bytes, { sha256, httpMetadata: { contentType: "application/gzip" } });
  if (!(await isStored(bucket, key, sha256))) {
    throw new Error("The bucket does not have the file of the audit archive that was stored");
  }
}

async function isStored(bucket: R2Bucket, key: string, sha256: string): Promise<boolean> {
  const object = await bucket.get(key);
  return object !== null && (await sha256Of(new Uint8Array(await object.arrayBuffer()))) === sha256;
}

/** Records a file and deletes its events. Returns false, and changes nothing, when another run was faster. */
async function moveEvents(db: Db, row: Omit<ArchiveRow, "removed">): Promise<boolean> {
  try {
    await db.batch([
      db.insert(auditArchive).values(row),
      db
        .delete(auditEvent)
        .where(
          sql`${POSITION} BETWEEN (${row.firstAt.getTime()}, ${row.firstId}) AND (${row.lastAt.getTime()}, ${row.lastId})`,
        ),
      // Refused by the table unless exactly the file's events were deleted.
      db
        .update(auditArchive)
        .set({ removed: sql`changes()` })
        .where(eq(auditArchive.sequence, row.sequence)),
    ]);
    return true;
  } catch (error) {
    if (!isAnyRuleViolation(error)) throw error;
    log("warn", "audit.not_archived", { sequence: row.sequence, ...describeError(error) });
    return false;
  }
}

/** Deletes the files that earlier runs stored under this number and never recorded. */
async function deleteOtherTries(bucket: R2Bucket, prefix: string, key: string): Promise<void> {
  const { objects } = await bucket.list({ prefix });
  const others = objects.map((object) => object.key).filter((name) => name !== key);
  if (others.length > 0) await bucket.delete(others);
}

/** State of the audit log's retention, for the system page. */
export type AuditRetention = {
  /** False without a bucket: then nothing is removed. */
  isArchived: boolean;
  keepDays: number;
  /** Time of the oldest event in the database. */
  oldestAt: Date | undefined;
  files: number;
  archivedEvents: number;
  lastFile: { key: string; at: Date; endsAt: Date } | undefined;
};

/** Statement that selects the state of the retention, for a batch. Pass its row to `describeRetention`. */
export function selectRetention(db: Db) {
  return db
    .select({
      oldestAt: sql<number | null>`(SELECT ${min(auditEvent.createdAt)} FROM ${auditEvent})`.as(
        "oldest_at",
      ),
      files: sql<number>`count(*)`.as("files"),
      archivedEvents: sql<number>`coalesce(sum(${auditArchive.events}), 0)`.as("archived_events"),
      key: sql<string | null>`max(${auditArchive.objectKey})`.as("last_key"),
      at: sql<number | null>`max(${auditArchive.createdAt})`.as("archived_at"),
      endsAt: sql<number | null>`max(${auditArchive.lastAt})`.as("ends_at"),
    })
    .from(auditArchive);
}

/** Describes the state of the retention. */
export function describeRetention(
  row: Awaited<ReturnType<typeof selectRetention>>[number] | undefined,
  { keepDays, hasBucket }: { keepDays: number; hasBucket: boolean },
): AuditRetention {
  const { key, at, endsAt, oldestAt } = row ?? {};
  return {
    isArchived: hasBucket,
    keepDays,
    oldestAt: oldestAt ? new Date(oldestAt) : undefined,
    files: row?.files ?? 0,
    archivedEvents: row?.archivedEvents ?? 0,
    lastFile: key && at && endsAt ? { key, at: new Date(at), endsAt: new Date(endsAt) } : undefined,
  };
}
