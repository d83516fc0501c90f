import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Changed, changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { wideNetwork } from "../../values/client-network.ts";
import {
  type Actor,
  type AuditSource,
  auditEach,
  cronSource,
  eventBy,
  eventOf,
} from "../audit/audit.server.ts";
import { appRow, told } from "./apps.server.ts";
import type { ClientMetadata, Here } from "./client-metadata.ts";
import { MAX_REGISTERED_APPS, REGISTRATION_LIMITS, UNALLOWED_MS, UNUSED_MS } from "./limits.ts";
import type { RegistrationWays } from "./metadata.ts";
import type { AppInput } from "./read-app.ts";
import { APP_SCOPES, storedScopes } from "./scopes.ts";
import { oauthClient, oauthRegistration, oauthRegistrationSetting } from "./tables.server.ts";

// Apps that register themselves: by a call, or by a document (`client-document.server.ts`).

/** What managers let such apps do. */
export type RegistrationSettings = RegistrationWays & { scopes: string[]; version: number };

/** Statement that reads what managers have set. */
export function selectRegistrationSettings(db: Db) {
  return db.select().from(oauthRegistrationSetting);
}

type SettingRow = typeof oauthRegistrationSetting.$inferSelect;

export function shownSettings(row: SettingRow | undefined): RegistrationSettings {
  if (!row)
    throw new Error("The table oauth_registration_setting has no row: apply the migrations");
  const { byCall, byDocument, scopes, version } = row;
  return { byCall, byDocument, scopes: storedScopes(scopes), version };
}

export async function getRegistrationSettings(db: Db): Promise<RegistrationSettings> {
  const [row] = await selectRegistrationSettings(db);
  return shownSettings(row);
}

/** Reads the settings, and how many apps have registered themselves. */
export async function findRegistration(db: Db) {
  const [[row], [counted]] = await db.batch([
    selectRegistrationSettings(db),
    db
      .select({ count: sql<number>`${countRegistered()}`.as("count") })
      .from(oauthRegistrationSetting),
  ]);
  return { settings: shownSettings(row), count: counted?.count ?? 0 };
}

/** Returns the product as apps that register themselves see it. */
export function hereOf(baseUrl: string, callScopes: readonly string[]): Here {
  return { origin: baseUrl, scopes: [...APP_SCOPES, ...callScopes] };
}

function countRegistered() {
  return sql<number>`(SELECT count(*) FROM ${oauthRegistration})`;
}

/** SQL condition: there is room for another app that registers itself. */
function hasRoom() {
  return sql`${countRegistered()} < ${MAX_REGISTERED_APPS}`;
}

/**
 * Saves settings that are still at `version`; false when they were changed meanwhile. Equal values
 * change nothing and leave no event.
 */
export async function saveRegistration(
  db: Db,
  actor: Actor,
  before: RegistrationSettings,
  { version, ...after }: RegistrationSettings,
): Promise<boolean> {
  const details = { before: toldSettings(before), after: toldSettings(after) };
  const isEqual = JSON.stringify(details.before) === JSON.stringify(details.after);
  if (isEqual && version === before.version) return true;
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(oauthRegistrationSetting)
      .set({
        byCall: after.byCall,
        byDocument: after.byDocument,
        scopes: JSON.stringify(after.scopes),
        version: version + 1,
        updatedAt: actor.source.now(),
      })
      .where(
        and(eq(oauthRegistrationSetting.id, 1), eq(oauthRegistrationSetting.version, version)),
      ),
    event: eventBy(actor, "settings.app_registration_changed", { details }),
  });
  return isChanged;
}

function toldSettings({ byCall, byDocument, scopes }: Omit<RegistrationSettings, "version">) {
  return {
    byCall: byCall ? "yes" : "no",
    byDocument: byDocument ? "yes" : "no",
    scopes: scopes.join(" "),
  };
}

/** Returns what is stored of an app that registers itself: nothing that a manager would have to allow. */
export function inputOf(
  { name, redirectUris, scopes }: ClientMetadata,
  allowed: readonly string[],
): AppInput {
  return {
    name,
    uri: null,
    redirectUris,
    afterSignOut: [],
    logoutUri: null,
    apis: [],
    scopes: allowed.filter((scope) => scope === "openid" || (scopes ?? allowed).includes(scope)),
    skipConsent: false,
  };
}

/** What the audit log tells of it. */
export function toldRegistered(input: AppInput, document: string | null) {
  return { ...told(input), registeredItself: "yes", ...(document !== null && { document }) };
}

type NewApp = {
  clientId: string;
  way: "call" | "document";
  metadata: ClientMetadata;
  /** What managers let such apps ask for. */
  allowed: readonly string[];
  source: AuditSource;
};

/**
 * Returns the change that adds an app which registers itself, with its audit event, if a condition
 * holds and there is room.
 */
