import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { type Db, isUniqueViolation } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { auditEvent, repository } from "../../db/schema/schema.ts";
import { changeEach } from "../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Actor, type AuditEntry, auditChange } from "../audit/audit.server.ts";
import type { AuditDetails } from "../audit/changes.ts";
import type { RepositoryInput } from "./input.ts";
import { repositoryNameKey } from "./name.ts";

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

/** Finds the repository with an equal name key. */
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

/** Creates a repository. Error: `name_taken` when another repository has an equal name key. */
export async function createRepository(
  db: Db,
  actor: Actor,
  input: RepositoryInput,
): Promise<SaveResult> {
  const id = crypto.randomUUID();
  const now = actor.source.now();
  return save(id, () =>
    db.batch([
      db.insert(repository).values({ id, ...columnsOf(input), createdAt: now, updatedAt: now }),
      auditChange(db, actor.source, entry("repository.created", actor, id, { after: input })),
    ]),
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
    db.batch([
      db
        .update(repository)
        .set({ ...columnsOf(after), updatedAt: actor.source.now(), version: version + 1 })
        .where(and(eq(repository.id, before.id), eq(repository.version, version))),
      auditChange(
        db,
        actor.source,
        entry("repository.updated", actor, before.id, { before: shownOf(before), after }),
      ),
    ]),
  );
}

/**
 * Deletes a repository. Returns false when no repository has this id. The audit event keeps the values for
 * `restoreRepository`.
 */
export async function deleteRepository(db: Db, actor: Actor, id: string): Promise<boolean> {
  const row = await findRepository(db, id);
  if (!row) return false;
  const isAsRead = and(eq(repository.id, id), eq(repository.version, row.version));
  const [deleted] = await db.batch([
    db.delete(repository).where(isAsRead),
    auditChange(db, actor.source, entry("repository.deleted", actor, id, { before: row })),
  ]);
  // The row changed meanwhile. Try again: the audit event must hold what is deleted, or restoring would lose the
  // change.
  return deleted.meta.changes > 0 || deleteRepository(db, actor, id);
}

/** Deletes each repository as `deleteRepository` does and reports the result of each. */
export async function deleteRepositories(db: Db, actor: Actor, ids: string[]): Promise<BulkReport> {
  const rows = await db
    .select({ id: repository.id, name: repository.name })
    .from(repository)
    .where(inArray(repository.id, ids));
  const items = await changeEach(ids, {
    rows,
    nameOf: ({ name }) => name,
    gone: "repositories:bulk.gone",
    change: async ({ id }) =>
      (await deleteRepository(db, actor, id)) ? undefined : "repositories:bulk.gone",
    onFailure: logFailure(actor),
  });
  return { done: "repositories:bulk.deleted", words: WORDS, items, undo: "restore" };
}

function logFailure({ source }: Actor) {
  return (error: unknown) =>
    log("error", "request.failed", { request: source.id, ...describeError(error) });
}

type RestoreResult =
  | { ok: true; id: string }
  | { ok: false; error: "name_taken" | "there_again" | "not_deleted" };

/**
 * Restores a repository as it was when it was last deleted. Errors: `there_again` when it exists, `name_taken` when
 * another repository has its name now, `not_deleted` when no such deletion is recorded.
 */
export async function restoreRepository(db: Db, actor: Actor, id: string): Promise<RestoreResult> {
  const [deletion] = await db
    .select({ details: auditEvent.details })
    .from(auditEvent)
    .where(isDeletionOf([id]))
    .orderBy(desc(auditEvent.createdAt))
    .limit(1);
  const deleted = DeletedRepository.safeParse(deletion?.details?.before);
  const row = deleted.data;
  const restored = row
    ? await save(id, () =>
        db.batch([
          db
            .insert(repository)
            .values({ ...row, searchKey: searchKey(row.name, row.link, row.description) })
            .onConflictDoNothing({ target: repository.id }),
          auditChange(
            db,
            actor.source,
            entry("repository.restored", actor, id, { after: shownOf(row) }),
          ),
        ]),
      )
    : undefined;
  if (restored?.ok) return restored;
  // An existing repository also violates the name index, so check its existence before reporting `name_taken`.
  if (await findRepository(db, id)) return { ok: false, error: "there_again" };
  return { ok: false, error: restored ? "name_taken" : "not_deleted" };
}

/** Restores each repository as `restoreRepository` does and reports the result of each. */
export async function restoreRepositories(
  db: Db,
  actor: Actor,
  ids: string[],
): Promise<BulkReport> {
  const rows = await db
    .select({
      id: sql<string>`${auditEvent.targetId}`,
      name: sql<string>`json_extract(${auditEvent.details}, '$.before.name')`,
    })
    .from(auditEvent)
    .where(isDeletionOf(ids))
    .orderBy(auditEvent.createdAt);
  const items = await changeEach(ids, {
    rows,
    nameOf: ({ name }) => name,
    gone: BULK_RESTORE_REFUSALS.not_deleted,
    change: async ({ id }) => {
      const restored = await restoreRepository(db, actor, id);
      return restored.ok ? undefined : BULK_RESTORE_REFUSALS[restored.error];
    },
    onFailure: logFailure(actor),
  });
  return { done: "repositories:bulk.restored", words: WORDS, items };
}

/** SQL condition: the deletion records of these repositories. */
function isDeletionOf(ids: string[]) {
  return and(
    eq(auditEvent.targetType, "repository"),
    inArray(auditEvent.targetId, ids),
    eq(auditEvent.action, "repository.deleted"),
  );
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

/** A repository's values as its deletion record holds them. */
const DeletedRepository = z.object({
  id: z.string(),
  name: z.string(),
  nameKey: z.string(),
  link: z.string(),
  description: z.string().nullable(),
  version: z.number(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
});

async function save(
  id: string,
  write: () => Promise<readonly [D1Result, ...unknown[]]>,
): Promise<SaveResult> {
  try {
    const [written] = await write();
    return written.meta.changes > 0 ? { ok: true, id } : { ok: false, error: "conflict" };
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
    searchKey: searchKey(name, link, description),
  };
}

function shownOf({ name, link, description }: RepositoryInput): RepositoryInput {
  return { name, link, description };
}

function entry(
  action: AuditEntry["action"],
  { actorId, impersonatorId }: Actor,
  id: string,
  details: AuditDetails,
): AuditEntry {
  return { action, actorId, impersonatorId, target: { type: "repository", id }, details };
}
