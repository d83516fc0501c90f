import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { changeAndRecord, recordAndChange } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { member, organization, session, user } from "../../db/schema/schema.ts";
import type { RequestInfo } from "../../http/request-context.ts";
import type { Language } from "../../i18n/languages.ts";
import { DAY_MS } from "../../values/time.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";
import { permissionsOf, scopesIn } from "../access/scopes.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { describeNews, newsExpiry } from "../audit/occasion.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { MAX_API_KEYS } from "./api-key.ts";
import { selectCallDays, selectCalls } from "./call-log.server.ts";
import { CALL_LOG_DAYS } from "./call-log.ts";
import { API_KEY_LIMITS } from "./limits.ts";
import { makeSecret } from "./secret.server.ts";
import { apiKey } from "./tables.server.ts";

/** Whose keys: those of a user for the account, or those of an organization. */
export type KeyOwner = { userId: string } | { organizationId: string };

/** How long a key stays in the list after its end. */
const KEPT_MS = 30 * DAY_MS;

/** How long a revoked key stays: as long as its calls. */
const REVOKED_KEPT_MS = CALL_LOG_DAYS * DAY_MS;

const revoker = alias(user, "revoker");

type Services = { db: Db; mailer: Pick<Mailer, "prepare">; baseUrl: string };

/** The user who makes a key, in the session that does it. */
type Maker = {
  actor: Actor;
  info: RequestInfo;
  language: Language;
  sessionId: string;
  user: { email: string; role: string };
  organization?: { id: string; name: string };
};

type NewKey = { name: string; scopes: readonly string[]; days: number };

/** `secret` is the key itself, to be shown once. */
type Made = { ok: true; secret: string; scopes: readonly string[] } | Refused;

type Refused = {
  ok: false;
  code: "API_KEY_LIMIT_REACHED" | "EMAIL_NOT_VERIFIED" | "TOO_MANY_REQUESTS";
  retryAfterSeconds?: number | undefined;
};

/** Finds the keys of a user or of an organization, whose id may be an SQL expression; the newest first. */
export function selectApiKeys(db: Db, owner: KeyOwner | { organizationId: SQL<string> }) {
  return selectKeys(db, isOf(owner));
}

/** Finds all keys that a user has made, also for organizations, for managers. */
export function selectApiKeysBy(db: Db, userId: string | SQL<string>) {
  return selectKeys(db, eq(apiKey.userId, userId), sql`TRUE`);
}

/** Condition: one of their keys. */
function isKeyOf(owner: KeyOwner | { organizationId: SQL<string> }, id: string): SQL | undefined {
  return and(eq(apiKey.id, id), isOf(owner));
}

/**
 * Finds a key of a user for the account, or of an organization, with its last calls and their
 * number by day. Undefined when they have no such key.
 */
export async function findApiKey(db: Db, owner: KeyOwner, id: string, now: Date) {
  const [[shown], calls, days] = await db.batch(selectApiKey(db, owner, id, now));
  return shown && { shown, calls, days };
}

/** Statements for one key with its last calls and the days of its calls, for a larger batch. */
export function selectApiKey(
  db: Db,
  owner: KeyOwner | { organizationId: SQL<string> },
  id: string,
  now: Date,
) {
  const which = isKeyOf(owner, id);
  return [
    selectKeys(db, which),
    selectCalls(db, which, now),
    selectCallDays(db, which, now),
  ] as const;
}

/** SQL condition: a key was revoked by its maker, or by a member of its organization. */
const isRevokedAmongOwners = sql`(${apiKey.revokedBy} = ${apiKey.userId} OR EXISTS (
  SELECT 1 FROM ${member}
  WHERE ${member.organizationId} = ${apiKey.organizationId} AND ${member.userId} = ${apiKey.revokedBy}
))`;

