import {
  and,
  eq,
  getTableColumns,
  getTableName,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { isKept, keepRows, keptColumns, keptValue } from "../../db/bin.server.ts";
import { changeAndRecord } from "../../db/change.server.ts";
import { type Db, isUniqueViolation } from "../../db/db.server.ts";
import { idsIn } from "../../db/ids-in.ts";
import { jsonObject } from "../../db/json-object.ts";
import { type RowOf, rowValues } from "../../db/row-values.ts";
import { auditEvent, bin, counter } from "../../db/schema/schema.ts";
import type { ErrorCode } from "../../i18n/message-key.ts";
import { type BulkOutcome, changeTogether } from "../../lists/bulk/bulk-change.ts";
import type { BulkReport } from "../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import { DAY_MS } from "../../values/time.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, type AuditEntry, auditEach, eventBy } from "../audit/audit.server.ts";

/** Days in which a deletion can be undone. */
const KEPT_DAYS = 30;

/** The table of a subject. `version` grows with each change. */
type OwnedTable = SQLiteTable & Record<"id" | "version" | "createdAt" | "updatedAt", SQLiteColumn>;

export type OwnedAct = "create" | "update" | "delete" | "restore";

/** Who changes rows, and where. */
export type OwnedCall = { db: Db; actor: Actor };

/** Whose the rows of a table are, and who may change them: conditions of the statements that write. */
export type Owner<Call extends OwnedCall> = {
  /** Column with the owner's id, and that id for a call. Rows of the site have none. */
  of?: { column: SQLiteColumn; id: (call: Call) => SQL | string };
  /** SQL condition: the actor may do this now. Without it the door's question for a permission is enough. */
  isAllowed?: (call: Call, act: OwnedAct) => SQL;
  /** Returns why `isAllowed` does not hold; undefined when it does. */
  refusalOf?: (call: Call, act: OwnedAct) => Promise<ErrorCode | undefined>;
};

/**
 * Rows of the site, which everybody with the permission may change.
 * @public For features, of which there may be none.
 */
export const OF_SITE: Owner<OwnedCall> = {};

/**
 * Rows of the person who changes them, whose id is in the column.
 * @public Named by the subjects that `npm run new` writes.
 */
export function ofPerson(column: SQLiteColumn): Owner<OwnedCall> {
  return { of: { column, id: ({ actor }) => actor.actorId } };
}

type Subject<Table extends OwnedTable, Input extends object, Call extends OwnedCall> = {
  table: Table;
  owner: Owner<Call>;
  /** Its kind in events and in the bin. */
  kind: NonNullable<AuditEntry["target"]>["type"];
  events: Record<OwnedAct, AuditAction>;
  /** Returns the columns that an input fills. */
  columns: (input: Input) => object;
  /** The fields that events tell. Their columns have the same names. */
  told: readonly (keyof Input & keyof Table["$inferSelect"] & string)[];
  /** The column whose value no two rows of an owner may share. */
  unique?: SQLiteColumn;
  /**
   * So many rows of one owner, with those in the bin, so that nobody fills what all share. Triggers
   * of the table count them in `counter`, by its name and the owner: `in_voice|…`.
   */
  most?: number;
  /** SQL condition of what an input refers to, such as that it has the same owner. */
  meets?: (call: Call, input: Input) => SQL | undefined;
};

/**
 * `taken`: another row has the value of the unique column. `unmet`: `meets` does not hold. `refused`:
 * the actor may not, with the reason.
 */
export type OwnedResult =
  | { ok: true; id: string }
  | { ok: false; error: "conflict" | "not_found" | "taken" | "unmet" }
  | { ok: false; error: "refused"; code: ErrorCode };

/** Why a row was not restored: another has its unique value, it is there, or it is not in the bin. */
export type RestoreError = "taken" | "there_again" | "not_deleted";

/**
 * What a list says of changes to chosen rows.
 * @public For features, of which there may be none.
 */
export type OwnedWords = Pick<BulkReport, "words"> & {
  deleted: BulkReport["done"];
  restored: BulkReport["done"];
  gone: CheckedMessage;
  refusals: Record<RestoreError, CheckedMessage>;
};

/** The column that tells chosen rows apart, and what a list says of their changes. */
export type ChosenRows = { name: SQLiteColumn; words: OwnedWords };

