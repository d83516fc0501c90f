import { and, eq, gt, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import type { Language } from "../../i18n/languages.ts";
import { DAY_MS } from "../../values/time.ts";
import { can, type RoleHolder } from "../access/permissions.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { type Checked, type CheckRules, checkLines } from "./check-lines.server.ts";
import { columnsFor, columnsOf } from "./columns.server.ts";
import { IMPORT_LIMITS } from "./limits.ts";
import type { Line } from "./read-lines.server.ts";
import { userImport, userImportLine } from "./tables.server.ts";

export type Importer = {
  actor: Actor;
  manager: RoleHolder;
  sessionId: string;
  /** True when the manager has proved who they are shortly before. */
  isProved: boolean;
};

/**
 * `empty`: there is no line but the names of the columns. `gone`: the import was closed or deleted
 * meanwhile. `running`: another import of the manager is not finished. `waiting`: lines that
 * another session of the manager has read wait for their start. `unproved`: a line has a manager's
 * role, and the manager has not proved who they are. `tooMany` and `limit`: it, or the hour, has
 * too many lines.
 */
export type ImportRefusal =
  | "empty"
  | "gone"
  | "running"
  | "waiting"
  | "unproved"
  | "tooMany"
  | "limit";

type Result = { ok: true } | { ok: false; error: ImportRefusal };

/** Most characters of lines in one bound value, of which D1 takes two million bytes. */
const VALUE_CHARACTERS = 500_000;

/**
 * Checks the lines of a file and keeps them until the import, all or none. They replace an earlier
 * import of the manager, unless that one makes users, or waits for its start in another session:
 * lines that the manager has checked there are not replaced unseen.
 */
export async function keepLines(
  rules: CheckRules,
  { actor, manager, sessionId, isProved }: Importer,
  { lines: given, language, maxLines }: { lines: Line[]; language: Language; maxLines: number },
): Promise<Result> {
  const { db } = rules;
  const now = actor.source.now();
  const [first] = given;
  const header = first && columnsOf(first.cells) ? first.cells : null;
  const lines = header ? given.slice(1) : given;
  if (lines.length === 0) return { ok: false, error: "empty" };
  if (lines.length > maxLines) return { ok: false, error: "tooMany" };
  const checked = await checkLines(rules, { manager, columns: columnsFor(header), lines, now });
  if (!isProved && checked.some(isNewManager)) return { ok: false, error: "unproved" };

  const id = crypto.randomUUID();
  const isReplaced = or(
    eq(userImport.state, "finished"),
    and(eq(userImport.state, "checked"), eq(userImport.sessionId, sessionId)),
  );
  const hasRoom = sql`${linesOfHour(actor, now)} + ${lines.length} <= ${IMPORT_LIMITS.lines.max}`;
  const isKept = sql`EXISTS (SELECT 1 FROM ${userImport} WHERE ${userImport.id} = ${id})`;
  const [, kept] = await db.batch([
    db
      .update(userImport)
      .set({ state: "closed" })
      .where(and(ownOpen(actor), isReplaced, hasRoom)),
    db
      .insert(userImport)
      .select(
        sql`SELECT ${rowValues(userImport, {
          id,
          userId: actor.actorId,
          sessionId,
          header,
          lineCount: lines.length,
          state: "checked",
          invites: false,
          language,
          touchedAt: now,
          createdAt: now,
        })} WHERE NOT EXISTS (SELECT 1 FROM ${userImport} WHERE ${ownOpen(actor)}) AND ${hasRoom}`,
      )
      .returning({ id: userImport.id }),
    deleteClosed(db, actor),
    ...valuesOf(lines, checked).map((value) =>
      db.insert(userImportLine).select(
        sql`SELECT ${rowValues(userImportLine, {
          importId: id,
          line: sql`line.value ->> 'line'`,
          cells: sql`line.value -> 'cells'`,
          state: sql`line.value ->> 'state'`,
          role: sql`line.value ->> 'role'`,
          field: sql`line.value ->> 'field'`,
          reason: sql`line.value ->> 'reason'`,
        })} FROM json_each(${value}) AS line WHERE ${isKept}`,
      ),
    ),
  ]);
  return kept.length > 0 ? { ok: true } : explain(db, actor, sessionId);
}

function isNewManager(one: Checked): one is Extract<Checked, { state: "new" }> {
  return one.state === "new" && can(one, "apps", "manager");
}

/** Returns lines with what the check found, as lists of JSON that each fit into one bound value. */
function valuesOf(lines: readonly Line[], checked: readonly Checked[]): string[] {
  const lists: string[][] = [];
  let left = 0;
  for (const [index, { line, cells }] of lines.entries()) {
    const found = checked[index];
    const json = JSON.stringify({
      line,
      cells,
      state: found?.state,
      role: found && isNewManager(found) ? found.role : null,
      field: found?.state === "wrong" ? found.field : null,
      reason: found?.state === "wrong" ? found.reason : null,
    });
    if (json.length > left) {
      lists.push([]);
      left = VALUE_CHARACTERS;
    }
    lists.at(-1)?.push(json);
    left -= json.length;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}

/** SQL condition: an import of the manager that is not closed. */
function ownOpen({ actorId }: Actor): SQL {
  return sql`${and(eq(userImport.userId, actorId), ne(userImport.state, "closed"))}`;
}

/** SQL condition: an import that was started and is not finished. */
function isUnfinished(): SQL {
  return inArray(userImport.state, ["running", "stopped"]);
}

/** SQL expression: the lines that the manager has sent within the limit's hour. */
function linesOfHour({ actorId }: Actor, now: Date): SQL<number> {
  const since = new Date(now.getTime() - IMPORT_LIMITS.lines.windowMs);
  const isRecent = and(eq(userImport.userId, actorId), gt(userImport.createdAt, since));
  return sql`(SELECT coalesce(sum(${userImport.lineCount}), 0) FROM ${userImport} WHERE ${isRecent})`;
}

/** Statement that deletes the lines of the manager's closed imports. */
function deleteClosed(db: Db, { actorId }: Actor) {
  const isClosed = and(eq(userImport.userId, actorId), eq(userImport.state, "closed"));
  return db
    .delete(userImportLine)
    .where(
      sql`${userImportLine.importId} IN (SELECT ${userImport.id} FROM ${userImport} WHERE ${isClosed})`,
    );
}

/** Finds out why lines were not kept. */
async function explain(db: Db, actor: Actor, sessionId: string): Promise<Result> {
  const [open] = await db.select().from(userImport).where(ownOpen(actor));
  if (open?.state === "running" || open?.state === "stopped")
    return { ok: false, error: "running" };
  const isWaiting = open?.state === "checked" && open.sessionId !== sessionId;
  return { ok: false, error: isWaiting ? "waiting" : "limit" };
}

/** SQL expression: the number of an import's lines, of all or in a state. */
export function linesOf(
  id: string,
  state?: (typeof userImportLine.$inferSelect)["state"],
): SQL<number> {
  const which = and(
    eq(userImportLine.importId, id),
    state ? eq(userImportLine.state, state) : undefined,
  );
  return sql`(SELECT count(*) FROM ${userImportLine} WHERE ${which})`;
}

/**
 * Starts an import in the session that sent its lines: another session may hold lines that the manager has never seen.
 * Errors: `gone`, also when it makes no user, has started before or is another session's.
 */
export async function startImport(
  db: Db,
  { actor, sessionId }: Pick<Importer, "actor" | "sessionId">,
  { id, invites, language }: { id: string; invites: boolean; language: Language },
): Promise<Result> {
  const now = actor.source.now();
  const isReady = and(
    eq(userImport.id, id),
    eq(userImport.userId, actor.actorId),
    eq(userImport.state, "checked"),
    eq(userImport.sessionId, sessionId),
    sql`${linesOf(id, "new")} > 0`,
  );
  const details = sql<string>`json_object(
    'lines', ${linesOf(id)},
    'known', ${linesOf(id, "known")},
    'wrong', ${linesOf(id, "wrong")},
    'left', ${linesOf(id, "new")}
  )`;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(userImport)
      .set({ state: "running", invites, language, touchedAt: now })
      .where(isReady),
    event: eventBy(actor, "users.import_started", { details }),
  });
  return isChanged ? { ok: true } : { ok: false, error: "gone" };
}

