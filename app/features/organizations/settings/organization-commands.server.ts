import { and, eq, exists, ne, or, sql } from "drizzle-orm";
import { changeAndRecord, recordAndChange } from "../../../db/change.server.ts";
import { ruleOf, secondsToWait } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { member, organization, session, user } from "../../../db/schema/schema.ts";
import { ORGANIZATION_LIMITS } from "../../../values/rate-limits.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type { OrganizationInput } from "../input.ts";
import {
  attempt,
  eventIn,
  findRefusal,
  idOf,
  isAllowed,
  isKey,
  type OrganizationCall,
  type Refusal,
  refuse,
  selectStanding,
} from "../standing.server.ts";
import { countedSlug } from "./change-limits.server.ts";

export type NewOrganization = {
  ok: true;
  id: string;
  slug: string;
  memberId: string;
  createdAt: Date;
};

/** Data that clients of the API keep with an organization, as JSON. */
type Metadata = { metadata?: string };

/**
 * Creates an organization with its owner. With `sessionId` it becomes the active organization of
 * that session. All or nothing: one batch. Errors: ORGANIZATION_SLUG_ALREADY_TAKEN,
 * YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS.
 */
export async function createOrganization(
  db: Db,
  actor: Actor,
  input: OrganizationInput & Metadata & { ownerId: string; sessionId?: string },
): Promise<NewOrganization | Refusal> {
  const { name, slug, metadata, ownerId, sessionId } = input;
  const [id, memberId] = [crypto.randomUUID(), crypto.randomUUID()];
  const now = actor.source.now();
  const isOwn = and(eq(session.id, sessionId ?? ""), eq(session.userId, ownerId));
  return attempt(async () => {
    await changeAndRecord(db, {
      change: db.insert(organization).values({
        id,
        name,
        slug,
        metadata,
        createdAt: now,
        updatedAt: now,
        searchKey: searchKey(name, slug),
      }),
      event: eventIn({ actor, key: { id } }, "organization.created", {
        after: { name, slug, metadata },
      }),
      after: {
        // First, so that triggers of the member find the session in which the organization is active.
        active: db
          .update(session)
          .set({ activeOrganizationId: id, activeTeamId: null })
          .where(isOwn),
        member: db.insert(member).values({
          id: memberId,
          organizationId: id,
          userId: ownerId,
          role: "owner",
          createdAt: now,
        }),
        last: db
          .update(user)
          .set({ lastOrganizationId: id })
          .where(and(eq(user.id, ownerId), exists(db.select().from(session).where(isOwn)))),
      },
    });
    return { ok: true, id, slug, memberId, createdAt: now };
  });
}

/**
 * Changes name and slug. The last three slugs redirect for 30 days (a trigger). With `version` it refuses to
 * overwrite a change that the form's author has not seen. Equal values change nothing. Errors: CONFLICT,
 * ORGANIZATION_SLUG_ALREADY_TAKEN, TOO_MANY_REQUESTS from the sixth new slug of a day on, and those of `findRefusal`.
 */
export async function updateOrganization(
  call: OrganizationCall,
  input: OrganizationInput & Metadata & { version?: number },
): Promise<{ ok: true; slug: string } | Refusal> {
  const { db, actor, key, as } = call;
  const { name, slug, metadata, version } = input;
  const permission = ["organization", "update"] as const;
  const isWanted = and(
    isAllowed(call, permission),
    isKey(key),
    version === undefined ? undefined : eq(organization.version, version),
    or(
      ne(organization.name, name),
      ne(organization.slug, slug),
      metadata === undefined ? undefined : sql`${organization.metadata} IS NOT ${metadata}`,
    ),
  );
  const now = actor.source.now();
  const isRenamed = sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isWanted} AND ${ne(organization.slug, slug)})`;
  const renames = countedSlug(db, sql<string>`'slug|' || ${idOf(key)}`, now, isRenamed);
  const isChange = and(isWanted, or(eq(organization.slug, slug), renames.isAllowed));
  const details = sql<string>`(SELECT json_object(
    'before', json_object('name', ${organization.name}, 'slug', ${organization.slug}, 'metadata', ${organization.metadata}),
    'after', json_object('name', ${name}, 'slug', ${slug}, 'metadata', ${metadata ?? organization.metadata})
  ) FROM ${organization} WHERE ${isKey(key)})`;
  return attempt(async () => {
    const {
      isChanged,
      standings: [standing],
      limited: [limited],
      renamed: [renamed],
    } = await recordAndChange(db, {
      before: { counted: renames.count },
      when: sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isChange})`,
      event: eventIn(call, "organization.updated", details),
      changes: (isRecorded) => ({
        updated: db
          .update(organization)
          .set({
            name,
            slug,
            metadata,
            searchKey: searchKey(name, slug),
            updatedAt: now,
            version: sql`${organization.version} + 1`,
          })
          .where(and(isKey(key), isRecorded)),
      }),
      after: {
        standings: selectStanding(call),
        renamed: renames.read,
        limited: db
          .select({
            isSpent: sql<0 | 1>`(${isRenamed} AND NOT ${renames.isAllowed})`.as("is_spent"),
          })
          .from(sql`(SELECT 1)`),
      },
    });
    if (isChanged) return { ok: true, slug };
    const refusal = findRefusal(standing, permission, as);
    if (refusal) return refusal;
    const isSame = metadata === undefined && standing?.name === name && standing.slug === slug;
    if (isSame) return { ok: true, slug };
    if (!limited?.isSpent) return refuse("CONFLICT");
    const retryAfterSeconds = secondsToWait(renamed, ruleOf(ORGANIZATION_LIMITS.slugs), now);
    return { ...refuse("TOO_MANY_REQUESTS"), retryAfterSeconds };
  });
}

/**
 * Returns true when no organization has a slug now, or had it until recently. The unique index and a trigger decide.
 */
export async function isSlugFree(
  db: Db,
  { slug, exceptId, now }: { slug: string; exceptId?: string; now: Date },
): Promise<boolean> {
  const [taken] = await db.all<{ id: string }>(sql`
    SELECT id FROM ${organization} WHERE slug = ${slug}
    UNION ALL
    SELECT organization_id FROM old_slug WHERE slug = ${slug} AND expires_at > ${now.getTime()}
  `);
  return taken === undefined || taken.id === exceptId;
}
