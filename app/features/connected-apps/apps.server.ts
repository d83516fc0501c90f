import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Changed, changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { foldForSearch, searchKey } from "../../db/fold.ts";
import { idsIn } from "../../db/ids-in.ts";
import { readOf } from "../../db/read.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { user } from "../../db/schema/schema.ts";
import { list, type Reader } from "../../lists/query/list.server.ts";
import type { Source } from "../../lists/query/list-query.server.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { AuditDetails } from "../audit/changes.ts";
import { type AppMaker, readMaker } from "./app-makers.ts";
import { hashSecret, newSecret, overlapUntil, rotated } from "./client-secret.ts";
import { DEVICE_GRANT } from "./device-code.ts";
import { API_TOKEN_SECONDS, MAX_APPS } from "./limits.ts";
import type { AppInput } from "./read-app.ts";
import { type AppKind, applicationTypeOf } from "./redirect-uris.ts";
import { storedList, storedScopes } from "./scopes.ts";
import {
  oauthClient,
  oauthClientResource,
  oauthConsent,
  oauthRefreshToken,
  oauthRegistration,
  oauthRegistrationSetting,
  oauthResource,
} from "./tables.server.ts";

/** Of an app with more people, the screen says no more. */
const MAX_COUNTED_PEOPLE = 1_000;

/** How apps of each kind get tokens. */
export const GRANTS: Record<AppKind, readonly string[]> = {
  server: ["authorization_code", "refresh_token"],
  public: ["authorization_code", "refresh_token", DEVICE_GRANT],
};

/** A manager who changes apps. */
type AppCall = { db: Db; actor: Actor };

export const APP_SOURCE: Source = {
  table: oauthClient,
  name: "oauth_client",
  title: oauthClient.name,
  first: oauthClient.createdAt,
};

const isRegistered = sql`EXISTS (
  SELECT 1 FROM ${oauthRegistration} WHERE ${oauthRegistration.clientId} = ${oauthClient.clientId}
)`;

/** SQL conditions: apps that are shown. */
const MADE_BY: Record<AppMaker, SQL> = {
  all: sql`true`,
  managers: sql`NOT ${isRegistered}`,
  themselves: isRegistered,
};

