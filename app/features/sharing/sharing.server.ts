import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import { rowValues } from "../../db/row-values.ts";
import {
  attempt,
  eventIn,
  type FeatureRules,
  findRefusal,
  idOf,
  isAllowed,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../organizations/standing.server.ts";
import { repository } from "../repositories/tables.server.ts";
import { organizationRepository } from "./tables.server.ts";

type Done = { ok: true } | Refusal;

const NOT_ALLOWED = "YOU_ARE_NOT_ALLOWED_TO_SHARE_REPOSITORIES";

const RULES: FeatureRules = { raised: ["ORGANIZATION_REPOSITORY_LIMIT_REACHED"] };

/**
 * Shares a repository into the organization: a reference, not a copy. Sharing it again changes nothing. Errors:
 * REPOSITORY_NOT_FOUND, ORGANIZATION_REPOSITORY_LIMIT_REACHED and those of `findRefusal`.
 */
export async function shareRepository(call: OrganizationCall, repositoryId: string): Promise<Done> {
  const { db, actor, key, as } = call;
  const permission = ["repository", "create"] as const;
  const values = rowValues(organizationRepository, {
    organizationId: idOf(key),
    repositoryId: sql`${repository.id}`,
    sharedBy: actor.actorId,
    createdAt: actor.source.now(),
  });
  const ofRepository = sql`FROM ${repository} WHERE ${repository.id} = ${repositoryId}`;
  return attempt(async () => {
    const done = await changeAndRecord(db, {
      change: db
        .insert(organizationRepository)
        .select(sql`SELECT ${values} ${ofRepository} AND ${isAllowed(call, permission)}`)
        .onConflictDoNothing(),
      event: eventIn(call, "organization.repository_shared", detailsOf(repositoryId)),
      after: {
        standings: selectStanding(call),
        found: db
          .select({ id: repository.id })
          .from(repository)
          .where(eq(repository.id, repositoryId)),
      },
    });
    const refusal = findRefusal(done.standings[0], permission, as, NOT_ALLOWED);
    if (refusal) return refusal;
    return done.found[0] ? { ok: true } : refuse("REPOSITORY_NOT_FOUND");
  }, RULES);
}

/** Ends the sharing of a repository. Errors: REPOSITORY_NOT_FOUND and those of `findRefusal`. */
export async function unshareRepository(
  call: OrganizationCall,
  repositoryId: string,
): Promise<Done> {
  const { db, key, as } = call;
  const permission = ["repository", "delete"] as const;
  const isShared = and(
    eq(organizationRepository.organizationId, idOf(key)),
    eq(organizationRepository.repositoryId, repositoryId),
  );
  const done = await changeAndRecord(db, {
    change: db.delete(organizationRepository).where(and(isShared, isAllowed(call, permission))),
    event: eventIn(call, "organization.repository_unshared", detailsOf(repositoryId)),
    after: { found: selectStanding(call) },
  });
  if (done.isChanged) return { ok: true };
  return findRefusal(done.found[0], permission, as, NOT_ALLOWED) ?? refuse("REPOSITORY_NOT_FOUND");
}

function detailsOf(repositoryId: string) {
  return sql<string>`(SELECT json_object('repository', ${repository.name}, 'ids', json_object('repository', ${repository.id})) FROM ${repository} WHERE ${repository.id} = ${repositoryId})`;
}
