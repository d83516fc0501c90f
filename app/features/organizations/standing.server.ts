import { and, eq, inArray, isNull, SQL, sql } from "drizzle-orm";
import { type Db, isUniqueViolation, ruleOf } from "../../db/db.server.ts";
import { member, oldSlug, organization } from "../../db/schema/schema.ts";
import type { FeatureFacts } from "../../feature.ts";
import { FEATURES } from "../../features.ts";
import type { ErrorCode } from "../../i18n/message-key.ts";
import { type OrganizationPermission, rolesThatCan } from "../access/organization-permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, type AuditEntry, eventBy } from "../audit/audit.server.ts";

/** An organization by its id, which may be an SQL expression, or by the slug of a URL. */
export type OrganizationKey = { id: string | SQL<string> } | { slug: string };

/**
 * A change in an organization. A member may do what their role allows; a manager of the back-office what any owner may.
 */
export type OrganizationCall = {
  db: Db;
  actor: Actor;
  key: OrganizationKey;
  as: "member" | "manager";
};

export type Refusal = { ok: false; code: ErrorCode; retryAfterSeconds?: number | undefined };

/** Returns a refusal with an error code of the specification. */
export function refuse(code: ErrorCode): Refusal {
  return { ok: false, code };
}

/** SQL expression: the id of the organization; NULL for an unknown slug. */
export function idOf(key: OrganizationKey): SQL<string> {
  if ("id" in key) return sql<string>`${key.id}`;
  return sql<string>`(SELECT ${organization.id} FROM ${organization} WHERE ${organization.slug} = ${key.slug})`;
}

/** SQL expression: the id of the organization that has this slug, or had it until recently; NULL for an unknown one. */
export function idOfSlug(slug: string, now: Date): SQL<string> {
  return sql<string>`(
    SELECT ${organization.id} FROM ${organization} WHERE ${organization.slug} = ${slug}
    UNION ALL
    SELECT ${oldSlug.organizationId} FROM ${oldSlug}
    WHERE ${oldSlug.slug} = ${slug} AND ${oldSlug.expiresAt} > ${now.getTime()}
  )`;
}

/**
 * SQL expression: an organization's id if it is this one, else NULL.
 * @public For features, of which there may be none.
 */
export function only(id: SQL<string>, allowed: string): SQL<string> {
  return sql<string>`(CASE ${allowed} WHEN ${id} THEN ${allowed} END)`;
}

/** SQL condition: a row of `organization` is the organization with this key. */
export function isKey(key: OrganizationKey): SQL {
  return "id" in key ? eq(organization.id, key.id) : eq(organization.slug, key.slug);
}

/**
 * SQL condition: the actor may do this in the organization now. Each change checks it in the statement that writes, so
 * a role that another request takes away at the same time counts no longer.
 */
