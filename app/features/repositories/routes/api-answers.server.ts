import { href } from "react-router";
import { apiRows } from "../../../middleware/api-rows.server.ts";
import type { ApiRepository } from "../api.ts";
import { NAME_TAKEN, type Repository, repositories } from "../repositories.server.ts";
import { findRepositoryWithin, readableBy, repositoryList } from "../repository-queries.server.ts";

/** What programs are answered. */
export const apiRepositories = apiRows({
  rows: repositories,
  list: repositoryList,
  find: findRepositoryWithin,
  answer: repositoryAnswer,
  many: "repositories",
  pathOf: (id) => href("/api/v1/repositories/:id", { id }),
  notFound: "REPOSITORY_NOT_FOUND",
  errors: NAME_TAKEN,
  within: ({ services, holder }) => readableBy(services.features, holder),
  callOf: async ({ services: { db }, actor }) => ({ ok: true, call: { db, actor } }),
});

type Shown = Omit<Repository, "nameKey" | "searchKey">;

/** Returns a repository as the API answers it. */
function repositoryAnswer(row: Shown): ApiRepository {
  const { id, name, link, description, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    link,
    description,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
