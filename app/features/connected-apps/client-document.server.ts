import { and, eq, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import { countedRequest, ruleOf, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { readBody } from "../../http/body.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { wideNetwork } from "../../values/client-network.ts";
import { readOutsideUrl } from "../../values/outside-url.ts";
import { type AuditSource, eventOf } from "../audit/audit.server.ts";
import type { Config } from "../environment/config.ts";
import { columnsOf } from "./apps.server.ts";
import { type ClientMetadata, type Here, readClientDocument } from "./client-metadata.ts";
import {
  APP_URL_MAX_LENGTH,
  DOCUMENT_FRESH_MS,
  DOCUMENT_KEPT_MS,
  DOCUMENT_RETRY_MS,
  DOCUMENT_TIMEOUT_MS,
  MAX_DOCUMENT_BYTES,
  REGISTRATION_LIMITS,
} from "./limits.ts";
import {
  hereOf,
  inputOf,
  registration,
  selectRegistrationSettings,
  shownSettings,
  toldRegistered,
} from "./registration.server.ts";
import { storedList, storedScopes } from "./scopes.ts";
import { oauthClient, oauthRegistration } from "./tables.server.ts";

/** Why an app that is known by a document of its own cannot go on. */
export type DocumentProblem =
  | "invalid_client"
  | "document_unreachable"
  | "document_invalid"
  | "too_many_requests"
  | "no_room";

type Services = {
  db: Db;
  keys: Keys;
  config: Pick<Config, "baseUrl" | "isLoopback">;
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
};
type Asker = { source: AuditSource; ipAddress: string | undefined };

/** True for a client ID that is the URL of a document. */
export function isDocumentUrl(clientId: string): boolean {
  return /^https?:/.test(clientId);
}

/**
 * Makes an app known whose client ID is the URL of its document: reads the document when it is not
 * known or older than a day. While it cannot be read again, what was read counts for seven days.
 * Returns why the app cannot go on; undefined where the provider decides. Source:
 * draft-ietf-oauth-client-id-metadata-document, 3 to 5.
 */
export async function knowApp(
  services: Services,
  url: string,
  asker: Asker,
): Promise<DocumentProblem | undefined> {
  const { db, config } = services;
  const { settings, known } = await findKnown(db, url);
  if (known?.disabled) return undefined;
  if (!settings.byDocument) return known ? undefined : "invalid_client";
  if (!isReadable(url, config)) return "invalid_client";
  const now = asker.source.now();
  const isYounger = (than: number, date: Date | null | undefined) =>
    (date?.getTime() ?? 0) > now.getTime() - than;
  const isKept = isYounger(DOCUMENT_KEPT_MS, known?.readAt);
  const isTried = isKept && isYounger(DOCUMENT_RETRY_MS, known?.triedAt);
  if (isTried || isYounger(DOCUMENT_FRESH_MS, known?.readAt)) return undefined;
  if (!(await mayRead(services, url, asker))) return isKept ? undefined : "too_many_requests";
  const read = await readDocument(url, hereOf(config.baseUrl, services.callScopes));
  if (read.ok) {
    return known
      ? updateApp(db, known, read.metadata, settings.scopes, asker)
      : addApp(db, url, read.metadata, settings.scopes, asker);
  }
  // One that is wrong no longer counts as it was.
  if (known && read.why === "document_invalid") await noteRead(db, url, new Date(0), now);
  return read.why === "document_unreachable" && isKept ? undefined : read.why;
}

/** True for a URL in its only spelling that may be asked, with a path and no query. */
function isReadable(url: string, { baseUrl, isLoopback }: Services["config"]): boolean {
  const read = readOutsideUrl(url, baseUrl, { isLocal: isLoopback });
  if (!read.ok || read.url !== url || url.length > APP_URL_MAX_LENGTH) return false;
  const { pathname, search } = new URL(url);
  return pathname.length > 1 && search === "";
}

async function findKnown(db: Db, url: string) {
  const [[setting], [known]] = await db.batch([
    selectRegistrationSettings(db),
    db
      .select({
        id: oauthClient.id,
        clientId: sql<string>`${oauthClient.clientId}`.as("app_id"),
        name: oauthClient.name,
        redirectUris: oauthClient.redirectUris,
        scopes: oauthClient.scopes,
        grantTypes: oauthClient.grantTypes,
        disabled: oauthClient.disabled,
        version: oauthClient.version,
        readAt: oauthRegistration.readAt,
        triedAt: oauthRegistration.triedAt,
      })
      .from(oauthClient)
      .innerJoin(oauthRegistration, eq(oauthRegistration.clientId, oauthClient.clientId))
      .where(and(eq(oauthClient.clientId, url), eq(oauthRegistration.way, "document"))),
  ]);
  return { settings: shownSettings(setting), known };
}

type Known = NonNullable<Awaited<ReturnType<typeof findKnown>>["known"]>;

/** Counts a document that is to be read; false when there were too many. */
async function mayRead(
  { db, keys }: Services,
  url: string,
  { source, ipAddress = "" }: Asker,
): Promise<boolean> {
  const now = source.now();
  const rules = [
    ruleOf(REGISTRATION_LIMITS.documents),
    ruleOf(REGISTRATION_LIMITS.documentsOfHost),
  ] as const;
  const [ofNetwork, ofHost] = await Promise.all([
    keys.mac("rate-limit", `client-documents|${wideNetwork(ipAddress)}`),
    keys.mac("rate-limit", `client-documents-of|${new URL(url).host}`),
  ]);
  const network = countedRequest(db, ofNetwork, rules[0], now);
  const host = countedRequest(db, ofHost, rules[1], now, network.isAllowed);
  const [, [byNetwork], , [byHost]] = await db.batch([
    network.count,
    network.read,
    host.count,
    host.read,
    db
      .update(oauthRegistration)
      .set({ triedAt: now })
      .where(
        sql`${eq(oauthRegistration.clientId, url)} AND ${eq(oauthRegistration.way, "document")}`,
      ),
  ]);
  const waits = [secondsToWait(byNetwork, rules[0], now), secondsToWait(byHost, rules[1], now)];
  return waits.every((seconds) => seconds === undefined);
}

type ReadDocument =
  | { ok: true; metadata: ClientMetadata }
  | { ok: false; why: "document_unreachable" | "document_invalid" };

const UNREACHABLE = { ok: false, why: "document_unreachable" } as const;
const INVALID = { ok: false, why: "document_invalid" } as const;

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Asks the app's site. A redirect is not followed: the document is where the client ID says. */
async function readDocument(url: string, here: Here): Promise<ReadDocument> {
  let body: Uint8Array | undefined;
  try {
    const answer = await fetch(url, {
      headers: { Accept: "application/json", "User-Agent": `Client metadata (+${here.origin})` },
      redirect: "manual",
      signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS),
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return UNREACHABLE;
    }
    if (!JSON_TYPE.test(answer.headers.get("content-type") ?? "")) {
      await answer.body?.cancel();
      return INVALID;
    }
    body = await readBody(answer, { maxBytes: MAX_DOCUMENT_BYTES });
  } catch {
    return UNREACHABLE;
  }
  const metadata = body && readClientDocument(parsed(body), url, here);
  return metadata ? { ok: true, metadata } : INVALID;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Adds an app with its audit event, if there is room. Another request may have done so meanwhile. */
async function addApp(
  db: Db,
  url: string,
  metadata: ClientMetadata,
  scopes: Parameters<typeof inputOf>[1],
  { source }: Asker,
): Promise<DocumentProblem | undefined> {
  const app = { clientId: url, way: "document", metadata, allowed: scopes, source } as const;
  const { change, event, next } = registration(db, app, sql`TRUE`);
  const { added } = await changeAndRecord(db, {
    change,
    event,
    next,
    after: {
      added: db
        .select({ id: oauthClient.id })
        .from(oauthClient)
        .where(eq(oauthClient.clientId, url)),
    },
  });
  return added.length > 0 ? undefined : "no_room";
}

/** Changes an app whose document says something else than before, with an audit event. */
async function updateApp(
  db: Db,
  known: Known,
  metadata: ClientMetadata,
  scopes: Parameters<typeof inputOf>[1],
  { source }: Asker,
): Promise<undefined> {
  const now = source.now();
  const { id, clientId, version } = known;
  const before = inputOf(
    {
      name: known.name,
      redirectUris: storedList(known.redirectUris),
      grants: storedList(known.grantTypes),
      scopes: undefined,
    },
    storedScopes(known.scopes),
  );
  const after = inputOf(metadata, scopes);
  const details = {
    before: toldRegistered(before, clientId),
    after: toldRegistered(after, clientId),
  };
  const grantTypes = JSON.stringify(metadata.grants);
  const isEqual =
    JSON.stringify(details.before) === JSON.stringify(details.after) &&
    grantTypes === known.grantTypes;
  if (!isEqual) {
    await changeAndRecord(db, {
      change: db
        .update(oauthClient)
        .set({
          ...columnsOf(after, "public", clientId),
          grantTypes,
          version: version + 1,
          updatedAt: now,
        })
        .where(and(eq(oauthClient.id, id), eq(oauthClient.version, version))),
      event: eventOf(source, {
        action: "app.updated",
        actorId: null,
        target: { type: "app", id },
        details,
      }),
      next: () => ({ read: noteRead(db, clientId, now, now) }),
    });
    return;
  }
  await noteRead(db, clientId, now, now);
}

/** Statement that notes when a document was read and tried. */
function noteRead(db: Db, url: string, readAt: Date, triedAt: Date) {
  return db
    .update(oauthRegistration)
    .set({ readAt, triedAt })
    .where(and(eq(oauthRegistration.clientId, url), eq(oauthRegistration.way, "document")));
}
