import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { isKept, keepRows, keptColumns, keptValue } from "../../db/bin.server.ts";
import { changeAndRecord } from "../../db/change.server.ts";
import { type Db, isUniqueViolation } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { idsIn } from "../../db/ids-in.ts";
import { bin } from "../../db/schema/schema.ts";
import { changeTogether } from "../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { type Actor, auditEach, eventBy } from "../audit/audit.server.ts";
import type { RepositoryInput } from "./input.ts";
import { repositoryNameKey } from "./name.ts";
import { repository } from "./tables.server.ts";

/** How long a deletion can be undone. */
const KEPT_DAYS = 30;

export type Repository = typeof repository.$inferSelect;

export async function findRepository(db: Db, id: string): Promise<Repository | undefined> {
  const [row] = await db.select().from(repository).where(eq(repository.id, id));
  return row;
}

/**
 * Returns true when a name is free now, as a hint while the user types. The unique index decides. With `exceptId` the
 * name may belong to that repository.
 */
export async function isRepositoryNameFree(
  db: Db,
  { name, exceptId }: { name: string; exceptId?: string },
): Promise<boolean> {
  const taken = await findRepositoryByName(db, name);
  return taken === undefined || taken.id === exceptId;
}

export async function findRepositoryByName(
  db: Db,
  name: string,
): Promise<{ id: string } | undefined> {
  const [row] = await db
    .select({ id: repository.id })
    .from(repository)
    .where(eq(repository.nameKey, repositoryNameKey(name)));
  return row;
}

type SaveResult = { ok: true; id: string } | { ok: false; error: "name_taken" | "conflict" };

/**
 * Creates a repository. Error: `name_taken` when another repository has an equal name key. `alongside` makes a statement
 * for the same batch.
 */
export async function createRepository(
  db: Db,
  actor: Actor,
  input: RepositoryInput,
  alongside?: (created: Repository) => BatchItem<"sqlite"> | undefined,
): Promise<SaveResult> {
  const id = crypto.randomUUID();
  const now = actor.source.now();
  const created = { id, ...columnsOf(input), version: 1, createdAt: now, updatedAt: now };
  const also = alongside?.(created);
  return save(id, () =>
    changeAndRecord(db, {
      change: db.insert(repository).values(created),
      event: eventBy(actor, "repository.created", {
        target: { type: "repository", id },
        details: { after: input },
      }),
      after: also && { also },
    }),
  );
}

/**
 * Updates a repository that is still at `version`. Equal values change nothing and leave no audit event. Errors:
 * `conflict` when it was changed or deleted meanwhile, `name_taken`.
 */
export async function updateRepository(
  db: Db,
  actor: Actor,
  before: Repository,
  input: RepositoryInput & { version: number },
): Promise<SaveResult> {
  const { version, ...after } = input;
  const { name, link, description } = before;
  const isUnchanged =
    name === after.name && link === after.link && description === after.description;
  if (isUnchanged) return { ok: true, id: before.id };
  return save(before.id, () =>
    changeAndRecord(db, {
      change: db
        .update(repository)
        .set({ ...columnsOf(after), updatedAt: actor.source.now(), version: version + 1 })
        .where(and(eq(repository.id, before.id), eq(repository.version, version))),
      event: eventBy(actor, "repository.updated", {
        target: { type: "repository", id: before.id },
        details: { before: { name, link, description }, after },
      }),
    }),
  );
}

/**
 * Deletes a repository. With `version`, it deletes nothing after a newer change. Returns false when nothing was deleted.
 * The bin keeps the row for `restoreRepository`.
 */
export async function deleteRepository(
  db: Db,
  actor: Actor,
  id: string,
  version?: number,
): Promise<boolean> {
  const isAtVersion = version === undefined ? undefined : eq(repository.version, version);
  const deleted = await deleteAll(db, actor, [id], isAtVersion);
  return deleted.has(id);
}

/** Deletes repositories as `deleteRepository` does and reports the result of each. */
export async function deleteRepositories(db: Db, actor: Actor, ids: string[]): Promise<BulkReport> {
  const rows = await db
    .select({ id: repository.id, name: repository.name })
    .from(repository)
    .where(idsIn(repository.id, ids));
  const items = await changeTogether(ids, {
    rows,
    nameOf: ({ name }) => name,
    gone: "repositories:bulk.gone",
    change: async () => {
      const deleted = await deleteAll(db, actor, ids);
      return new Map(ids.map((id) => [id, deleted.has(id) ? undefined : "repositories:bulk.gone"]));
    },
    onFailure: logFailure(actor),
  });
  return { done: "repositories:bulk.deleted", words: WORDS, items, undo: "restore" };
}

/** Deletes repositories. Returns the ids of those that existed. */
async function deleteAll(
  db: Db,
  actor: Actor,
  ids: string[],
  condition?: SQL,
): Promise<Set<string>> {
  const isChosen = and(idsIn(repository.id, ids), condition);
  const [deleted] = await db.batch([
    auditEach(
      db,
      eventBy(actor, "repository.deleted", {
        target: { type: "repository", id: sql`${repository.id}` },
        details: DELETED_VALUES,
      }),
      sql`FROM ${repository} WHERE ${isChosen}`,
    ),
    keepRows(db, repository, {
      kind: "repository",
      where: isChosen,
      until: new Date(actor.source.now().getTime() + KEPT_DAYS * DAY_MS),
    }),
    db.delete(repository).where(isChosen),
  ]);
  return new Set(deleted.map(({ id }) => id));
}

function logFailure({ source }: Actor) {
  return (error: unknown) =>
    log("error", "request.failed", { request: source.id, ...describeError(error) });
}

