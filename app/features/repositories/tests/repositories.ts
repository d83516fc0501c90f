import { insertRows } from "../../../../tests/support/insert.ts";
import { anAdmin } from "../../../../tests/support/people.ts";
import { type Gatehouse, startGatehouse } from "../../../../tests/support/worker.ts";
import { searchKey } from "../../../db/fold.ts";
import { repositoryNameKey } from "../name.ts";

/** A row of the repository table. */
export type RepositoryRow = {
  id: string;
  name: string;
  name_key: string;
  link: string;
  description: string | null;
  search_key: string;
  version: number;
  created_at: number;
  updated_at: number;
};

let repositories = 0;

/** Returns a name that no other repository has. */
export function newName(name = "gate"): string {
  repositories += 1;
  return `${name} ${repositories}`;
}

/** Inserts a repository; `overrides` replace single columns. */
export async function aRepository(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<RepositoryRow> = {},
): Promise<RepositoryRow> {
  const row = newRepository(overrides);
  await insertRows(gatehouse.d1, "repository", [row]);
  return row;
}

/** Inserts a repository for each of these overrides. */
export async function manyRepositories(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<RepositoryRow>[],
): Promise<RepositoryRow[]> {
  const rows = overrides.map(newRepository);
  await insertRows(gatehouse.d1, "repository", rows);
  return rows;
}

/** Returns the oldest repositories, after making as many as are missing. */
export async function someRepositories(
  gatehouse: Pick<Gatehouse, "d1">,
  count: number,
): Promise<Pick<RepositoryRow, "id">[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM repository ORDER BY created_at LIMIT ?")
    .bind(count)
    .all<Pick<RepositoryRow, "id">>();
  const missing = Array(count - results.length).fill({});
  return missing.length === 0
    ? results
    : [...results, ...(await manyRepositories(gatehouse, missing))];
}

function newRepository(overrides: Partial<RepositoryRow>): RepositoryRow {
  const now = Date.now();
  const repository: Omit<RepositoryRow, "name_key" | "search_key"> = {
    id: crypto.randomUUID(),
    name: newName(),
    link: "https://git.example/acme/gate",
    description: null,
    version: 1,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
  const { name, link, description } = repository;
  return {
    name_key: repositoryNameKey(name),
    search_key: searchKey(name, link, description),
    ...repository,
  };
}

/** Returns the row of a repository, or null. */
export function findRepositoryRow(gatehouse: Pick<Gatehouse, "d1">, id: string) {
  return gatehouse.d1
    .prepare("SELECT * FROM repository WHERE id = ?")
    .bind(id)
    .first<RepositoryRow>();
}

/** Returns the path of a repository in the back-office. */
export function repositoryPath(id: string, rest = ""): string {
  return `/manager/repositories/${id}${rest}`;
}

export async function countRepositories(gatehouse: Pick<Gatehouse, "d1">): Promise<number> {
  const row = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM repository")
    .first<{ n: number }>();
  return row?.n ?? -1;
}

/** Starts a product of its own, with an admin's browser. */
export async function aLibrary() {
  const library = await startGatehouse();
  const { user: owner, browser } = await anAdmin(library);
  return { library, browser, owner, [Symbol.asyncDispose]: () => library[Symbol.asyncDispose]() };
}
