import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { insertEvent } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { member, organization } from "../../db/schema/schema.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import type { AppRequest } from "./app-request.ts";
import { inOrder, storedScopes } from "./scopes.ts";
import { oauthClient, oauthConsent, oauthRegistration } from "./tables.server.ts";

export const isConsentOf = (userId: string, clientId: string): SQL =>
  sql`${eq(oauthConsent.userId, userId)} AND ${eq(oauthConsent.clientId, clientId)}`;

/** Returns what an app may ask for; nothing for an unknown one. */
export async function findScopes(db: Db, clientId: string): Promise<string[]> {
  const [client] = await db
    .select({ scopes: oauthClient.scopes })
    .from(oauthClient)
    .where(eq(oauthClient.clientId, clientId));
  return client ? storedScopes(client.scopes) : [];
}

/**
 * Returns the organization that an app is told of: the one that the user has chosen for it, or for
 * an app that asks for no consent the one in which the user works.
 */
export async function findReference(
  db: Db,
  user: { id: string; activeOrganizationId: string | null },
  clientId: string,
): Promise<string | undefined> {
  const [client] = await db
    .select({
      skipsConsent: oauthClient.skipConsent,
      chosen: sql<string | null>`(
        SELECT ${oauthConsent.referenceId} FROM ${oauthConsent} WHERE ${isConsentOf(user.id, clientId)}
        ORDER BY ${oauthConsent.updatedAt} DESC LIMIT 1
      )`,
    })
    .from(oauthClient)
    .where(eq(oauthClient.clientId, clientId));
  if (client?.chosen) return client.chosen;
  return client?.skipsConsent ? (user.activeOrganizationId ?? undefined) : undefined;
}

/**
 * Reads what a person is asked about: the app, and the organizations of which it may be told.
 * `unchecked`: the app registered itself; with the host of its document, if it has one.
 */
export async function findAsked(db: Db, userId: string, clientId: string) {
  const [[client], organizations] = await db.batch([
    db
      .select({
        name: oauthClient.name,
        uri: oauthClient.uri,
        registered: sql<"call" | "document" | null>`(
          SELECT ${oauthRegistration.way} FROM ${oauthRegistration}
          WHERE ${oauthRegistration.clientId} = ${clientId}
        )`.as("registered"),
      })
      .from(oauthClient)
      .where(eq(oauthClient.clientId, clientId)),
    db
      .select({ id: organization.id, name: organization.name })
      .from(member)
      .innerJoin(organization, eq(organization.id, member.organizationId))
      .where(
        and(
          eq(member.userId, userId),
          sql`${organization.disabledAt} IS NULL AND ${organization.deletionDueAt} IS NULL`,
        ),
      )
      .orderBy(asc(organization.name), asc(organization.id))
      .limit(200),
  ]);
  if (!client) return undefined;
  const { registered, ...shown } = client;
  const host = registered === "document" ? new URL(clientId).host : undefined;
  return { client: { ...shown, unchecked: registered ? { host } : undefined }, organizations };
}

/**
 * True for an app at another site that registered itself and that the person has not allowed. Nobody
 * is led there without a word: the product would be an open redirector. Source: RFC 9700, 4.11.2.
 */
export async function isUntrusted(
  db: Db,
  { clientId, location }: { clientId: string; location: URL },
  userId: string | undefined,
): Promise<boolean> {
  if (location.protocol !== "https:") return false;
  const isAllowed = sql`EXISTS (
    SELECT 1 FROM ${oauthConsent} WHERE ${isConsentOf(userId ?? "", clientId)}
  )`;
  const [row] = await db
    .select({ way: oauthRegistration.way })
    .from(oauthRegistration)
    .where(sql`${eq(oauthRegistration.clientId, clientId)} AND NOT ${isAllowed}`);
  return row !== undefined;
}

type Consent = {
  userId: string;
  clientId: string;
  scopes: readonly string[];
  /** URLs of the servers that the app may call. */
  resources: readonly string[];
  organizationId: string | undefined;
  now: Date;
};

/** Returns the row of a yes, with lists as better-auth's plugin stores them. */
export function consentRow({ organizationId, scopes, resources, now, ...of }: Consent) {
  return {
    ...of,
    id: crypto.randomUUID(),
    referenceId: organizationId ?? null,
    scopes: JSON.stringify(scopes),
    resources: JSON.stringify(resources),
    requestedUserInfoClaims: null,
    createdAt: now,
    updatedAt: now,
  };
}

type Yes = { request: AppRequest; app: string; organizationId: string | undefined };

/** Writes a user's yes to an app, in place of an earlier one. */
export async function saveConsent(
  db: Db,
  actor: Actor,
  { request, app, organizationId }: Yes,
): Promise<void> {
  const { actorId: userId, source } = actor;
  const { clientId, search } = request;
  const consent = consentRow({
    userId,
    clientId,
    scopes: inOrder(request.scopes),
    resources: search.getAll("resource"),
    organizationId,
    now: source.now(),
  });
  await db.batch([
    db.delete(oauthConsent).where(isConsentOf(userId, clientId)),
    db.insert(oauthConsent).values(consent),
    insertEvent(db, ownEvent(source, userId, "app.connected", { name: app })),
  ]);
}
