import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Changed, changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { foldForSearch, searchKey } from "../../db/fold.ts";
import { idsIn } from "../../db/ids-in.ts";
import { type Read, readOf } from "../../db/read.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { organization, user } from "../../db/schema/schema.ts";
import { list, type Reader } from "../../lists/query/list.server.ts";
import type { Source } from "../../lists/query/list-query.server.ts";
import type { AuditAction } from "../audit/actions.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { AuditDetails } from "../audit/changes.ts";
import { isAllowed } from "../organizations/standing.server.ts";
import { type AppMaker, readMaker } from "./app-makers.ts";
import { hashSecret, newSecret, overlapUntil, rotated } from "./client-secret.ts";
import { isFor } from "./consents.server.ts";
import { DEVICE_GRANT } from "./device-code.ts";
import { API_TOKEN_SECONDS, MAX_APPS, MAX_ORGANIZATION_APPS, OWNED_APP_LIMITS } from "./limits.ts";
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
  oauthSetting,
} from "./tables.server.ts";

/** Of an app with more people, the screen says no more. */
const MAX_COUNTED_PEOPLE = 1_000;

/** How apps of each kind get tokens. */
const GRANTS: Record<AppKind, readonly string[]> = {
  server: ["authorization_code", "refresh_token"],
  public: ["authorization_code", "refresh_token", DEVICE_GRANT],
};

/** Whose apps: those of the site, or of an organization. */
export type AppOwner = "site" | { organizationId: string };

/** Who changes apps: a manager for the site, or an owner for the organization. */
export type AppCall = { db: Db; actor: Actor; owner: AppOwner };

/**
 * SQL condition: the actor may still do this. A manager was asked by the page; an ownership that
 * another request ends at the same time counts no longer.
 */
function mayStill({ owner, ...call }: AppCall, action: "create" | "update" | "delete"): SQL {
  if (owner === "site") return sql`true`;
  return isAllowed({ ...call, key: { id: owner.organizationId }, as: "member" }, ["app", action]);
}

/** SQL condition: a row of `oauth_client` is this app, and the actor may still change it. */
function isMine(call: AppCall, id: string, action: "update" | "delete" = "update") {
  const { owner } = call;
  const isOwn = owner === "site" ? undefined : eq(oauthClient.organizationId, owner.organizationId);
  return and(eq(oauthClient.id, id), isOwn, mayStill(call, action));
}

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
  managers: sql`(${isNull(oauthClient.organizationId)} AND NOT ${isRegistered})`,
  owners: sql`${oauthClient.organizationId} IS NOT NULL`,
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
        organization: organizationName(),
        clientId: oauthClient.clientId,
        logo: oauthClient.logo,
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
  show: ({
    id,
    name,
    uri,
    method,
    disabled,
    createdAt,
    isRegistered,
    organization,
    clientId,
    logo,
  }) => ({
    id,
    name,
    uri,
    kind: kindOf(method),
    isRegistered: isRegistered === 1,
    disabled,
    createdAt,
    organization,
    clientId,
    logo,
  }),
});

/** SQL expression: the name of the organization that an app belongs to; NULL for an app of the site. */
function organizationName() {
  return sql<string | null>`(
    SELECT ${organization.name} FROM ${organization} WHERE ${organization.id} = ${oauthClient.organizationId}
  )`.as("organization_name");
}

/** What else the list shows: what managers allow, and whether there is room for another. */
const roomOf = (isOfOwner: SQL, most: number) =>
  readOf(
    (db) =>
      db
        .select({
          byCall: oauthRegistrationSetting.byCall,
          byDocument: oauthRegistrationSetting.byDocument,
          organizationApps: oauthSetting.organizationApps,
          version: oauthSetting.version,
          count: sql<number>`(SELECT count(*) FROM ${oauthClient} WHERE ${isOfOwner})`.as("count"),
        })
        .from(oauthSetting)
        .innerJoin(oauthRegistrationSetting, sql`true`),
    ([row]) => ({
      isFull: (row?.count ?? 0) >= most,
      /** True while apps may register themselves. */
      isOpen: row !== undefined && (row.byCall || row.byDocument),
      settings: { organizationApps: row?.organizationApps ?? false, version: row?.version ?? 1 },
    }),
  );

/** SQL condition: a row of `oauth_client` counts against the bound of the owner. */
function isOf(owner: "site" | { organizationId: string | SQL<string> }): SQL {
  return owner === "site" ? MADE_BY.managers : eq(oauthClient.organizationId, owner.organizationId);
}

/**
 * Loads the list of all apps for a URL, what managers allow, and whether there is room for another,
 * in one round trip.
 */
export async function loadApps(db: Db, url: URL, reader: Reader) {
  const room = roomOf(isOf("site"), MAX_APPS);
  const { loaded, beside } = await apps.loadWith(db, url, reader, room);
  const { rows, filters: maker, state } = loaded;
  return { rows, maker, state, ...beside };
}

