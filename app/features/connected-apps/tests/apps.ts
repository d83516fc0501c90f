import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { searchKey } from "../../../db/fold.ts";
import { hashSecret } from "../client-secret.ts";

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
  scopes: string;
  token_endpoint_auth_method: "none" | "client_secret_basic";
  application_type: "web" | "native";
  grant_types: string;
  response_types: string;
  require_pkce: number;
  skip_consent: number;
  enable_end_session: number;
  disabled: number;
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

/** Inserts so many apps. */
export async function manyApps(gatehouse: Pick<Gatehouse, "d1">, count: number): Promise<void> {
  const rows = await Promise.all(Array.from({ length: count }, () => newApp({})));
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
    scopes: '["openid","profile","email"]',
    token_endpoint_auth_method: "client_secret_basic",
    application_type: "web",
    grant_types: '["authorization_code","refresh_token"]',
    response_types: '["code"]',
    require_pkce: 1,
    skip_consent: 0,
    enable_end_session: 1,
    disabled: 0,
    version: 1,
    created_by: null,
    created_at: now,
    updated_at: now,
    ...overrides,
  };
  return { search_key: searchKey(row.name, row.client_id, row.uri), ...row };
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
): Promise<void> {
  const now = Date.now();
  const given = { client_id, user_id, scopes: '["openid"]', created_at: now };
  const id = crypto.randomUUID();
  await insertRows(d1, "oauth_consent", [{ id, ...given, updated_at: now }]);
  await insertRows(d1, "oauth_refresh_token", [
    { id, token: id, ...given, expires_at: now + 86_400_000 },
  ]);
}