export function registration(
  db: Db,
  { clientId, way, metadata, allowed, source }: NewApp,
  when: SQL,
) {
  const now = source.now();
  const id = crypto.randomUUID();
  const input = inputOf(metadata, allowed);
  const row = appRow({
    id,
    clientId,
    clientSecret: null,
    kind: "public",
    grants: metadata.grants,
    input,
    createdBy: null,
    organizationId: null,
    now,
  });
  const isDocument = way === "document";
  const readAt = isDocument ? now : null;
  const known = { clientId, way, usedAt: null, readAt, triedAt: readAt, createdAt: now };
  return {
    input,
    change: db
      .insert(oauthClient)
      .select(sql`SELECT ${row} WHERE ${when} AND ${hasRoom()}`)
      .onConflictDoNothing(),
    event: eventOf(source, {
      action: "app.created",
      actorId: null,
      target: { type: "app", id },
      details: { after: toldRegistered(input, isDocument ? clientId : null) },
    }),
    next: (isAdded: Changed) => ({
      registered: db
        .insert(oauthRegistration)
        .select(sql`SELECT ${rowValues(oauthRegistration, known)} WHERE ${isAdded}`),
    }),
  };
}

type Registered =
  | { ok: true; clientId: string; input: AppInput }
  | { ok: false; why: "tooMany" | "full"; retryAfterSeconds: number };

/** Who registers an app: nobody who is known. */
type Asker = { source: AuditSource; ipAddress: string | undefined };

const FULL_RETRY_SECONDS = 3_600;

/** Counts a call that is refused anyway. Returns the seconds to wait when there were too many. */
export async function countRefused(
  { db, keys }: { db: Db; keys: Keys },
  { source, ipAddress }: Asker,
): Promise<number | undefined> {
  const { count, read } = await callsOf({ db, keys }, { source, ipAddress });
  const [, [row]] = await db.batch([count, read]);
  return secondsToWait(row, ruleOf(REGISTRATION_LIMITS.calls), source.now());
}

async function callsOf({ db, keys }: { db: Db; keys: Keys }, { source, ipAddress = "" }: Asker) {
  const key = await keys.mac("rate-limit", `register-app|${ipAddress}`);
  return countedRequest(db, key, ruleOf(REGISTRATION_LIMITS.calls), source.now());
}

/**
 * Registers a public app that asks people before it learns anything, with its audit event. The limits
 * and the room are asked in the statement that writes.
 */
export async function registerApp(
  { db, keys }: { db: Db; keys: Keys },
  metadata: ClientMetadata,
  { scopes: allowed }: RegistrationSettings,
  { source, ipAddress }: Asker,
): Promise<Registered> {
  const now = source.now();
  const network = wideNetwork(ipAddress ?? "");
  const rule = ruleOf(REGISTRATION_LIMITS.apps);
  const [calls, key] = await Promise.all([
    callsOf({ db, keys }, { source, ipAddress }),
    keys.mac("rate-limit", `registered-apps|${network}`),
  ]);
  const apps = countedRequest(db, key, rule, now, sql`${calls.isAllowed} AND ${hasRoom()}`);
  const clientId = crypto.randomUUID().replaceAll("-", "");
  const { input, ...added } = registration(
    db,
    { clientId, way: "call", metadata, allowed, source },
    sql`${calls.isAllowed} AND ${apps.isAllowed}`,
  );
  const { isChanged, called, counted } = await changeAndRecord(db, {
    ...added,
    before: { calls: calls.count, called: calls.read, apps: apps.count, counted: apps.read },
  });
  if (isChanged) return { ok: true, clientId, input };
  const seconds =
    secondsToWait(called[0], ruleOf(REGISTRATION_LIMITS.calls), now) ??
    secondsToWait(counted[0], rule, now);
  return seconds === undefined
    ? { ok: false, why: "full", retryAfterSeconds: FULL_RETRY_SECONDS }
    : { ok: false, why: "tooMany", retryAfterSeconds: seconds };
}

/**
 * Deletes apps that registered themselves: those that nobody allowed within a day, and those without
 * use for 90 days. One that a manager has switched off stays, so that it does not come back.
 */
export async function deleteUnusedApps(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => now.getTime() - ms;
  const { clientId, usedAt, createdAt } = oauthRegistration;
  const isOld = sql`${usedAt} < ${ago(UNUSED_MS)} OR (${usedAt} IS NULL AND ${createdAt} < ${ago(UNALLOWED_MS)})`;
  const [any] = await db.select({ clientId }).from(oauthRegistration).where(isOld).limit(1);
  if (!any) return;
  const isUnused = sql`${oauthClient.disabled} = 0 AND ${oauthClient.clientId} IN (
    SELECT ${clientId} FROM ${oauthRegistration} WHERE ${isOld}
  )`;
  const event = eventOf(cronSource(now), {
    action: "app.deleted",
    actorId: null,
    target: { type: "app", id: sql`${oauthClient.id}` },
    details: sql<string>`json_object('name', ${oauthClient.name})`,
  });
  await db.batch([
    auditEach(db, event, sql`FROM ${oauthClient} WHERE ${isUnused}`),
    db.delete(oauthClient).where(isUnused),
  ]);
}