/**
 * What a list says without naming its subject.
 * @public Named by the subjects that `npm run new` writes.
 */
export const RECORD_WORDS: OwnedWords = {
  words: {
    refused: "records:bulk.refused",
    more: "records:bulk.more",
    unnamed: "records:bulk.unnamed",
  },
  deleted: "records:bulk.deleted",
  restored: "records:bulk.restored",
  gone: "records:gone",
  refusals: {
    taken: "records:bulk.taken",
    there_again: "records:bulk.thereAgain",
    not_deleted: "records:bulk.notDeleted",
  },
};

/**
 * Returns how the rows of a subject are written. Each change is one batch: the owner and the permission stand in the
 * statement that writes, with the version, the audit event, and what a deletion needs to be undone.
 * @public For features, of which there may be none.
 */
export function ownedRows<
  Table extends OwnedTable,
  Input extends object,
  Call extends OwnedCall = OwnedCall,
>({ table, owner, kind, events, columns, told, unique, most, meets }: Subject<Table, Input, Call>) {
  type Row = Table["$inferSelect"];
  const all = getTableColumns(table);

  const isAllowed = (call: Call, act: OwnedAct) => owner.isAllowed?.(call, act);
  const isOwn = (call: Call) => owner.of && eq(owner.of.column, owner.of.id(call));
  const hasRoom = (call: Call) => {
    if (!owner.of || most === undefined) return undefined;
    const name = sql`${`${getTableName(table)}|`} || ${owner.of.id(call)}`;
    const count = sql`(SELECT ${counter.value} FROM ${counter} WHERE ${counter.name} = ${name})`;
    return sql`coalesce(${count}, 0) < ${most}`;
  };
  /** The same for a row in the bin. */
  const wasOwn = (call: Call) =>
    owner.of && sql`${keptValue(owner.of.column.name)} = ${owner.of.id(call)}`;
  const eventOf = (call: Call, act: OwnedAct, id: string | SQL, details: AuditEntry["details"]) =>
    eventBy(call.actor, events[act], { target: { type: kind, id }, details });

  /** The fields that events tell of a row or of an input. */
  function tell(from: object): object {
    const values = new Map(Object.entries(from));
    return Object.fromEntries(told.map((field) => [field, values.get(field)]));
  }

  /** SQL: the same of rows, as JSON. */
  function toldOf(read: (column: SQLiteColumn) => SQL): SQL {
    return jsonObject(
      told.map((field) => {
        const column = columnOf(field);
        return [field, asJson(column, read(column))];
      }),
    );
  }

  function columnOf(field: string): SQLiteColumn {
    const column = all[field];
    if (!column) throw new Error(`The table of "${kind}" has no column ${field}`);
    return column;
  }

  /** Columns that say whose a new row is. */
  function ownerColumns(call: Call): object {
    const { of } = owner;
    const name = of && Object.keys(all).find((one) => all[one] === of.column);
    return name === undefined ? {} : { [name]: of?.id(call) };
  }

  /** Writes a row. When nothing was written, returns why. */
  async function save(
    call: Call,
    { id, act, input }: { id: string; act: "create" | "update"; input: Input },
    write: () => Promise<{ isChanged: boolean }>,
  ): Promise<OwnedResult> {
    try {
      const { isChanged } = await write();
      if (isChanged) return { ok: true, id };
      const code = await owner.refusalOf?.(call, act);
      if (code) return { ok: false, error: "refused", code };
      const holds = async (condition: SQL | undefined) => {
        if (!condition) return true;
        const [row] = await call.db.all<{ holds: number }>(sql`SELECT ${condition} AS holds`);
        return row?.holds !== 0;
      };
      if (act === "create" && !(await holds(hasRoom(call)))) {
        return { ok: false, error: "refused", code: "RECORD_LIMIT_REACHED" };
      }
      if (!(await holds(meets?.(call, input)))) return { ok: false, error: "unmet" };
      return { ok: false, error: act === "create" ? "not_found" : "conflict" };
    } catch (error) {
      if (unique && isUniqueViolation(error, unique.name)) return { ok: false, error: "taken" };
      throw error;
    }
  }

  /**
   * Creates a row. `alongside` makes a statement for the same batch, with the condition that it was written. Errors: `not_found` when there
   * is no such owner, `refused`, `taken`, `unmet`.
   */
  async function create(
    call: Call,
    input: Input,
    alongside?: (row: Row, isWritten: SQLWrapper) => BatchItem<"sqlite"> | undefined,
  ): Promise<OwnedResult> {
    const { db, actor } = call;
    const id = crypto.randomUUID();
    const now = actor.source.now();
    const times = { createdAt: now, updatedAt: now };
    // The owner's columns, the input's and those above are all that the table has.
    const maker = "createdBy" in all ? { createdBy: actor.actorId } : {};
    const written = { ...times, ...maker, ...ownerColumns(call), ...columns(input) };
    const row = { id, version: 1, ...written } as Row;
    const where = and(isAllowed(call, "create"), hasRoom(call), meets?.(call, input)) ?? sql`true`;
    return save(call, { id, act: "create", input }, () =>
      changeAndRecord(db, {
        // A value is also allowed to be SQL.
        change: db
          .insert(table)
          .select(sql`SELECT ${rowValues(table, row as RowOf<Table>)} WHERE ${where}`),
        event: eventOf(call, "create", id, { after: tell(input) }),
        next: (isWritten) => {
          const also = alongside?.(row, isWritten);
          return { also: also ? [also] : [] };
        },
      }),
    );
  }

  /**
   * Changes a row that is still at `version`. Equal values change nothing and leave no event.
   * Errors: `conflict` when it was changed or deleted meanwhile, `refused`, `taken`, `unmet`.
   */
  async function update(
    call: Call,
    before: Row & { id: string },
    input: Input,
    version: number,
  ): Promise<OwnedResult> {
    const { db, actor } = call;
    const { id } = before;
    const given = Object.entries(columns(input));
    const stored = new Map(Object.entries(before));
    const isEqual = given.every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(stored.get(name)),
    );
    if (isEqual) return { ok: true, id };
    const details = { before: tell(before), after: tell(input) };
    const changed = {
      ...Object.fromEntries(given),
      version: version + 1,
      updatedAt: actor.source.now(),
    };
    const isChosen = and(
      eq(table.id, id),
      eq(table.version, version),
      isOwn(call),
      isAllowed(call, "update"),
      meets?.(call, input),
    );
    return save(call, { id, act: "update", input }, () =>
      changeAndRecord(db, {
        // The columns of an input are columns of the table.
        change: db
          .update(table)
          .set(changed as SQLiteUpdateSetSource<Table>)
          .where(isChosen),
        event: eventOf(call, "update", id, details),
      }),
    );
  }

  /**
   * Deletes rows, and keeps them in the bin. With `version` only what is still at it. Returns the
   * ids of the deleted.
   */
  async function remove(call: Call, ids: string[], version?: number): Promise<Set<string>> {
    const { db, actor } = call;
    const isChosen = and(
      idsIn(table.id, ids),
      version === undefined ? undefined : eq(table.version, version),
      isOwn(call),
      isAllowed(call, "delete"),
    );
    const details = sql<string>`json_object('before', ${toldOf((column) => sql`${column}`)})`;
    const until = new Date(actor.source.now().getTime() + KEPT_DAYS * DAY_MS);
    const [deleted] = await db.batch([
      auditEach(
        db,
        eventOf(call, "delete", sql`${table.id}`, details),
        sql`FROM ${table} WHERE ${isChosen}`,
      ),
      keepRows(db, table, { kind, where: isChosen, until }),
      db.delete(table).where(isChosen),
    ]);
    return new Set(deleted.map(({ id }) => id));
  }

  /** Restores rows as they were when they were deleted. Returns the error of each id; undefined for a restored one. */
  async function restore(
    call: Call,
    ids: string[],
  ): Promise<Map<string, RestoreError | undefined>> {
    const { db, actor } = call;
    const now = actor.source.now();
    const isChosen = and(isKept(kind, ids, now), wasOwn(call));
    const details = sql<string>`json_object('after', ${toldOf(({ name }) => keptValue(name))})`;
    const isThere = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${bin.id})`;
    // The conditions are written once, in the audit event. The other statements look for that event.
    const isRestored = sql`EXISTS (
      SELECT 1 FROM ${auditEvent} AS event WHERE event.created_at = ${now.getTime()}
        AND event.action = ${events.restore} AND event.target_id = ${bin.id}
    )`;
    const [existing, restored, , , left] = await db.batch([
      db
        .select({ id: sql<string>`${table.id}` })
        .from(table)
        .where(and(idsIn(table.id, ids), isOwn(call))),
      auditEach(
        db,
        { ...eventOf(call, "restore", sql`${bin.id}`, details), createdAt: now },
        sql`FROM ${bin} WHERE ${and(isChosen, isAllowed(call, "restore"))} AND NOT ${isThere} ${onlyUnique()}`,
      ),
      db
        .insert(table)
        .select(sql`SELECT ${keptColumns(table)} FROM ${bin} WHERE ${and(isChosen, isRestored)}`),
      db.delete(bin).where(and(isChosen, isRestored)),
      db
        .select({ id: bin.id })
        .from(bin)
        .where(and(isChosen, isAllowed(call, "restore"))),
    ]);
    const done = new Set(restored.map(({ id }) => id));
    const there = new Set(existing.map(({ id }) => id));
    const kept = new Set(left.map(({ id }) => id));
    const errorOf = (id: string) => {
      if (done.has(id)) return undefined;
      if (there.has(id)) return "there_again";
      return kept.has(id) ? "taken" : "not_deleted";
    };
    return new Map(ids.map((id) => [id, errorOf(id)]));
  }

  /** SQL: the unique value of a row in the bin is free, and of two with the same value one is restored. */
  function onlyUnique(): SQL {
    if (!unique) return sql``;
    const value = keptValue(unique.name);
    const of = owner.of?.column;
    const owned = of && keptValue(of.name);
    const sameOwner = of && sql`${of} = ${owned}`;
    const isTaken = and(sql`${unique} = ${value}`, sameOwner);
    return sql`AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${isTaken})
      GROUP BY ${value}${owned ? sql`, ${owned}` : sql``}`;
  }

  /**
   * Deletes or restores chosen rows of a list and reports the result of each. `name` is the column
   * that tells them apart.
   */
  async function changeChosen(
    call: Call,
    ids: string[],
    intent: "delete" | "restore",
    { name, words }: ChosenRows,
  ): Promise<BulkReport> {
    const { db, actor } = call;
    const [there, kept] = await db.batch([
      db
        .select({ id: sql<string>`${table.id}`, name: sql<string>`${name}` })
        .from(table)
        .where(and(idsIn(table.id, ids), isOwn(call))),
      db
        .select({ id: bin.id, name: keptValue<string>(name.name).as("name") })
        .from(bin)
        .where(and(isKept(kind, ids, actor.source.now()), wasOwn(call))),
    ]);
    const isDeletion = intent === "delete";
    const items = await changeTogether(ids, {
      rows: isDeletion ? there : [...there, ...kept],
      nameOf: (row) => row.name,
      gone: isDeletion ? words.gone : words.refusals.not_deleted,
      change: async () => {
        if (isDeletion) {
          const deleted = await remove(call, ids);
          return new Map<string, BulkOutcome>(
            ids.map((id) => [id, deleted.has(id) ? undefined : words.gone]),
          );
        }
        const errors = await restore(call, ids);
        return new Map([...errors].map(([id, error]) => [id, error && words.refusals[error]]));
      },
      onFailure: (error) =>
        log("error", "request.failed", { request: actor.source.id, ...describeError(error) }),
    });
    return isDeletion
      ? { done: words.deleted, words: words.words, items, undo: "restore" }
      : { done: words.restored, words: words.words, items };
  }

  /** Returns why the actor may not; undefined when they may. */
  async function refusalOf(call: Call, act: OwnedAct): Promise<ErrorCode | undefined> {
    return owner.refusalOf?.(call, act);
  }

  return { create, update, remove, restore, changeChosen, refusalOf };
}

/** SQL: a stored value in JSON as `JSON.stringify` writes what Drizzle reads of it. */
function asJson({ dataType }: SQLiteColumn, value: SQL): SQL {
  switch (dataType) {
    case "json":
      return sql`json(${value})`;
    case "boolean":
      return sql`json(iif(${value}, 'true', 'false'))`;
    case "date":
      return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`;
    default:
      return value;
  }
}
