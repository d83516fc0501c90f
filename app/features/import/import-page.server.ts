import { and, asc, eq, gt, isNotNull, ne, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { rolesOf } from "../access/permissions.ts";
import { cellIn } from "./check-lines.server.ts";
import { columnsFor } from "./columns.server.ts";
import { IMPORT_FIELDS, SHOWN_NEW, SHOWN_WRONG } from "./limits.ts";
import { userImport, userImportLine } from "./tables.server.ts";

/** Wrong lines that are read at a time for their file. */
const LINES_AT_ONCE = 1_000;

const { importId, line, cells, state, role, field, reason } = userImportLine;

type OpenState = Exclude<(typeof userImport.$inferSelect)["state"], "closed">;

/** SQL condition: an import of a user that is not closed. */
function isOpenOf(userId: string) {
  return and(eq(userImport.userId, userId), ne(userImport.state, "closed"));
}

/**
 * Returns the manager's open import with its figures, its people with a manager's role and its
 * first wrong lines; undefined without one.
 */
export async function findOpenImport(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
) {
  const isOpen = isOpenOf(userId);
  const count = (of: (typeof userImportLine.$inferSelect)["state"]) =>
    sql<number>`count(*) FILTER (WHERE ${eq(state, of)})`;
  const isOfOpen = eq(userImport.id, importId);
  const [[open], managers, wrong, first, [pause]] = await db.batch([
    db
      .select({
        id: userImport.id,
        header: userImport.header,
        createdAt: userImport.createdAt,
        invites: userImport.invites,
        sessionId: userImport.sessionId,
        // In a batch two columns of one name would become one.
        state: sql<OpenState>`${userImport.state}`.as("at"),
        lines: sql<number>`count(*)`.as("lines"),
        created: count("made").as("created"),
        left: count("new").as("left"),
        known: count("known").as("known"),
        wrong: count("wrong").as("wrong"),
      })
      .from(userImport)
      .innerJoin(userImportLine, isOfOpen)
      .where(isOpen)
      .groupBy(userImport.id),
    db
      .select({ line, cells, role })
      .from(userImportLine)
      .innerJoin(userImport, isOfOpen)
      .where(and(isOpen, eq(userImport.state, "checked"), isNotNull(role)))
      .orderBy(asc(line)),
    db
      .select({ line, cells, field, reason })
      .from(userImportLine)
      .innerJoin(userImport, isOfOpen)
      .where(and(isOpen, eq(state, "wrong")))
      .orderBy(asc(line))
      .limit(SHOWN_WRONG),
    db
      .select({ line, cells })
      .from(userImportLine)
      .innerJoin(userImport, isOfOpen)
      .where(and(isOpen, eq(userImport.state, "checked"), eq(state, "new")))
      .orderBy(asc(line))
      .limit(SHOWN_NEW),
    selectMailPause(db, now),
  ]);
  if (!open) return undefined;
  const { header, sessionId: readBy, ...figures } = open;
  const columns = columnsFor(header);
  return {
    ...figures,
    /** True in the session that has read the lines: only it can start the import. */
    isOwn: readBy === sessionId,
    columns: header && readHeader(header),
    managers: managers.map((one) => ({
      email: cellIn(columns, one.cells, "email").toLowerCase(),
      roles: rolesOf(one),
    })),
    /** The first new users, as their lines were read. */
    newLines: first.map((one) => ({
      line: one.line,
      values: IMPORT_FIELDS.map((name) => cellIn(columns, one.cells, name)),
    })),
    wrongLines: wrong.map((one) => ({
      line: one.line,
      field: one.field ?? "email",
      value: cellIn(columns, one.cells, one.field ?? "email"),
      reason: one.reason ?? "",
    })),
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
    .where(isOpenOf(userId));
  return open;
}

/** Returns all wrong lines of an import with their cells, some at a time. */
export async function* exportWrongLines(db: Db, id: string) {
  for (let after = 0; ; ) {
    const some = await db
      .select({ line, cells, reason })
      .from(userImportLine)
      .where(and(eq(importId, id), gt(line, after), eq(state, "wrong")))
      .orderBy(asc(line))
      .limit(LINES_AT_ONCE);
    yield some;
    const last = some.at(-1);
    if (!last || some.length < LINES_AT_ONCE) return;
    after = last.line;
  }
}
