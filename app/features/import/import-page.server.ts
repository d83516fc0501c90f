import { and, asc, eq, gt, isNull, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { rolesOf } from "../access/permissions.ts";
import type { Wrong } from "./check-lines.server.ts";
import { columnsFor } from "./columns.server.ts";
import { IMPORT_FIELDS, SHOWN_WRONG } from "./limits.ts";
import type { ImportedManager } from "./tables.server.ts";
import { userImport, userImportPiece } from "./tables.server.ts";

/** Pieces that are read at a time for the file of wrong lines. */
const PIECES_AT_ONCE = 10;

const { importId, position, lineCount, newCount, knownCount, wrongCount, doneAt } = userImportPiece;

/**
 * Returns the manager's open import with its figures, its people with a manager's role and its first wrong lines; undefined
 * without one.
 */
export async function findOpenImport(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
) {
  const isOpen = and(eq(userImport.userId, userId), isNull(userImport.closedAt));
  const sum = (count: SQLWrapper, which = sql`true`) =>
    sql<number>`coalesce(sum(${count}) FILTER (WHERE ${which}), 0)`;
  const isDone = sql`${doneAt} IS NOT NULL`;
  const field = (name: keyof Wrong) => sql`wrong.value ->> ${sql.raw(`'${name}'`)}`;
  const manager = (name: keyof ImportedManager) =>
    sql<string>`manager.value ->> ${sql.raw(`'${name}'`)}`;
  const [[open], managers, wrong, [pause]] = await db.batch([
    db
      .select({
        id: userImport.id,
        header: userImport.header,
        sessionId: userImport.sessionId,
        readAt: userImport.readAt,
        startedAt: userImport.startedAt,
        finishedAt: userImport.finishedAt,
        lines: sum(lineCount).as("lines"),
        done: sum(lineCount, isDone).as("done"),
        created: sum(newCount, isDone).as("created"),
        left: sum(newCount, sql`${doneAt} IS NULL`).as("left"),
        known: sum(knownCount).as("known"),
        wrong: sum(wrongCount).as("wrong"),
      })
      .from(userImport)
      .leftJoin(userImportPiece, eq(importId, userImport.id))
      .where(isOpen)
      .groupBy(userImport.id),
    db
      .select({ email: manager("email").as("email"), role: manager("role").as("role") })
      .from(
        sql`${userImport} JOIN ${userImportPiece} ON ${importId} = ${userImport.id}, json_each(${userImportPiece.managers}) AS manager`,
      )
      .where(and(isOpen, isNull(userImport.startedAt)))
      .orderBy(asc(position), asc(sql`manager.key`)),
    db
      .select({
        line: sql<number>`${field("line")}`.as("line"),
        field: sql<Wrong["field"]>`${field("field")}`.as("field"),
        value: sql<string>`${field("value")}`.as("value"),
        reason: sql<string>`${field("reason")}`.as("reason"),
      })
      .from(
        sql`${userImport} JOIN ${userImportPiece} ON ${importId} = ${userImport.id}, json_each(${userImportPiece.wrong}) AS wrong`,
      )
      .where(isOpen)
      .orderBy(asc(position), asc(sql`wrong.key`))
      .limit(SHOWN_WRONG),
    selectMailPause(db, now),
  ]);
  if (!open) return undefined;
  const { header, sessionId: readBy, ...figures } = open;
  const columns = header && readHeader(header);
  return {
    ...figures,
    /** True in the session that has read the lines: only it can start the import. */
    isOwn: readBy === sessionId,
    columns,
    managers: managers.map(({ email, role }) => ({ email, roles: rolesOf({ role }) })),
    wrongLines: wrong,
    pausedUntil: pause?.until ?? null,
  };
}

/** Returns which fields a header names, and its other cells. */
function readHeader(header: readonly string[]) {
  const columns = columnsFor(header);
  const places: (number | undefined)[] = Object.values(columns);
  return {
    fields: IMPORT_FIELDS.filter((field) => columns[field] !== undefined),
    others: header.filter((cell, place) => !places.includes(place) && cell.trim() !== ""),
  };
}

export type OpenImport = NonNullable<Awaited<ReturnType<typeof findOpenImport>>>;

/** Returns the header of the manager's open import, null without one; undefined without an import. */
export async function findImportHeader(db: Db, userId: string) {
  const [open] = await db
    .select({ id: userImport.id, header: userImport.header })
    .from(userImport)
    .where(and(eq(userImport.userId, userId), isNull(userImport.closedAt)));
  return open;
}

/** Returns all wrong lines of an import with their cells, some at a time. */
export async function* exportWrongLines(db: Db, id: string) {
  for (let after = -1; ; ) {
    const pieces = await db
      .select({ position, lines: userImportPiece.lines, wrong: userImportPiece.wrong })
      .from(userImportPiece)
      .where(and(eq(importId, id), gt(position, after), gt(wrongCount, 0)))
      .orderBy(asc(position))
      .limit(PIECES_AT_ONCE);
    yield pieces.flatMap(({ lines, wrong }) => {
      const cells = new Map(lines);
      return wrong.map((one) => ({ ...one, cells: cells.get(one.line) ?? [] }));
    });
    const last = pieces.at(-1);
    if (!last || pieces.length < PIECES_AT_ONCE) return;
    after = last.position;
  }
}