/** The list of apps. They are few, so it needs neither an index nor a kept total. */
const apps = list({
  id: oauthClient.id,
  select: (db, where, order) =>
    db
      .select({
        id: oauthClient.id,
        name: oauthClient.name,
        uri: oauthClient.uri,
        method: oauthClient.tokenEndpointAuthMethod,
        disabled: oauthClient.disabled,
        searchKey: oauthClient.searchKey,
        createdAt: oauthClient.createdAt,
        isRegistered: sql<0 | 1>`${isRegistered}`.as("is_registered"),
      })
      .from(oauthClient)
      .where(where)
      .orderBy(...order),
  sorts: ["created", "name"],
  orders: {
    created: { by: oauthClient.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
    // It begins with the name.
    name: { by: oauthClient.searchKey, valueOf: (row) => row.searchKey },
  },
  readFilters: ({ searchParams }) => ({ filters: readMaker(searchParams) }),
  parts: (maker, searchTerm) => [
    {
      from: sql`${oauthClient}`,
      where: sql`instr(${oauthClient.searchKey}, ${foldForSearch(searchTerm.trim())}) > 0 AND ${MADE_BY[maker]}`,
    },
  ],
  show: ({ id, name, uri, method, disabled, createdAt, isRegistered }) => ({
    id,
    name,
    uri,
    kind: kindOf(method),
    isRegistered: isRegistered === 1,
    disabled,
    createdAt,
  }),
});

const BESIDE = readOf(
  (db) =>
    db
      .select({
        added: countAdded().as("added"),
        byCall: oauthRegistrationSetting.byCall,
        byDocument: oauthRegistrationSetting.byDocument,
      })
      .from(oauthRegistrationSetting),
  ([row]) => ({
    isFull: (row?.added ?? 0) >= MAX_APPS,
    /** True while apps may register themselves. */
    isOpen: row !== undefined && (row.byCall || row.byDocument),
  }),
);

/**
 * Loads the list of apps for a URL, whether managers may add another, and whether apps may register
 * themselves, in one round trip.
 */
export async function loadApps(db: Db, url: URL, reader: Reader) {
  const { loaded, beside } = await apps.loadWith(db, url, reader, BESIDE);
  const { rows, filters: maker, state } = loaded;
  return { rows, maker, state, ...beside };
}

function kindOf(method: "none" | "client_secret_basic"): AppKind {
  return method === "none" ? "public" : "server";
}

/** An app as its screen shows it, without its secret. */
export type ShownApp = NonNullable<Awaited<ReturnType<typeof findApp>>>;

export async function findApp(db: Db, id: string, now: Date) {
  const [row] = await db
    .select({
      app: oauthClient,
      maker: sql<string | null>`${user.name}`.as("maker"),
      registered: sql<0 | 1>`${isRegistered}`.as("is_registered"),
      people: countPeople(),
      apis: sql<string>`(
        SELECT json_group_array(resource_id) FROM (
          SELECT ${oauthClientResource.resourceId} AS resource_id FROM ${oauthClientResource}
          WHERE ${oauthClientResource.clientId} = ${oauthClient.clientId} ORDER BY 1
        )
      )`.as("apis"),
    })
    .from(oauthClient)
    .leftJoin(user, eq(user.id, oauthClient.createdBy))
    .where(eq(oauthClient.id, id));
  if (!row) return undefined;
  const { app, maker, registered, people, apis } = row;
  const { clientId, name, uri, disabled, version, createdAt } = app;
  return {
    id,
    clientId,
    name,
    uri,
    kind: kindOf(app.tokenEndpointAuthMethod),
    redirectUris: storedList(app.redirectUris),
    afterSignOut: storedList(app.postLogoutRedirectUris),
    logoutUri: app.logoutUri,
    /** The last try to tell it of the end of a session. */
    lastLogout:
      app.logoutTriedAt && app.logoutAnswer !== null
        ? { at: app.logoutTriedAt, answer: app.logoutAnswer }
        : undefined,
    apis: storedList(apis),
    scopes: storedScopes(app.scopes),
    skipConsent: app.skipConsent,
    disabled,
    version,
    createdAt,
    maker,
    /** True for an app that registered itself. Managers cannot change what it says of itself. */
    isRegistered: registered === 1,
    /** Until when the secret before the last replacement counts. */
    oldSecretUntil: app.clientSecret === null ? undefined : overlapUntil(app.clientSecret, now),
    people: Math.min(people, MAX_COUNTED_PEOPLE),
    hasMorePeople: people > MAX_COUNTED_PEOPLE,
  };
}

/** SQL expression: how many people have allowed an app something, or have a token; no more than one above the most. */
function countPeople() {
  const limit = MAX_COUNTED_PEOPLE + 1;
  const of = ({ clientId, userId }: typeof oauthConsent | typeof oauthRefreshToken) => sql`
    SELECT user_id FROM (
      SELECT DISTINCT ${userId} FROM ${userId.table}
      WHERE ${clientId} = ${oauthClient.clientId} LIMIT ${limit}
    )`;
  return sql<number>`(
    SELECT min(count(*), ${limit}) FROM (${of(oauthConsent)} UNION ${of(oauthRefreshToken)})
  )`.as("people");
}

/** What an app's columns hold of a manager's input. */
export function columnsOf(input: AppInput, kind: AppKind, clientId: string) {
  return {
    name: input.name,
    uri: input.uri,
    searchKey: searchKey(input.name, clientId, input.uri),
    redirectUris: JSON.stringify(input.redirectUris),
    postLogoutRedirectUris: JSON.stringify(input.afterSignOut),
    logoutUri: input.logoutUri,
    scopes: JSON.stringify(input.scopes),
    applicationType: applicationTypeOf(kind, input.redirectUris),
    skipConsent: input.skipConsent,
  };
}

type NewApp = {
  id: string;
  clientId: string;
  /** A hash. */
  clientSecret: string | null;
  kind: AppKind;
  grants: readonly string[];
  input: AppInput;
  createdBy: string | null;
  now: Date;
};

/** Returns the values of the row of a new app. */
export function appRow({ kind, grants, input, now, ...of }: NewApp): SQL {
  return rowValues(oauthClient, {
    ...of,
    ...columnsOf(input, kind, of.clientId),
    tokenEndpointAuthMethod: kind === "server" ? "client_secret_basic" : "none",
    grantTypes: JSON.stringify(grants),
    responseTypes: JSON.stringify(["code"]),
    requirePKCE: true,
    enableEndSession: true,
    logoutTriedAt: null,
    logoutAnswer: null,
    disabled: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

/** SQL expression: how many apps managers have added. Those that registered themselves have their own room. */
function countAdded() {
  return sql<number>`(SELECT count(*) FROM ${oauthClient}) - (SELECT count(*) FROM ${oauthRegistration})`;
}

/** What the audit log tells of an app. */
export function told(input: AppInput): AuditDetails {
  return {
    name: input.name,
    startPage: input.uri,
    redirectUris: input.redirectUris.join(" "),
    afterSignOut: input.afterSignOut.join(" ") || null,
    logoutUri: input.logoutUri,
    apis: input.apis.join(" ") || null,
    scopes: input.scopes.join(" "),
    asksPeople: input.skipConsent ? "no" : "yes",
  };
}

/** Statements that make these the servers for which an app gets tokens, if its change counts. */
function linkApis(
  db: Db,
  clientId: string,
  apis: readonly string[],
  now: Date,
  isChanged: Changed,
) {
  const given = sql`json_each(${JSON.stringify(apis)})`;
  const newId = sql`lower(hex(randomblob(16)))`;
  const isOther = sql`NOT ${idsIn(oauthClientResource.resourceId, apis)}`;
  return {
    unlinked: db
      .delete(oauthClientResource)
      .where(sql`${eq(oauthClientResource.clientId, clientId)} AND ${isOther} AND ${isChanged}`),
    apis: db
      .insert(oauthResource)
      .select(
        sql`SELECT ${rowValues(oauthResource, {
          id: newId,
          identifier: sql`value`,
          name: sql`value`,
          accessTokenTtl: API_TOKEN_SECONDS,
          allowedScopes: null,
          disabled: false,
          createdAt: now,
          updatedAt: now,
        })} FROM ${given} WHERE ${isChanged}`,
      )
      .onConflictDoNothing(),
    linked: db
      .insert(oauthClientResource)
      .select(
        sql`SELECT ${rowValues(oauthClientResource, {
          id: newId,
          clientId,
          resourceId: sql`value`,
          createdAt: now,
        })} FROM ${given} WHERE ${isChanged}`,
      )
      .onConflictDoNothing(),
    forgotten: forgetApis(db, isChanged),
  };
}

/** Statement that deletes the servers for which no app gets tokens any more. */
function forgetApis(db: Db, isChanged: Changed) {
  const isLinked = sql`EXISTS (
    SELECT 1 FROM ${oauthClientResource}
    WHERE ${oauthClientResource.resourceId} = ${oauthResource.identifier}
  )`;
  return db.delete(oauthResource).where(sql`NOT ${isLinked} AND ${isChanged}`);
}

function eventOf(actor: Actor, action: AuditAction, id: string, details: AuditDetails) {
  return eventBy(actor, action, { target: { type: "app", id }, details });
}

/**
 * Registers an app. Returns its secret, which is shown once; a public app has none. Undefined when
 * there are too many.
 */
export async function createApp(
  { db, actor }: AppCall,
  kind: AppKind,
  input: AppInput,
): Promise<{ id: string; clientId: string; secret: string | undefined } | undefined> {
  const now = actor.source.now();
  const id = crypto.randomUUID();
  const clientId = crypto.randomUUID().replaceAll("-", "");
  const secret = kind === "server" ? newSecret() : undefined;
  const row = appRow({
    id,
    clientId,
    clientSecret: secret === undefined ? null : await hashSecret(secret),
    kind,
    grants: GRANTS[kind],
    input,
    createdBy: actor.actorId,
    now,
  });
  const hasRoom = sql`${countAdded()} < ${MAX_APPS}`;
  const { isChanged } = await changeAndRecord(db, {
    change: db.insert(oauthClient).select(sql`SELECT ${row} WHERE ${hasRoom}`),
    event: eventOf(actor, "app.created", id, { after: told(input) }),
    next: (isCreated) => linkApis(db, clientId, input.apis, now, isCreated),
  });
  return isChanged ? { id, clientId, secret } : undefined;
}

/**
 * Changes an app that is still at `version`; false when it was changed meanwhile, or is gone. Equal
 * values change nothing and leave no event.
 */
export async function updateApp(
  { db, actor }: AppCall,
  before: ShownApp,
  input: AppInput,
  version: number,
): Promise<boolean> {
  const now = actor.source.now();
  const details = { before: told(before), after: told(input) };
  const isEqual = JSON.stringify(details.before) === JSON.stringify(details.after);
  if (isEqual && version === before.version) return true;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthClient)
      .set({
        ...columnsOf(input, before.kind, before.clientId),
        version: version + 1,
        updatedAt: now,
      })
      .where(and(eq(oauthClient.id, before.id), eq(oauthClient.version, version))),
    event: eventOf(actor, "app.updated", before.id, details),
    next: (isUpdated) => linkApis(db, before.clientId, input.apis, now, isUpdated),
  });
  return isChanged;
}

/**
 * Replaces the secret, to be shown once. The one before counts for a while; one before that ends at
 * once. Undefined when the app has no secret, or another manager replaced it meanwhile.
 */
export async function rotateSecret(
  { db, actor }: AppCall,
  { id, name }: ShownApp,
): Promise<string | undefined> {
  const [row] = await db
    .select({ stored: oauthClient.clientSecret })
    .from(oauthClient)
    .where(eq(oauthClient.id, id));
  if (!row?.stored) return undefined;
  const secret = newSecret();
  const now = actor.source.now();
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthClient)
      .set({ clientSecret: await rotated(row.stored, secret, now), updatedAt: now })
      .where(and(eq(oauthClient.id, id), eq(oauthClient.clientSecret, row.stored))),
    event: eventOf(actor, "app.secret_rotated", id, { name }),
  });
  return isChanged ? secret : undefined;
}

/** Switches an app off or on. Off, a trigger ends its tokens. False when it was so already. */
export async function switchApp(
  { db, actor }: AppCall,
  { id, name }: ShownApp,
  disabled: boolean,
): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthClient)
      .set({ disabled, updatedAt: actor.source.now() })
      .where(and(eq(oauthClient.id, id), eq(oauthClient.disabled, !disabled))),
    event: eventOf(actor, disabled ? "app.disabled" : "app.enabled", id, { name }),
  });
  return isChanged;
}

/** Deletes an app, and with it what it was allowed and its tokens. False when it was gone. */
export async function deleteApp({ db, actor }: AppCall, app: ShownApp): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db.delete(oauthClient).where(eq(oauthClient.id, app.id)),
    event: eventOf(actor, "app.deleted", app.id, { before: told(app) }),
    next: (isDeleted) => ({ forgotten: forgetApis(db, isDeleted) }),
  });
  return isChanged;
}
