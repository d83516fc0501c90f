import { createHash, randomBytes } from "node:crypto";
import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";

/** A row of the table of API keys. */
export type KeyRow = {
  id: string;
  user_id: string;
  organization_id: string | null;
  name: string;
  start: string;
  key: string;
  permissions: string;
  passkey_id: string | null;
  expires_at: number;
  last_request: number | null;
  created_at: number;
  revoked_at: number | null;
  revoked_by: string | null;
};

/** Every permission that a user's key can be given. */
export const ALL_SCOPES = {
  repository: ["read", "create", "update", "delete"],
  organization: ["update"],
};

/** Every permission that an organization's key can be given. */
export const ORGANIZATION_SCOPES = { repository: ["read", "create", "delete"] };

/** Returns how a key is stored. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

type KeyOptions = Partial<Omit<KeyRow, "key" | "permissions">> & {
  permissions?: Record<string, string[]>;
};

/** Inserts a key of a user. Returns the key itself and its row. */
export async function aKey(
  gatehouse: Pick<Gatehouse, "d1">,
  { id: userId }: { id: string },
  { permissions = ALL_SCOPES, ...overrides }: KeyOptions = {},
): Promise<{ secret: string; row: KeyRow }> {
  const secret = `gh_${randomBytes(32).toString("hex")}`;
  const row: KeyRow = {
    id: crypto.randomUUID(),
    user_id: userId,
    organization_id: null,
    name: "Script",
    start: secret.slice(0, 8),
    key: hashOf(secret),
    permissions: JSON.stringify(permissions),
    passkey_id: null,
    expires_at: Date.now() + 86_400_000,
    last_request: null,
    created_at: Date.now(),
    revoked_at: null,
    revoked_by: null,
    ...overrides,
  };
  await insertRows(gatehouse.d1, "api_key", [row]);
  return { secret, row };
}

/** A row of the log of a key's calls. */
type CallRow = {
  api_key_id: string;
  day: number;
  slot: number;
  number: number;
  refused: number;
  at: number;
  status: number;
  method: string;
  path: string;
  request_id: string;
};

/** Inserts a call with a key, the first of its day. */
export async function aCall(
  gatehouse: Pick<Gatehouse, "d1">,
  { id }: { id: string },
  overrides: Partial<CallRow> = {},
): Promise<void> {
  const at = overrides.at ?? Date.now();
  await insertRows(gatehouse.d1, "api_call", [
    {
      api_key_id: id,
      day: Math.floor(at / 86_400_000),
      slot: 0,
      number: 1,
      refused: 0,
      at,
      status: 200,
      method: "GET",
      path: "/api/v1/repositories",
      request_id: crypto.randomUUID(),
      ...overrides,
    },
  ]);
}

/** Inserts calls of several days, some of them refused. */
export async function someCalls(
  gatehouse: Pick<Gatehouse, "d1">,
  key: { id: string },
  now: number,
): Promise<void> {
  for (const [days, number, refused, status] of [
    [5, 12, 0, 200],
    [4, 40, 3, 403],
    [2, 31, 31, 429],
    [1, 7, 0, 201],
    [0, 18, 1, 404],
  ] as const) {
    await aCall(gatehouse, key, { at: now - days * 86_400_000, number, refused, status });
  }
}