type RestoreError = "name_taken" | "there_again" | "not_deleted";
type RestoreResult = { ok: true; id: string } | { ok: false; error: RestoreError };

/**
 * Restores a repository as it was when it was last deleted. Errors: `there_again` when it exists, `name_taken` when
 * another repository has its name now, `not_deleted` when it is not in the bin.
 */
export async function restoreRepository(db: Db, actor: Actor, id: string): Promise<RestoreResult> {
  const error = (await restoreAll(db, actor, [id])).get(id);
  return error ? { ok: false, error } : { ok: true, id };
}

/** Restores repositories as `restoreRepository` does and reports the result of each. */
export async function restoreRepositories(
  db: Db,
  actor: Actor,
  ids: string[],
): Promise<BulkReport> {
  const [kept, there] = await db.batch([
    db
      .select({ id: bin.id, name: keptValue<string>("name").as("name") })
      .from(bin)
      .where(isKept("repository", ids, actor.source.now())),
    db
      .select({ id: repository.id, name: repository.name })
      .from(repository)
      .where(idsIn(repository.id, ids)),
  ]);
  const items = await changeTogether(ids, {
    rows: [...there, ...kept],
    nameOf: ({ name }) => name,
    gone: BULK_RESTORE_REFUSALS.not_deleted,
    change: async () => {
      const errors = await restoreAll(db, actor, ids);
      return new Map([...errors].map(([id, error]) => [id, error && BULK_RESTORE_REFUSALS[error]]));
    },
    onFailure: logFailure(actor),
  });
  return { done: "repositories:bulk.restored", words: WORDS, items };
}

/** Restores repositories in one batch. Returns the error of each id; undefined for a restored one. */
async function restoreAll(
  db: Db,
  actor: Actor,
  ids: string[],
): Promise<Map<string, RestoreError | undefined>> {
  const now = actor.source.now();
  const isChosen = isKept("repository", ids, now);
  const name = keptValue("name");
  const event = eventBy(actor, "repository.restored", {
    target: { type: "repository", id: sql`${bin.id}` },
    details: sql`json_object('after', json_object(
      'name', ${name}, 'link', ${keptValue("link")}, 'description', ${keptValue("description")}
    ))`,
  });
  // The condition is written once, in the audit event. The other statements look for that event.
  const isRestored = sql`EXISTS (
    SELECT 1 FROM audit_event AS event WHERE event.created_at = ${now.getTime()}
      AND event.action = 'repository.restored' AND event.target_id = ${bin.id}
  )`;
  const [existing, restored, , , left] = await db.batch([
    db.select({ id: repository.id }).from(repository).where(idsIn(repository.id, ids)),
    auditEach(
      db,
      { ...event, createdAt: now },
      // Of two that had the same name one after the other, one is restored.
      sql`FROM ${bin} WHERE ${isChosen}
        AND NOT EXISTS (SELECT 1 FROM ${repository} WHERE ${repository.id} = ${bin.id})
        AND NOT EXISTS (SELECT 1 FROM ${repository} WHERE ${repository.nameKey} = ${keptValue("name_key")})
        GROUP BY ${keptValue("name_key")}`,
    ),
    db
      .insert(repository)
      .select(
        sql`SELECT ${keptColumns(repository)} FROM ${bin} WHERE ${and(isChosen, isRestored)}`,
      ),
    db.delete(bin).where(and(isChosen, isRestored)),
    db.select({ id: bin.id }).from(bin).where(isChosen),
  ]);
  const done = new Set(restored.map(({ id }) => id));
  const there = new Set(existing.map(({ id }) => id));
  const kept = new Set(left.map(({ id }) => id));
  const errorOf = (id: string) => {
    if (done.has(id)) return undefined;
    if (there.has(id)) return "there_again";
    return kept.has(id) ? "name_taken" : "not_deleted";
  };
  return new Map(ids.map((id) => [id, errorOf(id)]));
}

/** Messages for the errors of `restoreRepository`. */
export const RESTORE_REFUSALS = {
  name_taken: "repositories:notRestored",
  there_again: "repositories:restore.thereAgain",
  not_deleted: "repositories:restore.notDeleted",
} as const;

/** The same before the names of the repositories. */
const BULK_RESTORE_REFUSALS = {
  name_taken: "repositories:bulk.nameTaken",
  there_again: "repositories:bulk.thereAgain",
  not_deleted: "repositories:bulk.noRecord",
} as const;

const WORDS: BulkWords = {
  refused: "repositories:bulk.refused",
  more: "repositories:bulk.more",
  unnamed: "repositories:bulk.unnamed",
};

/** SQL: details of the deletion record of a repository. */
const DELETED_VALUES = sql<string>`json_object('before', json_object(
  'id', ${repository.id}, 'name', ${repository.name}, 'nameKey', ${repository.nameKey},
  'link', ${repository.link}, 'description', ${repository.description}, 'version', ${repository.version},
  'createdAt', ${repository.createdAt}, 'updatedAt', ${repository.updatedAt}
))`;

async function save(id: string, write: () => Promise<{ isChanged: boolean }>): Promise<SaveResult> {
  try {
    const { isChanged } = await write();
    return isChanged ? { ok: true, id } : { ok: false, error: "conflict" };
  } catch (error) {
    if (isUniqueViolation(error, "repository.name_key")) return { ok: false, error: "name_taken" };
    throw error;
  }
}

function columnsOf({ name, link, description }: RepositoryInput) {
  return {
    name,
    link,
    description,
    nameKey: repositoryNameKey(name),
    searchKey: searchKeyOf({ name, link, description }),
  };
}

function searchKeyOf({ name, link, description }: RepositoryInput): string {
  return searchKey(name, link, description);
}
