import { type SQL, sql } from "drizzle-orm";
import type { FoldedServer } from "../../feature.server.ts";
import type { KeyHolder } from "../access/program.server.ts";
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
    id,
    name,
    link,
    description,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/**
 * Returns the condition of the repositories that a key reads: those of its organization, or
 * undefined for all. Without a feature that gives organizations repositories they have none.
 */
export function withinOf(
  { ofOrganization }: FoldedServer,
  { organization }: KeyHolder,
): SQL | undefined {
  if (!organization) return undefined;
  return ofOrganization.repository?.(organization.id) ?? sql`FALSE`;
}