export function isAllowed(
  { key, actor, as }: OrganizationCall,
  permission: OrganizationPermission,
  also?: SQL,
): SQL {
  const isOpen = and(isNull(organization.disabledAt), isNull(organization.deletionDueAt));
  if (as === "manager") {
    return sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${and(isKey(key), isOpen, also)})`;
  }
  const isMember = and(
    eq(member.userId, actor.actorId),
    inArray(member.role, rolesThatCan(permission)),
  );
  return sql`EXISTS (
    SELECT 1 FROM ${organization} JOIN ${member} ON ${member.organizationId} = ${organization.id}
    WHERE ${and(isKey(key), isOpen, isMember, also)}
  )`;
}

/** What a user is in an organization, and the organization's state. */
export type Standing = Awaited<ReturnType<typeof selectStanding>>[number];

/**
 * Statement that finds the organization and the user's role in it. No row means that there is no such organization, or
 * that the user is not a member: both have the same answer.
 */
export function selectStanding(
  call: Pick<OrganizationCall, "db" | "key" | "as"> & { actor: Pick<Actor, "actorId"> },
) {
  const { db, key, actor, as } = call;
  const isMember = and(
    eq(member.organizationId, organization.id),
    eq(member.userId, actor.actorId),
  );
  return db
    .select({
      id: organization.id,
      slug: organization.slug,
      name: organization.name,
      disabledAt: organization.disabledAt,
      deletionDueAt: organization.deletionDueAt,
      role: member.role,
    })
    .from(organization)
    .leftJoin(member, isMember)
    .where(and(isKey(key), as === "member" ? eq(member.userId, actor.actorId) : undefined));
}

/** Error code of a member whose role does not allow an action, where it is not `NO_ACCESS`. */
const NOT_ALLOWED: { readonly [permission: string]: ErrorCode } = {
  "organization.update": "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  "organization.delete": "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
  "member.create": "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  "member.update": "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER",
  "member.delete": "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER",
  "invitation.create": "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  "invitation.cancel": "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
};

const NO_ACCESS = "YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION";

/**
 * Returns why `isAllowed` does not hold; undefined when it does. Errors: ORGANIZATION_NOT_FOUND,
 * ORGANIZATION_DISABLED, ORGANIZATION_BEING_DELETED, and the permission's code, or the act's `notAllowed` in its place.
 */
export function findRefusal(
  standing: Standing | undefined,
  permission: OrganizationPermission,
  as: OrganizationCall["as"],
  notAllowed?: ErrorCode,
): Refusal | undefined {
  if (!standing) return refuse("ORGANIZATION_NOT_FOUND");
  if (as === "member") {
    const [resource, action] = permission;
    const mayDo = standing.role !== null && rolesThatCan(permission).includes(standing.role);
    const code = NOT_ALLOWED[`${resource}.${action}`] ?? NO_ACCESS;
    if (!mayDo) return refuse(notAllowed ?? code);
  }
  if (standing.deletionDueAt) return refuse("ORGANIZATION_BEING_DELETED");
  return standing.disabledAt ? refuse("ORGANIZATION_DISABLED") : undefined;
}

/** Returns the audit event of a change of an organization. The key may be an SQL expression. */
export function eventIn(
  { actor, key }: { actor: Actor; key: OrganizationKey | SQL<string> },
  action: AuditAction,
  details?: AuditEntry["details"],
) {
  const id = key instanceof SQL ? key : idOf(key);
  return eventBy(actor, action, { target: { type: "organization", id }, details });
}

const FACTS: readonly FeatureFacts[] = FEATURES;
const OF_FEATURES = FACTS.flatMap(({ raised = [] }) => raised);

/** Error codes that triggers of the core's tables raise. */
const RULES: readonly ErrorCode[] = [
  "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
  "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS",
  "INVITATION_LIMIT_REACHED",
  "INVITATION_LINK_LIMIT_REACHED",
  "YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER",
  "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
  "ORGANIZATION_SLUG_ALREADY_TAKEN",
  // `features.check.ts` has checked them.
  ...(OF_FEATURES as readonly ErrorCode[]),
];

/** Error codes of the core's unique indexes. */
const UNIQUE: Readonly<Record<string, ErrorCode>> = {
  "organization.slug": "ORGANIZATION_SLUG_ALREADY_TAKEN",
  "member.user_id": "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
  "invitation.email": "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION",
};

/** What the triggers and unique indexes of a feature's tables refuse. */
export type FeatureRules = {
  raised?: readonly ErrorCode[];
  unique?: Readonly<Record<string, ErrorCode>>;
};

/**
 * Runs a change. Broken rules and unique indexes of the database become refusals with their error code; a feature names
 * those of its own tables.
 */
export async function attempt<R>(
  change: () => Promise<R | Refusal>,
  { raised = [], unique = {} }: FeatureRules = {},
): Promise<R | Refusal> {
  try {
    return await change();
  } catch (error) {
    const rule = ruleOf(error, [...RULES, ...raised]);
    if (rule) return refuse(rule);
    for (const [column, code] of Object.entries({ ...UNIQUE, ...unique })) {
      if (isUniqueViolation(error, column)) return refuse(code);
    }
    throw error;
  }
}
