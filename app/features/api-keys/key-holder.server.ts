import { and, eq, gt, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import { isBannedAt } from "../../db/ban.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { member, organization, user } from "../../db/schema/schema.ts";
import type { Problem } from "../../http/problem.server.ts";
import { HOUR_MS } from "../../values/time.ts";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { mayCall, ownerColumns, ownerOf, refusalOfOwner } from "../access/caller.server.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";
import type { KeyHolder, LookupOptions, Programs } from "../access/program.server.ts";
import type { OrganizationRole } from "../access/role-names.ts";
import { API_KEY_LIMITS } from "./limits.ts";
import { findSecret, hashSecret } from "./secret.server.ts";
import { apiKey } from "./tables.server.ts";

/** Roles whose keys for an organization work. */
const MAKERS = rolesThatCan(["apiKey", "create"]);

const UNKNOWN = {
  ok: false,
  status: 401,
  headers: { "WWW-Authenticate": "Bearer" },
} as const;
const MISSING = { ...UNKNOWN, code: "API_KEY_MISSING" } as const;
const INVALID = { ...UNKNOWN, code: "INVALID_API_KEY" } as const;

/**
 * Returns the owner of a request's key, in one round trip to the primary, so that a revoked key is
 * known at once. What the owner may do is read now and copied nowhere. A key that is unknown,
 * revoked or over, or whose owner is banned, being deleted or no longer an owner of its
 * organization, has one answer: INVALID_API_KEY. Further errors: API_KEY_MISSING, NOT_ONBOARDED,
 * TERMS_NOT_ACCEPTED, TOO_MANY_REQUESTS, and for a key of an organization that is closed, also for
 * reads, ORGANIZATION_BEING_DELETED and ORGANIZATION_DISABLED.
 */
export async function findKeyHolder(
  request: Request,
  { db, adminEmails, now, termsVersion }: LookupOptions,
): ReturnType<Programs["findHolder"]> {
  const sent = findSecret(request);
  if (sent === undefined) return MISSING;
  const hash = await hashSecret(sent);
  if (!hash) return INVALID;
  const isSent = eq(apiKey.key, hash);
  const isKey = and(isSent, gt(apiKey.expiresAt, now), isNull(apiKey.revokedAt));
  const rule = ruleOf(API_KEY_LIMITS.calls);
  const ofKey = sql`FROM ${apiKey} WHERE ${isKey}`;
  const { count, read } = countedRequest(
    db,
    sql<string>`(SELECT 'api-key|' || ${apiKey.id} ${ofKey})`,
    rule,
    now,
    sql`EXISTS (SELECT 1 ${ofKey})`,
  );
  const isUnused = lt(apiKey.lastRequest, new Date(now.getTime() - HOUR_MS));
  const [, [counted], , [row]] = await db.batch([
    count,
    read,
    db
      .update(apiKey)
      .set({ lastRequest: now })
      .where(and(isKey, or(isNull(apiKey.lastRequest), isUnused))),
    selectHolder(db, isSent, { now, termsVersion }),
  ]);
  if (!row) return INVALID;
  const { keyId } = row;
  const retryAfterSeconds = secondsToWait(counted, rule, now);
  const refusal = refusalOfKey(row, now, retryAfterSeconds);
  if (refusal) return { ...refusal, ok: false, keyId };
  return {
    ok: true,
    holder: {
      by: { type: "key", id: keyId },
      permissions: row.permissions,
      user: ownerOf(row, { adminEmails, now }),
      knows: { name: true, email: true },
      organization: row.organizationId ? { id: row.organizationId, role: row.memberRole } : null,
    },
  };
}

type HolderRow = Awaited<ReturnType<typeof selectHolder>>[number];

/** Returns the refusal of every call with a known key, if there is one. */
function refusalOfKey(
  row: HolderRow,
  now: Date,
  retryAfterSeconds: number | undefined,
): Problem | undefined {
  const { expiresAt, revokedAt, deletionDueAt, emailVerified, organizationId, memberRole } = row;
  if (revokedAt || expiresAt <= now || deletionDueAt || !emailVerified) return INVALID;
  if (organizationId && !MAKERS.includes(memberRole)) return INVALID;
  if (retryAfterSeconds) return { status: 429, code: "TOO_MANY_REQUESTS", retryAfterSeconds };
  const refusal = refusalOfOwner(row);
  if (refusal) return refusal;
  if (row.organizationDeletionDueAt) return { status: 403, code: "ORGANIZATION_BEING_DELETED" };
  if (row.organizationDisabledAt) return { status: 403, code: "ORGANIZATION_DISABLED" };
  return undefined;
}

/** Statement that finds a key's owner. */
function selectHolder(
  db: Db,
  isKey: SQL | undefined,
  { now, termsVersion }: Pick<LookupOptions, "now" | "termsVersion">,
) {
  return db
    .select({
      keyId: sql<string>`${apiKey.id}`.as("key_id"),
      permissions: apiKey.permissions,
      expiresAt: apiKey.expiresAt,
      revokedAt: apiKey.revokedAt,
      organizationId: apiKey.organizationId,
      memberRole: sql<OrganizationRole>`${member.role}`.as("member_role"),
      organizationDisabledAt: organization.disabledAt,
      organizationDeletionDueAt: sql<number | null>`${organization.deletionDueAt}`.as(
        "organization_deletion_due_at",
      ),
      ...ownerColumns({ termsVersion }, sql`${apiKey.passkeyId}`),
    })
    .from(apiKey)
    .innerJoin(user, eq(user.id, apiKey.userId))
    .leftJoin(
      member,
      and(eq(member.organizationId, apiKey.organizationId), eq(member.userId, user.id)),
    )
    .leftJoin(organization, eq(organization.id, apiKey.organizationId))
    .where(and(isKey, not(isBannedAt(now))));
}

/** Returns why a key may not make a call: its owner has not the permission, or the key was not given it by name. */
export function refusalOf(holder: KeyHolder, call: ApiEndpoint): Problem | undefined {
  return keyMay(holder, call) ? undefined : { status: 403, code: "API_KEY_LACKS_PERMISSION" };
}

function keyMay(holder: KeyHolder, call: ApiEndpoint): boolean {
  const { permissions, organization } = holder;
  if (!organization) return mayCall(holder, call);
  if (call.isForAll) return true;
  if (!call.organization) return false;
  const [resource, action] = call.organization;
  const isGiven = permissions[resource]?.includes(action) ?? false;
  return isGiven && rolesThatCan(call.organization).includes(organization.role);
}