/** The same for the apps of an organization, with what else its page shows. */
export async function loadOwnedApps<Frame>(
  db: Db,
  url: URL,
  reader: Reader,
  { id, frame: read }: { id: SQL<string>; frame: Read<Frame> },
) {
  const isOwned = isOf({ organizationId: id });
  const room = roomOf(isOwned, MAX_ORGANIZATION_APPS);
  const { loaded, beside } = await apps.loadWithBoth(db, url, reader, [read, room], isOwned);
  const [frame, { isFull, settings }] = beside;
  const { rows, state } = loaded;
  return { frame, rows, state, isFull, settings };
}

function kindOf(method: "none" | "client_secret_basic"): AppKind {
  return method === "none" ? "public" : "server";
}

/** An app as its screen shows it, without its secret. */
export type ShownApp = ReturnType<typeof shownApp>;

/** Finds an app: for managers any, for owners one of their organization. */
export async function findApp(db: Db, id: string, now: Date, owner: AppOwner = "site") {
  const [row] = await selectApp(db, id, owner);
  return row && shownApp(row, now);
}

/** Statement that finds an app, for `shownApp`. */
export function selectApp(db: Db, id: string, owner: Parameters<typeof isOf>[0]) {
  return db
    .select({
      app: oauthClient,
      maker: sql<string | null>`${user.name}`.as("maker"),
      organizationName: organizationName(),
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
    .where(and(eq(oauthClient.id, id), owner === "site" ? undefined : isOf(owner)));
}

/** Returns what a row of `selectApp` means. */
export function shownApp(row: Awaited<ReturnType<typeof selectApp>>[number], now: Date) {
  const { app, maker, registered, people, apis, organizationName: ofName } = row;
  const { id, clientId, name, uri, disabled, version, createdAt } = app;
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
    disabledBySite: app.disabledBySite,
    logo: app.logo,
    version,
    createdAt,
    maker,
    /** The organization that it belongs to; null for an app of the site. */
    organization:
      app.organizationId !== null && ofName !== null
        ? { id: app.organizationId, name: ofName }
        : null,
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
  /** The organization that it belongs to; null for an app of the site. */
  organizationId: string | null;
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
    disabledBySite: false,
    logo: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

/** What the audit log tells of an app. */
export function told(input: AppInput): NonNullable<AuditDetails["after"]> {
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
  };
}

/** What an event tells of which app. */
type AppEvent = { id: string; name: string; organizationId: string | undefined };

/**
 * Returns the audit event of an app. For an organization's app, the target is the organization, so
 * that its owners and webhooks are told. The app's name is not in `name`, which would be read as the
 * organization's.
 */
function eventOf(
  actor: Actor,
  action: AuditAction,
  { id, name, organizationId }: AppEvent,
  details: Pick<AuditDetails, "before" | "after"> = {},
) {
  const { before, after } = details;
  if (organizationId === undefined) {
    const target = { type: "app", id } as const;
    return eventBy(actor, action, { target, details: before || after ? details : { name } });
  }
  const isRenamed = before !== undefined && after !== undefined && before.name !== after.name;
  const renamed = ({ name: app, ...values }: NonNullable<AuditDetails["after"]>) =>
    isRenamed ? { app, ...values } : values;
  return eventBy(actor, action, {
    target: { type: "organization", id: organizationId },
    details: {
      app: name,
      ids: { app: id },
      ...(before && { before: renamed(before) }),
      ...(after && { after: renamed(after) }),
    },
  });
}

function eventAbout({ id, name, organization: of }: ShownApp): AppEvent {
  return { id, name, organizationId: of?.id };
}

/** Why an app was not made. */
export type AppRefusal = "full" | "off" | { retryAfterSeconds: number };

/**
 * Registers an app. Returns its secret, which is shown once; a public app has none. "full":
 * there are too many apps, or the maker is no owner any more. "off": managers do not allow apps of
 * organizations.
 */
export async function createApp(
  call: AppCall,
  kind: AppKind,
  input: AppInput,
): Promise<{ id: string; clientId: string; secret: string | undefined } | AppRefusal> {
  const { db, actor, owner } = call;
  const organizationId = owner === "site" ? undefined : owner.organizationId;
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
    organizationId: organizationId ?? null,
    createdBy: actor.actorId,
    now,
  });
  const most = owner === "site" ? MAX_APPS : MAX_ORGANIZATION_APPS;
  const hasRoom = sql`(SELECT count(*) FROM ${oauthClient} WHERE ${isOf(owner)}) < ${most}`;
  const isOn = sql`(SELECT ${oauthSetting.organizationApps} FROM ${oauthSetting}) = 1`;
  const isOffered = owner === "site" ? sql`true` : isOn;
  const rule = ruleOf(OWNED_APP_LIMITS.made);
  const isCounted = owner === "site" ? sql`false` : isOn;
  const limit = countedRequest(db, `app-made|${actor.actorId}`, rule, now, isCounted);
  const isWithin = owner === "site" ? sql`true` : limit.isAllowed;
  const event = { id, name: input.name, organizationId };
  const { isChanged, offered, counted } = await changeAndRecord(db, {
    before: { count: limit.count },
    change: db
      .insert(oauthClient)
      .select(
        sql`SELECT ${row} WHERE ${hasRoom} AND ${isOffered} AND ${isWithin} AND ${mayStill(call, "create")}`,
      ),
    event: eventOf(actor, "app.created", event, { after: told(input) }),
    next: (isCreated) => linkApis(db, clientId, input.apis, now, isCreated),
    after: {
      offered: db
        .select({ isOffered: sql<0 | 1>`${isOffered}`.as("is_offered") })
        .from(oauthSetting),
      counted: limit.read,
    },
  });
  if (isChanged) return { id, clientId, secret };
  if (!offered[0]?.isOffered) return "off";
  const retryAfterSeconds = owner === "site" ? undefined : secondsToWait(counted[0], rule, now);
  return retryAfterSeconds === undefined ? "full" : { retryAfterSeconds };
}

