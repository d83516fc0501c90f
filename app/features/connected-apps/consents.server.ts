import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { insertEvent } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { member, organization } from "../../db/schema/schema.ts";
import { type Actor, ownEvent } from "../audit/audit.server.ts";
import type { AppRequest } from "./app-request.ts";
import { inOrder, storedScopes } from "./scopes.ts";
import { oauthClient, oauthConsent, oauthRegistration } from "./tables.server.ts";

export const isConsentOf = (userId: string, clientId: string): SQL =>
  sql`${eq(oauthConsent.userId, userId)} AND ${eq(oauthConsent.clientId, clientId)}`;

/**
 * What an app is to a person. `closed`: its organization is disabled or being deleted. `outsider`:
 * the person is no member of its organization. Without a person, nobody is an outsider.
 */
export type Relation =
  | { type: "open"; reference: string | undefined; scopes: string[]; isUnguarded: boolean }
  | { type: "closed" }
  | { type: "outsider" };

/** Who asks, in which organization they work, and whether the app asks for an organization. */
type Person = { id: string; activeOrganizationId: string | null; isAboutOrganization: boolean };

/**
 * Finds whether a person may sign in to an app, what it may ask for, and the organization that it is
 * told of: its own; for an app of the site the one that the user has chosen for it, or for an app
 * that asks for no consent the one in which the user works. `isUnguarded`: the
 * app has no secret, or asks nobody, so who holds the user's session can get its tokens.
 */
export async function findRelation(
  db: Db,
  clientId: string,
  person: Person | undefined,
): Promise<Relation> {
  const userId = person?.id ?? "";
  const [client] = await db
    .select({
      scopes: oauthClient.scopes,
      kind: oauthClient.tokenEndpointAuthMethod,
      skipsConsent: oauthClient.skipConsent,
      organizationId: oauthClient.organizationId,
      isClosed: sql<0 | 1>`${isClosed()}`,
      isMember: sql<0 | 1>`${isMemberOf(sql`${oauthClient.organizationId}`, userId)}`,
      chosen: sql<string | null>`(
        SELECT ${oauthConsent.referenceId} FROM ${oauthConsent} WHERE ${isConsentOf(userId, clientId)}
        ORDER BY ${oauthConsent.updatedAt} DESC LIMIT 1
      )`,
    })
    .from(oauthClient)
    .where(eq(oauthClient.clientId, clientId));
  if (client?.isClosed) return { type: "closed" };
  if (client?.organizationId && person && !client.isMember) return { type: "outsider" };
  const scopes = client ? storedScopes(client.scopes) : [];
  const isUnguarded = client?.kind === "none" || client?.skipsConsent === true;
  return { type: "open", reference: referenceIn(), scopes, isUnguarded };

  function referenceIn() {
    if (!client || !person) return undefined;
    if (client.organizationId) return client.organizationId;
    if (!person.isAboutOrganization) return undefined;
    if (client.chosen) return client.chosen;
    return client.skipsConsent ? (person.activeOrganizationId ?? undefined) : undefined;
  }
}

/** SQL condition: a row of `oauth_client` belongs to an organization that is disabled or being deleted. */
export function isClosed(): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${organization} WHERE ${organization.id} = ${oauthClient.organizationId}
      AND (${organization.disabledAt} IS NOT NULL OR ${organization.deletionDueAt} IS NOT NULL)
  )`;
}

function isMemberOf(organizationId: SQL, userId: string | SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${member}
    WHERE ${member.organizationId} = ${organizationId} AND ${member.userId} = ${userId}
  )`;
}

/**
 * SQL condition: a row of `oauth_client` is an app that a person may sign in to, if it is on. It is
 * everybody for an app of the site, the members for one of an organization that is open.
 */
export function isFor(userId: string | SQL): SQL {
  return sql`(NOT ${isClosed()} AND (
    ${oauthClient.organizationId} IS NULL
    OR ${isMemberOf(sql`${oauthClient.organizationId}`, userId)}
  ))`;
}

/** SQL condition: the same for an app by its client ID, which is no column of `oauth_client`. */
export function mayUse(userId: string | SQL, clientId: string | SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${oauthClient} WHERE ${oauthClient.clientId} = ${clientId} AND ${isFor(userId)}
  )`;
}

/**
 * Reads what a person is asked about: the app, the organization that it belongs to, and those of
 * which it may be told. There is nothing to choose for an app of an organization.
 * `unchecked`: the app registered itself; with the host of its document, if it has one.
 */
export async function findAsked(db: Db, userId: string, clientId: string) {
  const [[found], organizations] = await db.batch([
    db
      .select({
        name: oauthClient.name,
        uri: oauthClient.uri,
        logo: oauthClient.logo,
        ownerId: oauthClient.organizationId,
        // In a batch two columns of one name would become one.
        ownerName: sql<string | null>`${organization.name}`.as("owner_name"),
        mayUse: sql<0 | 1>`${isFor(userId)}`.as("may_use"),
        registered: sql<"call" | "document" | null>`(
          SELECT ${oauthRegistration.way} FROM ${oauthRegistration}
          WHERE ${oauthRegistration.clientId} = ${clientId}
        )`.as("registered"),
      })
      .from(oauthClient)
      .leftJoin(organization, eq(organization.id, oauthClient.organizationId))
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
  if (!found) return undefined;
  const { name, uri, logo, registered, ownerId, ownerName } = found;
  const host = registered === "document" ? new URL(clientId).host : undefined;
  const owner = ownerId !== null && ownerName !== null ? { id: ownerId, name: ownerName } : null;
  return {
    client: { clientId, name, uri, logo, unchecked: registered ? { host } : undefined },
    owner,
    isOutsider: !found.mayUse,
    organizations: owner ? [] : organizations,
  };
}

type Asked = NonNullable<Awaited<ReturnType<typeof findAsked>>>;

/** Returns the organization that an app is told of after a yes: its own, or the chosen one. */
export function toldOrganization(
  { owner, organizations }: Asked,
  scopes: readonly string[],
  chosen: string,
): string | undefined {
  if (owner) return owner.id;
  const isMember = organizations.some(({ id }) => id === chosen);
  return scopes.includes("organization") && isMember ? chosen : undefined;
}

/**
 * True for an app at another site that registered itself and that the person has not allowed, or that
 * is of an organization and the person is no member. Nobody is led there without a word: the product
 * would be an open redirector. Source: RFC 9700, 4.11.2.
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
  const isRegistered = sql`EXISTS (
    SELECT 1 FROM ${oauthRegistration} WHERE ${eq(oauthRegistration.clientId, clientId)}
  )`;
  const [row] = await db
    .select({ id: oauthClient.id })
    .from(oauthClient)
    .where(
      sql`${eq(oauthClient.clientId, clientId)}
        AND ((${isRegistered} AND NOT ${isAllowed}) OR NOT ${isFor(userId ?? "")})`,
    );
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

/** Writes a user's yes to an app, in place of an earlier one; nothing of who is no member of its organization any more. */
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
  const isAllowed = mayUse(userId, clientId);
  await db.batch([
    db.delete(oauthConsent).where(isConsentOf(userId, clientId)),
    db
      .insert(oauthConsent)
      .select(sql`SELECT ${rowValues(oauthConsent, consent)} WHERE ${isAllowed}`),
    insertEvent(db, ownEvent(source, userId, "app.connected", { name: app }), isAllowed),
  ]);
}
