import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "../../db/schema/columns.ts";
import { passkey, user } from "../../db/schema/people.ts";

/** An API key. `key` is a hash. */
export const apiKey = sqliteTable("api_key", {
  id: id(),
  /** Its maker, in whose name it acts. */
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  /** The only organization it works in; null for the maker's account. It ends with the membership. */
  organizationId: text("organization_id"),
  name: text("name").notNull(),
  /** First characters of the key itself. */
  start: text("start").notNull(),
  key: text("key").notNull().unique(),
  permissions: text("permissions", { mode: "json" }).notNull().$type<Record<string, string[]>>(),
  /** The passkey that had proven the session in which it was made; null without one, or when it was removed. */
  passkeyId: text("passkey_id").references(() => passkey.id, { onDelete: "set null" }),
  expiresAt: moment("expires_at").notNull(),
  /** Written once an hour. */
  lastRequest: moment("last_request"),
  createdAt: moment("created_at").notNull(),
  /** It then expires too. The row stays for as long as its calls. */
  revokedAt: moment("revoked_at"),
  revokedBy: text("revoked_by").references(() => user.id, { onDelete: "set null" }),
});

/** The answer to a request with an idempotency key; null while it is being answered. */
export const idempotentAnswer = sqliteTable("idempotent_answer", {
  apiKeyId: text("api_key_id").references(() => apiKey.id, { onDelete: "cascade" }),
  /** In place of a key: an app, which called for this user. */
  appId: text("app_id"),
  userId: text("user_id").references(() => user.id, { onDelete: "cascade" }),
  idempotencyKey: text("idempotency_key").notNull(),
  requestHash: text("request_hash").notNull(),
  answer: text("answer"),
  createdAt: moment("created_at").notNull(),
});

/** A call with a key. `migrations/0021_api_keys.sql` says how many are kept. */
export const apiCall = sqliteTable(
  "api_call",
  {
    apiKeyId: text("api_key_id")
      .notNull()
      .references(() => apiKey.id, { onDelete: "cascade" }),
    day: integer("day").notNull(),
    slot: integer("slot").notNull(),
    number: integer("number").notNull(),
    refused: integer("refused").notNull(),
    at: moment("at").notNull(),
    status: integer("status").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.apiKeyId, table.day, table.slot] })],
);
