import type { ApiRepository } from "./api.ts";
import type { Repository } from "./repositories.server.ts";

type Shown = Pick<
  Repository,
  "id" | "name" | "link" | "description" | "version" | "createdAt" | "updatedAt"
>;

/** Returns a repository as the API answers it. */
export function repositoryAnswer(row: Shown): ApiRepository {
  const { id, name, link, description, version, createdAt, updatedAt } = row;
  return {
    ...{ id, name, link, description, version },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
