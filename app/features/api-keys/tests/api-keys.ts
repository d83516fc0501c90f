import { createHash, randomBytes } from "node:crypto";
import { requireRetryAfter } from "../../../../tests/support/client.ts";
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

type Sent = {
  /** JSON body; a text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** The members of the API's answers that tests read one by one; what is not in an answer is undefined. */
type Body = {
  id: string;
  repositories: { id: string; name: string }[];
  total: number;
  next: string | null;
  code: string;
  errors: { field: string; code: string; message: string }[];
};

/** What the API answered. */
export type Answered = {
  status: number;
  headers: Headers;
  body: Body;
};

/** Returns a program that calls the API with a key. */
export function aProgram(gatehouse: Pick<Gatehouse, "url">, secret: string | undefined) {
  return async (method: string, path: string, { body, headers }: Sent = {}): Promise<Answered> => {
    const response = await fetch(new URL(`/api/v1${path}`, gatehouse.url), {
      method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      redirect: "manual",
    });
    requireRetryAfter(path, response);
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
  };
}
