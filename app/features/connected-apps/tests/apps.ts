import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { searchKey } from "../../../db/fold.ts";
import { hashSecret } from "../client-secret.ts";
import { API_TOKEN_SECONDS } from "../limits.ts";

/** A row of the table of apps. */
export type AppRow = {
  id: string;
  client_id: string;
  client_secret: string | null;
  name: string;
  uri: string | null;
  search_key: string;
  redirect_uris: string;
  post_logout_redirect_uris: string;
  logout_uri: string | null;
  logout_tried_at: number | null;
  logout_answer: string | null;
  scopes: string;
  token_endpoint_auth_method: "none" | "client_secret_basic";
  application_type: "web" | "native";
  grant_types: string;
  response_types: string;
  require_pkce: number;
  skip_consent: number;
  enable_end_session: number;
  disabled: number;
  organization_id: string | null;
  disabled_by_site: number;
  logo: string | null;
  version: number;
  created_by: string | null;
  created_at: number;
  updated_at: number;
};

/** The secret of the apps that `anApp` makes. */
export const APP_SECRET = `ghs_${"s".repeat(43)}`;

let apps = 0;

/** Inserts an app with a server; `overrides` replace single columns. */
export async function anApp(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<AppRow> = {},
): Promise<AppRow> {
  const row = await newApp(overrides);
  await insertRows(gatehouse.d1, "oauth_client", [row]);
  return row;
}

/** Lets owners register apps for their organization, or no longer. */
export async function allowOwnedApps({ d1 }: Database, isAllowed = true): Promise<void> {
  await d1.prepare("UPDATE oauth_setting SET organization_apps = ?").bind(Number(isAllowed)).run();
}

/** Lets an app get tokens for another server. */
export async function anApi(
  { d1 }: Pick<Gatehouse, "d1">,
  { client_id }: Pick<AppRow, "client_id">,
  url: string,
): Promise<void> {
  const [id, now] = [crypto.randomUUID(), Date.now()];
  await d1.batch([
    d1
      .prepare(
        `INSERT OR IGNORE INTO oauth_resource (id, identifier, name, access_token_ttl, created_at, updated_at)
         VALUES (?1, ?2, ?2, ?3, ?4, ?4)`,
      )
      .bind(id, url, API_TOKEN_SECONDS, now),
    d1
      .prepare(
        "INSERT INTO oauth_client_resource (id, client_id, resource_id, created_at) VALUES (?, ?, ?, ?)",
      )
      .bind(id, client_id, url, now),
  ]);
}

/** Inserts so many apps. */
export async function manyApps(
  gatehouse: Pick<Gatehouse, "d1">,
  count: number,
  overrides: Partial<AppRow> = {},
): Promise<void> {
  const rows = await Promise.all(Array.from({ length: count }, () => newApp(overrides)));
  await insertRows(gatehouse.d1, "oauth_client", rows);
}