/** `isNamed` is the condition under which the reader learns who revoked a key. */
function selectKeys(db: Db, which: SQL | undefined, isNamed = isRevokedAmongOwners) {
  return db
    .select({
      id: apiKey.id,
      name: apiKey.name,
      start: apiKey.start,
      permissions: apiKey.permissions,
      userId: apiKey.userId,
      createdAt: apiKey.createdAt,
      expiresAt: apiKey.expiresAt,
      lastRequest: apiKey.lastRequest,
      // In a batch two columns of one name would become one.
      maker: sql<string>`${user.name}`.as("maker_name"),
      organization: sql<string | null>`${organization.name}`.as("organization_name"),
      revokedAt: apiKey.revokedAt,
      revokedBy: sql<string | null>`iif(${isNamed}, ${revoker.name}, NULL)`.as("revoked_by_name"),
      isRevokedByManager: sql<0 | 1>`${revoker.id} IS NOT NULL AND NOT ${isNamed}`.as(
        "is_revoked_by_manager",
      ),
    })
    .from(apiKey)
    .innerJoin(user, eq(user.id, apiKey.userId))
    .leftJoin(organization, eq(organization.id, apiKey.organizationId))
    .leftJoin(revoker, eq(revoker.id, apiKey.revokedBy))
    .where(which)
    .orderBy(desc(apiKey.createdAt), desc(apiKey.id));
}

/** Condition: the keys of a user for the account, or those of an organization. */
function isOf(owner: KeyOwner | { organizationId: SQL<string> }) {
  return "organizationId" in owner
    ? eq(apiKey.organizationId, owner.organizationId)
    : and(eq(apiKey.userId, owner.userId), isNull(apiKey.organizationId));
}

/**
 * Makes a key, with its audit event and a mail to its maker, in one batch. The key remembers the
 * passkey that has proven the session, for managers who must use one. Undefined when the maker may
 * no longer make one. Errors: API_KEY_LIMIT_REACHED, EMAIL_NOT_VERIFIED, TOO_MANY_REQUESTS.
 */
export async function createApiKey(
  services: Services,
  maker: Maker,
  { name, scopes, days }: NewKey,
): Promise<Made | undefined> {
  const { db } = services;
  const { actor } = maker;
  const now = actor.source.now();
  const { secret, hash, start } = await makeSecret();
  const id = crypto.randomUUID();
  const owner = ownerOf(maker);
  const limit = limitOf(db, actor, now);
  const count = sql<number>`(SELECT count(*) FROM ${apiKey} WHERE ${and(isOf(owner), gt(apiKey.expiresAt, now))})`;
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  const row = rowValues(apiKey, {
    id,
    name,
    start,
    key: hash,
    expiresAt,
    createdAt: now,
    lastRequest: null,
    userId: actor.actorId,
    organizationId: maker.organization?.id ?? null,
    permissions: permissionsOf(scopes),
    passkeyId: passkeyOf(maker),
    revokedAt: null,
    revokedBy: null,
  });
  const mail = await prepareMail(services, maker, name);
  const {
    isChanged,
    mails,
    known: [known],
    counted: [counted],
  } = await changeAndRecord(db, {
    before: { count: limit.count },
    change: db
      .insert(apiKey)
      .select(
        sql`SELECT ${row} WHERE ${count} < ${MAX_API_KEYS} AND ${limit.isAllowed} AND ${mayMake(maker)}`,
      ),
    event: eventBy(actor, "api_key.created", {
      target: targetOf(owner),
      details: { name, permissions: scopes.join(", "), until: expiresAt.toISOString() },
    }),
    next: (isMade) => ({ mails: mail.ifChanged(isMade) }),
    after: { known: selectStanding(db, maker, count), counted: limit.read },
  });
  if (!isChanged) {
    const isFull = (known?.keys ?? 0) >= MAX_API_KEYS;
    return refusalOf(known, isFull ? { code: "API_KEY_LIMIT_REACHED" } : tooMany(counted, now));
  }
  maker.info.afterAnswer(() => mail.send(mails));
  return { ok: true, secret, scopes };
}

