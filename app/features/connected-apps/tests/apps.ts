import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";

type Database = Pick<Gatehouse, "d1">;
type Overrides = Record<string, string | number | null>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCOPES = ["openid", "profile", "email"];

export type AppRow = { id: string; client_id: string; name: string };

/** Inserts an app that signs people in. */
export async function anApp(
  { d1 }: Database,
  name = "Ledger",
  overrides: Overrides = {},
): Promise<AppRow> {
  const now = Date.now();
  const row = {
    id: crypto.randomUUID(),
    client_id: crypto.randomUUID(),
    client_secret: null,
    name,
    uri: "https://example.com",
    redirect_uris: '["https://example.com/callback"]',
    post_logout_redirect_uris: "[]",
    scopes: JSON.stringify([...SCOPES, "organization", "offline_access"]),
    token_endpoint_auth_method: "none",
    application_type: "web",
    grant_types: '["authorization_code","refresh_token"]',
    response_types: '["code"]',
    created_at: now,
    updated_at: now,
    ...overrides,
  };
  await insertRows(d1, "oauth_client", [row]);
  return row;
}

/** Inserts a user's yes to an app. */
export async function aConsent(
  { d1 }: Database,
  user: { id: string },
  app: AppRow,
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
  app: AppRow,
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
  app: AppRow,
  overrides: Overrides = {},
): Promise<void> {
  await insertRows(d1, "oauth_access_token", [
    { ...tokenOf(user, app, HOUR_MS), refresh_id: null, ...overrides },
  ]);
}

function tokenOf(user: { id: string }, app: AppRow, validMs: number) {
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
export async function heldOf({ d1 }: Database, user: { id: string }, app?: AppRow) {
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
