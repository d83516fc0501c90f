import { eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import type { BulkReport } from "../../lists/bulk/bulk-report.ts";
import type { OwnedErrors } from "../owned/owned-errors.ts";
import { OF_SITE, type OwnedCall, type OwnedWords, ownedRows } from "../owned/owned-rows.server.ts";
import type { RepositoryInput } from "./input.ts";
import { repositoryNameKey } from "./name.ts";
import { repository } from "./tables.server.ts";

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

/** How repositories are written. No two have an equal name key. */
export const repositories = ownedRows({
  table: repository,
  owner: OF_SITE,
  kind: "repository",
  events: {
    create: "repository.created",
    update: "repository.updated",
    delete: "repository.deleted",
    restore: "repository.restored",
  },
  columns: ({ name, link, description }: RepositoryInput) => ({
    name,
    link,
    description,
    nameKey: repositoryNameKey(name),
    searchKey: searchKey(name, link, description),
  }),
  told: ["name", "link", "description"],
  unique: repository.nameKey,
});

/** What a form and a program are told of a name that another repository has. */
export const NAME_TAKEN: OwnedErrors = {
  taken: { field: "name", message: "validation:name.taken" },
};

/** Messages for the errors of a restoration. */
export const RESTORE_REFUSALS = {
  taken: "repositories:notRestored",
  there_again: "repositories:restore.thereAgain",
  not_deleted: "repositories:restore.notDeleted",
} as const;

/** What the list says of chosen repositories. */
const WORDS: OwnedWords = {
  words: {
    refused: "repositories:bulk.refused",
    more: "repositories:bulk.more",
    unnamed: "repositories:bulk.unnamed",
  },
  deleted: "repositories:bulk.deleted",
  restored: "repositories:bulk.restored",
  gone: "repositories:bulk.gone",
  refusals: {
    taken: "repositories:bulk.nameTaken",
    there_again: "repositories:bulk.thereAgain",
    not_deleted: "repositories:bulk.noRecord",
  },
};

/** Deletes or restores chosen repositories and reports the result of each. */
export function changeRepositories(
  call: OwnedCall,
  ids: string[],
  intent: "delete" | "restore",
): Promise<BulkReport> {
  return repositories.changeChosen(call, ids, intent, { name: repository.name, words: WORDS });
}