/**
 * Replaces a key by a new one with the same name, permissions and number of days; the old one ends
 * at once. Only its maker can, because the key acts in the maker's name. Undefined when there is no
 * such key of theirs, or the maker may no longer make one. Errors: EMAIL_NOT_VERIFIED,
 * TOO_MANY_REQUESTS.
 */
export async function rotateApiKey(
  services: Services,
  maker: Maker,
  id: string,
): Promise<Made | undefined> {
  const { db } = services;
  const { actor } = maker;
  const now = actor.source.now();
  const { secret, hash, start } = await makeSecret();
  const owner = ownerOf(maker);
  const limit = limitOf(db, actor, now);
  const isOwn = and(isKeyOf(owner, id), eq(apiKey.userId, actor.actorId), isNull(apiKey.revokedAt));
  const [found] = await db
    .select({ name: apiKey.name, permissions: apiKey.permissions })
    .from(apiKey)
    .where(isOwn);
  if (!found) return undefined;
  const mail = await prepareMail(services, maker, found.name);
  const {
    isChanged,
    mails,
    known: [known],
    counted: [counted],
  } = await changeAndRecord(db, {
    before: { count: limit.count },
    change: db
      .update(apiKey)
      .set({
        key: hash,
        start,
        passkeyId: passkeyOf(maker),
        createdAt: now,
        expiresAt: sql`${now.getTime()} + ${apiKey.expiresAt} - ${apiKey.createdAt}`,
        lastRequest: null,
      })
      .where(and(isOwn, limit.isAllowed, mayMake(maker))),
    event: eventBy(actor, "api_key.rotated", {
      target: targetOf(owner),
      details: { name: found.name },
    }),
    next: (isRotated) => ({ mails: mail.ifChanged(isRotated) }),
    after: { known: selectStanding(db, maker), counted: limit.read },
  });
  if (!isChanged) return refusalOf(known, tooMany(counted, now));
  maker.info.afterAnswer(() => mail.send(mails));
  return { ok: true, secret, scopes: scopesIn(found.permissions) };
}

/**
 * Ends a key. It opens nothing from the next request on, and stays for a while with its calls.
 * False when its owner has no such key.
 */
export async function revokeApiKey(
  db: Db,
  actor: Actor,
  owner: KeyOwner,
  id: string,
): Promise<boolean> {
  return revoke(db, actor, owner, isKeyOf(owner, id));
}

/** Ends a key that a user has made, also one for an organization; for managers. */
export async function revokeApiKeyBy(
  db: Db,
  actor: Actor,
  userId: string,
  id: string,
): Promise<boolean> {
  return revoke(db, actor, { userId }, and(eq(apiKey.id, id), eq(apiKey.userId, userId)));
}

async function revoke(db: Db, actor: Actor, owner: KeyOwner, ofOwner: SQL | undefined) {
  const which = and(ofOwner, isNull(apiKey.revokedAt));
  const now = actor.source.now();
  const details = sql<string>`(SELECT json_object('name', ${apiKey.name}) FROM ${apiKey} WHERE ${which})`;
  const { isChanged } = await recordAndChange(db, {
    when: sql`EXISTS (SELECT 1 FROM ${apiKey} WHERE ${which})`,
    event: eventBy(actor, "api_key.revoked", { target: targetOf(owner), details }),
    changes: () => ({
      revoked: db
        .update(apiKey)
        .set({
          revokedAt: now,
          revokedBy: actor.actorId,
          // The previous release looks at the end alone.
          expiresAt: sql`min(${apiKey.expiresAt}, ${now.getTime()})`,
        })
        .where(which),
    }),
  });
  return isChanged;
}

/**
 * Deletes keys that have ended or were revoked long ago. Until then their owner's list tells of
 * them.
 */