/**
 * Changes an app that is still at `version`; false when it was changed meanwhile, or is gone. Equal
 * values change nothing and leave no event.
 */
export async function updateApp(
  call: AppCall,
  before: ShownApp,
  input: AppInput,
  version: number,
): Promise<boolean> {
  const { db, actor } = call;
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
      .where(and(isMine(call, before.id), eq(oauthClient.version, version))),
    event: eventOf(actor, "app.updated", eventAbout(before), details),
    next: (isUpdated) => linkApis(db, before.clientId, input.apis, now, isUpdated),
  });
  return isChanged;
}

/**
 * Replaces the secret, to be shown once. The one before counts for a while; one before that ends at
 * once. Undefined when the app has no secret, or somebody else replaced it meanwhile.
 */
export async function rotateSecret(call: AppCall, app: ShownApp): Promise<string | undefined> {
  const { db, actor } = call;
  const { id } = app;
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
      .where(and(isMine(call, id), eq(oauthClient.clientSecret, row.stored))),
    event: eventOf(actor, "app.secret_rotated", eventAbout(app)),
  });
  return isChanged ? secret : undefined;
}

/**
 * Switches an app off or on. Off, a trigger ends its tokens. False when it was so already, or a
 * manager has switched an organization's app off, which only managers switch on again.
 */
export async function switchApp(call: AppCall, app: ShownApp, disabled: boolean): Promise<boolean> {
  const { db, actor, owner } = call;
  const isOfManagers = owner === "site" && app.organization !== null;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthClient)
      .set({
        disabled,
        disabledBySite: disabled && isOfManagers,
        updatedAt: actor.source.now(),
      })
      .where(
        and(
          isMine(call, app.id),
          eq(oauthClient.disabled, !disabled),
          owner === "site" ? undefined : eq(oauthClient.disabledBySite, false),
        ),
      ),
    event: eventOf(actor, disabled ? "app.disabled" : "app.enabled", eventAbout(app)),
  });
  return isChanged;
}

/** Deletes an app, and with it what it was allowed and its tokens. False when it was gone. */
export async function deleteApp(call: AppCall, app: ShownApp): Promise<boolean> {
  const { isChanged } = await changeAndRecord(call.db, {
    change: call.db.delete(oauthClient).where(isMine(call, app.id, "delete")),
    event: eventOf(call.actor, "app.deleted", eventAbout(app), { before: told(app) }),
  });
  return isChanged;
}

/** Changes the logo to a stored picture, or removes it with null. False when the app is gone. */
export async function changeAppLogo(
  call: AppCall,
  app: ShownApp,
  logo: string | null,
): Promise<boolean> {
  const { db, actor } = call;
  const action = logo === null ? "app.logo_removed" : "app.logo_changed";
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthClient)
      .set({ logo, updatedAt: actor.source.now() })
      .where(isMine(call, app.id)),
    event: eventOf(actor, action, eventAbout(app)),
  });
  return isChanged;
}

/** True for a logo of an app that a user may sign in to. */
export async function hasAppLogo(db: Db, userId: string, logo: string): Promise<boolean> {
  const found = await db
    .select({ id: oauthClient.id })
    .from(oauthClient)
    .where(and(eq(oauthClient.logo, logo), isFor(userId)));
  return found.length > 0;
}

/** Reads the logos that apps have. */
export function logosOf(ids: readonly string[]) {
  return readOf(
    (db) =>
      db
        .select({ logo: sql<string | null>`${oauthClient.logo}`.as("app_logo") })
        .from(oauthClient)
        .where(idsIn(oauthClient.id, ids)),
    (rows) => rows.map(({ logo }) => logo),
  );
}