/** Stops an import after the lines that are being imported. It changes nothing for one that is not running. */
export async function stopImport(db: Db, { actorId, source }: Actor, id: string): Promise<void> {
  await db
    .update(userImport)
    .set({ state: "stopped", touchedAt: source.now() })
    .where(isOwnIn("running", actorId, id));
}

/** Lets a stopped import go on, for as long as this session. Errors: `gone`. */
export async function continueImport(
  db: Db,
  { actor, sessionId }: Pick<Importer, "actor" | "sessionId">,
  id: string,
): Promise<Result> {
  const changed = await db
    .update(userImport)
    .set({ state: "running", sessionId, touchedAt: actor.source.now() })
    .where(isOwnIn("stopped", actor.actorId, id))
    .returning({ id: userImport.id });
  return changed.length > 0 ? { ok: true } : { ok: false, error: "gone" };
}

function isOwnIn(state: "running" | "stopped", userId: string, id: string) {
  return and(eq(userImport.id, id), eq(userImport.userId, userId), eq(userImport.state, state));
}

/** SQL expression: the details of the event that ends an import. */
export function outcomeOf(id: string): SQL<string> {
  const created = linesOf(id, "made");
  return sql`json_object(
    'lines', ${linesOf(id)},
    'created', ${created},
    'known', ${linesOf(id, "known")},
    'wrong', ${linesOf(id, "wrong")},
    'left', ${linesOf(id, "new")},
    'invitations', (SELECT iif(${userImport.invites}, ${created}, 0) FROM ${userImport} WHERE ${userImport.id} = ${id})
  )`;
}

/** Closes an import, so that the manager can begin another. One that is not finished ends with its event. */
export async function closeImport(db: Db, actor: Actor, id: string): Promise<void> {
  const isOwn = and(eq(userImport.id, id), ownOpen(actor));
  await changeAndRecord(db, {
    change: db.update(userImport).set({ state: "closed" }).where(and(isOwn, isUnfinished())),
    event: eventBy(actor, "users.imported", { details: outcomeOf(id) }),
    after: {
      closed: db.update(userImport).set({ state: "closed" }).where(isOwn),
      deleted: deleteClosed(db, actor),
    },
  });
}

/** Deletes imports a day after their last step. */
export async function pruneImports(db: Db, now: Date): Promise<void> {
  await db.delete(userImport).where(lt(userImport.touchedAt, new Date(now.getTime() - DAY_MS)));
}
