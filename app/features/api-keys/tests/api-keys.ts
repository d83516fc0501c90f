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
    ...overrides,
  };
  await insertRows(gatehouse.d1, "api_key", [row]);
  return { secret, row };
}