async function newApp(overrides: Partial<AppRow>): Promise<AppRow> {
  apps += 1;
  const now = Date.now();
  const row: Omit<AppRow, "search_key"> = {
    id: crypto.randomUUID(),
    client_id: crypto.randomUUID().replaceAll("-", ""),
    client_secret: await hashSecret(APP_SECRET),
    name: `App ${apps}`,
    uri: null,
    redirect_uris: '["https://app.example.com/callback"]',
    post_logout_redirect_uris: "[]",
    logout_uri: null,
    logout_tried_at: null,
    logout_answer: null,
    scopes: '["openid","profile","email"]',
    token_endpoint_auth_method: "client_secret_basic",
    application_type: "web",
    grant_types: '["authorization_code","refresh_token"]',
    response_types: '["code"]',
    require_pkce: 1,
    skip_consent: 0,
    enable_end_session: 1,
    disabled: 0,
    organization_id: null,
    disabled_by_site: 0,
    logo: null,
    version: 1,
    created_by: null,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
  return { search_key: searchKey(row.name, row.client_id, row.uri), ...row };
}

/** Inserts a public app that has registered itself by a call. */
export async function aRegisteredApp(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<AppRow> = {},
): Promise<AppRow> {
  const row = await anApp(gatehouse, {
    client_secret: null,
    token_endpoint_auth_method: "none",
    ...overrides,
  });
  await insertRows(gatehouse.d1, "oauth_registration", [
    { client_id: row.client_id, way: "call", created_at: row.created_at },
  ]);
  return row;
}

/** Returns the row of an app, or null. */
export function findAppRow({ d1 }: Pick<Gatehouse, "d1">, id: string): Promise<AppRow | null> {
  return d1.prepare("SELECT * FROM oauth_client WHERE id = ?").bind(id).first<AppRow>();
}

/** Lets a user allow an app its scopes, and gives it a token. */
export async function aConnection(
  { d1 }: Pick<Gatehouse, "d1">,
  { client_id }: AppRow,
  { id: user_id }: { id: string },
  overrides: Overrides = {},
): Promise<void> {
  const now = Date.now();
  const given = { client_id, user_id, scopes: '["openid"]', created_at: now, ...overrides };
  const id = crypto.randomUUID();
  await insertRows(d1, "oauth_consent", [{ id, ...given, updated_at: now }]);
  await insertRows(d1, "oauth_refresh_token", [
    { id, token: id, ...given, expires_at: now + 86_400_000 },
  ]);
}

type Database = Pick<Gatehouse, "d1">;
type Overrides = Record<string, string | number | null>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCOPES = ["openid", "profile", "email"];

/** Inserts a user's yes to an app. */
export async function aConsent(
  { d1 }: Database,
  user: { id: string },
  app: Pick<AppRow, "client_id">,
  overrides: Overrides = {},
): Promise<void> {
  const now = Date.now();
  await insertRows(d1, "oauth_consent", [
    {
      id: crypto.randomUUID(),
      client_id: app.client_id,
      user_id: user.id,
      reference_id: null,
      scopes: JSON.stringify(SCOPES),
      created_at: now,
      updated_at: now,
      ...overrides,
    },
  ]);
}

/** Inserts a refresh token of a user and an app. Returns its id. */
export async function aRefreshToken(
  { d1 }: Database,
  user: { id: string },
  app: Pick<AppRow, "client_id">,
  overrides: Overrides = {},
): Promise<string> {
  const id = crypto.randomUUID();
  const row = { ...tokenOf(user, app, 30 * DAY_MS), id, auth_time: Date.now(), ...overrides };
  await insertRows(d1, "oauth_refresh_token", [
    { ...row, scopes: JSON.stringify([...SCOPES, "offline_access"]) },
  ]);
  return id;
}

/** Inserts an access token of a user and an app. */
export async function anAccessToken(
  { d1 }: Database,
  user: { id: string },
  app: Pick<AppRow, "client_id">,
  overrides: Overrides = {},
): Promise<void> {
  await insertRows(d1, "oauth_access_token", [
    { ...tokenOf(user, app, HOUR_MS), refresh_id: null, ...overrides },
  ]);
}

function tokenOf(user: { id: string }, app: Pick<AppRow, "client_id">, validMs: number) {
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    token: crypto.randomUUID(),
    client_id: app.client_id,
    user_id: user.id,
    session_id: null,
    reference_id: null,
    scopes: JSON.stringify(SCOPES),
    expires_at: now + validMs,
    created_at: now,
    revoked: null,
  };
}

const TABLES = {
  consents: "oauth_consent",
  refreshTokens: "oauth_refresh_token",
  accessTokens: "oauth_access_token",
} as const;

/** Counts what apps have of a user. */
export async function heldOf(
  { d1 }: Database,
  user: { id: string },
  app?: Pick<AppRow, "client_id">,
) {
  const counts = Object.entries(TABLES).map(async ([name, table]) => {
    const n = await d1
      .prepare(
        `SELECT count(*) AS n FROM ${table} WHERE user_id = ?1 AND client_id = coalesce(?2, client_id)`,
      )
      .bind(user.id, app?.client_id ?? null)
      .first<number>("n");
    return [name, n ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
