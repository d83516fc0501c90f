import { and, desc, eq, gt, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import { recordAndChange } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { ownRows } from "../../db/own-rows.server.ts";
import { readOf } from "../../db/read.server.ts";
import { organization, session } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { ShownApp } from "./app-facts.tsx";
import { MAX_APPS, MAX_REGISTERED_APPS } from "./limits.ts";
import { inOrder, storedList, storedScopes } from "./scopes.ts";
import {
  oauthAccessToken,
  oauthApproval,
  oauthClient,
  oauthConsent,
  oauthDeviceCode,
  oauthRefreshToken,
  oauthSessionApp,
} from "./tables.server.ts";

/** Tables of what a user has given to apps. */
const GIVEN = [oauthAccessToken, oauthRefreshToken, oauthConsent] as const;

/** Tables of what ends with the access of an app. */
const ENDED = [...GIVEN, oauthDeviceCode, oauthApproval] as const;

type UserId = string | SQL<string>;

/**
 * Statement that finds the apps that know a user: those with a consent, and those with a token that
 * works. An app of the operator asks for no consent, so it is there by its tokens alone. A token
 * that has ended says only when the app was last used.
 */
export function selectAppsOf(db: Db, userId: UserId, now: Date) {
  const isHeld = sql`given_is_held = 1`;
  const usedAt = sql<number | null>`max(given_used_at)`;
  const allowedAt = sql<number | null>`max(given_allowed_at)`;
  return db
    .select({
      // In a batch two columns of one name would become one.
      clientId: sql<string>`${oauthClient.clientId}`.as("app_id"),
      name: sql<string>`${oauthClient.name}`.as("app_name"),
      uri: oauthClient.uri,
      logo: sql<string | null>`${oauthClient.logo}`.as("app_logo"),
      isUnasked: sql<0 | 1>`${oauthClient.skipConsent}`.as("is_unasked"),
      allowedAt: allowedAt.as("last_allowed_at"),
      usedAt: usedAt.as("last_used_at"),
      scopes: sql<string>`json_group_array(DISTINCT given_scopes) FILTER (WHERE ${isHeld})`.as(
        "held_scopes",
      ),
      organizations: sql<string>`json_group_array(DISTINCT ${organization.name})
        FILTER (WHERE ${isHeld} AND ${organization.name} IS NOT NULL)`.as("told_of"),
    })
    .from(sql`${selectGiven(db, userId, now)}`)
    .innerJoin(oauthClient, sql`${oauthClient.clientId} = given_client_id`)
    .leftJoin(organization, sql`${organization.id} = given_reference_id`)
    .groupBy(oauthClient.clientId)
    .having(sql`max(given_is_held) = 1`)
    .orderBy(desc(sql`coalesce(${usedAt}, ${allowedAt})`), oauthClient.clientId)
    .limit(MAX_APPS + MAX_REGISTERED_APPS);
}

type Row = Awaited<ReturnType<typeof selectAppsOf>>[number];

/** Returns what the rows of `selectAppsOf` mean. */
export function shownApps(rows: readonly Row[]): ShownApp[] {
  return rows.map(({ isUnasked, allowedAt, usedAt, scopes, organizations, ...app }) => {
    return {
      ...app,
      isUnasked: isUnasked === 1,
      allowedAt: dateOf(allowedAt),
      usedAt: dateOf(usedAt),
      scopes: inOrder(storedList(scopes).flatMap(storedList)),
      organizations: storedList(organizations),
    };
  });
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/**
 * Consents and tokens of a user in one list, under names that no table has. `given_is_held` is 0 for
 * a token that has ended.
 */
function selectGiven(db: Db, userId: UserId, now: Date) {
  const ofAll = ({ clientId, referenceId, scopes }: (typeof GIVEN)[number]) => ({
    clientId: sql`${clientId}`.as("given_client_id"),
    referenceId: sql`${referenceId}`.as("given_reference_id"),
    scopes: sql`${scopes}`.as("given_scopes"),
  });
  const tokens = (table: typeof oauthAccessToken | typeof oauthRefreshToken) =>
    db
      .select({
        ...ofAll(table),
        allowedAt: sql`NULL`.as("given_allowed_at"),
        usedAt: sql`${table.createdAt}`.as("given_used_at"),
        isHeld: sql`${and(isNull(table.revoked), gt(table.expiresAt, now))}`.as("given_is_held"),
      })
      .from(table)
      .where(eq(table.userId, userId));
  const consents = db
    .select({
      ...ofAll(oauthConsent),
      allowedAt: sql`${oauthConsent.updatedAt}`.as("given_allowed_at"),
      usedAt: sql`NULL`.as("given_used_at"),
      isHeld: sql`1`.as("given_is_held"),
    })
    .from(oauthConsent)
    .where(eq(oauthConsent.userId, userId));
  return unionAll(consents, tokens(oauthRefreshToken), tokens(oauthAccessToken));
}

/**
 * Ends what an app may know of a user: the consent and all tokens, with an audit event, in one
 * batch. False when the app has nothing of the user.
 */
export async function endApp(
  db: Db,
  actor: Actor,
  userId: string,
  clientId: string,
): Promise<boolean> {
  const sessions = db.select({ id: session.id }).from(session).where(eq(session.userId, userId));
  const isToldOf = and(
    eq(oauthSessionApp.clientId, clientId),
    inArray(oauthSessionApp.sessionId, sessions),
  );
  const held = GIVEN.map((table) => sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isOf(table)})`);
  const { isChanged } = await recordAndChange(db, {
    when: sql`(${sql.join(held, sql` OR `)})`,
    event: eventBy(actor, "app.disconnected", {
      target: { type: "user", id: userId },
      details: sql<string>`(SELECT json_object('name', ${oauthClient.name}) FROM ${oauthClient}
        WHERE ${eq(oauthClient.clientId, clientId)})`,
    }),
    changes: () => ({
      ended: ENDED.map((table) => db.delete(table).where(isOf(table))),
      // It learns nothing more, so not when its sessions end either.
      untold: db.delete(oauthSessionApp).where(isToldOf),
    }),
  });
  return isChanged;

  function isOf(table: (typeof ENDED)[number]) {
    return and(eq(table.userId, userId), eq(table.clientId, clientId));
  }
}

/** Statements that end what all apps may know of a user, if a condition holds. */
export function endApps(db: Db, userId: string, when: SQLWrapper) {
  return ENDED.map((table) => db.delete(table).where(and(eq(table.userId, userId), when.getSQL())));
}

/** What apps have of a user, for the file with the own data. Tokens themselves are no part of it. */
export const ownAppData = {
  connectedApps: ({ id }: Owner) => given(oauthConsent, id, { allowedAt: oauthConsent.updatedAt }),
  appTokens: ({ id }: Owner) => given(oauthAccessToken, id, ofToken(oauthAccessToken)),
  appRefreshTokens: ({ id }: Owner) => given(oauthRefreshToken, id, ofToken(oauthRefreshToken)),
  deviceSignIns: ({ id }: Owner) => given(oauthDeviceCode, id, ofDevice),
  toldApps: ({ id }: Owner) =>
    readOf(
      (db) =>
        db
          .select({
            app: oauthClient.name,
            sessionId: oauthSessionApp.sessionId,
            createdAt: oauthSessionApp.createdAt,
          })
          .from(oauthSessionApp)
          .innerJoin(session, eq(session.id, oauthSessionApp.sessionId))
          .innerJoin(oauthClient, eq(oauthClient.clientId, oauthSessionApp.clientId))
          .where(eq(session.userId, id))
          .orderBy(oauthSessionApp.createdAt),
      (rows) => rows,
    ),
  appApprovals: ({ id }: Owner) =>
    readOf(
      (db) =>
        db
          .select({
            app: oauthClient.name,
            call: sql<string>`${oauthApproval.method} || ' ' || ${oauthApproval.path}`,
            permission: oauthApproval.scope,
            sent: oauthApproval.body,
            about: oauthApproval.title,
            status: oauthApproval.status,
            createdAt: oauthApproval.createdAt,
            expiresAt: oauthApproval.expiresAt,
          })
          .from(oauthApproval)
          .innerJoin(oauthClient, eq(oauthClient.clientId, oauthApproval.clientId))
          .where(eq(oauthApproval.userId, id))
          .orderBy(oauthApproval.createdAt),
      (rows) => rows,
    ),
  addedApps: ({ id }: Owner) =>
    ownRows(oauthClient, { where: eq(oauthClient.createdBy, id), columns: ["name", "createdAt"] }),
};

type Owner = { id: string };

function ofToken(table: typeof oauthAccessToken | typeof oauthRefreshToken) {
  const { sessionId, expiresAt, revoked } = table;
  return { sessionId, expiresAt, endedAt: revoked };
}

const ofDevice = {
  sessionId: oauthDeviceCode.sessionId,
  place: oauthDeviceCode.place,
  userAgent: oauthDeviceCode.userAgent,
  expiresAt: oauthDeviceCode.expiresAt,
};

function given(
  table: (typeof GIVEN)[number] | typeof oauthDeviceCode,
  userId: string,
  more: Record<string, SQLiteColumn>,
) {
  const { referenceId, scopes, createdAt } = table;
  return readOf(
    (db) =>
      db
        .select({ app: oauthClient.name, organizationId: referenceId, scopes, createdAt, ...more })
        .from(table)
        .innerJoin(oauthClient, eq(oauthClient.clientId, table.clientId))
        .where(eq(table.userId, userId))
        .orderBy(createdAt),
    (rows) => rows.map((row) => ({ ...row, scopes: storedScopes(row.scopes).join(" ") })),
  );
}