export async function pruneApiKeys(db: Db, now: Date): Promise<void> {
  const before = (age: number) => new Date(now.getTime() - age);
  const isOld = or(
    lt(apiKey.expiresAt, before(KEPT_MS)),
    lt(apiKey.revokedAt, before(REVOKED_KEPT_MS)),
  );
  await db.delete(apiKey).where(isOld);
}

function ownerOf({ actor, organization }: Maker): KeyOwner {
  return organization ? { organizationId: organization.id } : { userId: actor.actorId };
}

/**
 * SQL condition: the maker may make a key now. It checks in the statement that writes, so a session
 * or an ownership that another request ends at the same time counts no longer. A ban ends the
 * sessions.
 */
function mayMake({ actor, sessionId, organization: at }: Maker): SQL {
  const isProven = sql`EXISTS (
    SELECT 1 FROM ${user} JOIN ${session} ON ${session.userId} = ${user.id}
    WHERE ${user.id} = ${actor.actorId} AND ${user.emailVerified} = 1 AND ${user.deletionDueAt} IS NULL
      AND ${session.id} = ${sessionId}
  )`;
  if (!at) return isProven;
  const roles = JSON.stringify(rolesThatCan(["apiKey", "create"]));
  return sql`${isProven} AND EXISTS (
    SELECT 1 FROM ${organization} JOIN ${member} ON ${member.organizationId} = ${organization.id}
    WHERE ${organization.id} = ${at.id} AND ${member.userId} = ${actor.actorId}
      AND ${member.role} IN (SELECT value FROM json_each(${roles}))
      AND ${organization.disabledAt} IS NULL AND ${organization.deletionDueAt} IS NULL
  )`;
}

/** SQL expression: the passkey that has proven the maker's session, or NULL. */
function passkeyOf({ sessionId }: Maker): SQL {
  return sql`(SELECT ${session.passkeyProvedBy} FROM ${session} WHERE ${session.id} = ${sessionId})`;
}

/** Statement that reads why a key was not made. */
function selectStanding(db: Db, maker: Maker, keys: SQL<number> = sql<number>`0`) {
  return db
    .select({
      keys: keys.as("keys"),
      isAllowed: sql<0 | 1>`${mayMake(maker)}`.as("is_allowed"),
      emailVerified: user.emailVerified,
    })
    .from(user)
    .where(eq(user.id, maker.actor.actorId));
}

/** Returns why a key was not made; undefined when the maker may no longer make one. */
function refusalOf(
  known: { isAllowed: 0 | 1; emailVerified: boolean } | undefined,
  otherwise: Omit<Refused, "ok">,
): Refused | undefined {
  if (known && !known.emailVerified) return { ok: false, code: "EMAIL_NOT_VERIFIED" };
  return known?.isAllowed ? { ok: false, ...otherwise } : undefined;
}

function tooMany(counted: Parameters<typeof secondsToWait>[0], now: Date) {
  const retryAfterSeconds = secondsToWait(counted, ruleOf(API_KEY_LIMITS.made), now);
  return { code: "TOO_MANY_REQUESTS", retryAfterSeconds } as const;
}

/** Each new key sends a mail. */
function limitOf(db: Db, { actorId }: Actor, now: Date) {
  return countedRequest(db, `api-key-made|${actorId}`, ruleOf(API_KEY_LIMITS.made), now);
}

function targetOf(owner: KeyOwner) {
  return "organizationId" in owner
    ? ({ type: "organization", id: owner.organizationId } as const)
    : ({ type: "user", id: owner.userId } as const);
}

function prepareMail({ mailer, baseUrl }: Services, maker: Maker, name: string) {
  const { info, language, user: recipient, organization: at } = maker;
  return mailer.prepare(
    {
      recipient: recipient.email,
      language,
      expiresAt: newsExpiry(info.now()),
      message: {
        kind: "api-key-created",
        name,
        organization: at?.name ?? null,
        ...describeNews(info, recipient.role, baseUrl),
      },
    },
    info.now(),
  );
}
