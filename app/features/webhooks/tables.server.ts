import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment, timestamps } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";

/** A receiver of events. One without an organization is the site's own. */
export const webhookEndpoint = sqliteTable("webhook_endpoint", {
  id: id(),
  organizationId: text("organization_id").references(() => organization.id, {
    onDelete: "cascade",
  }),
  url: text("url").notNull(),
  /** Encrypted. */
  secret: text("secret").notNull(),
  /** Encrypted. It signs too until its end. */
  previousSecret: text("previous_secret"),
  previousSecretUntil: moment("previous_secret_until"),
  withIpAddress: flag("with_ip_address").notNull().default(false),
  /** "failed": paused by the sender. */
  state: text("state", { enum: ["active", "paused", "failed"] })
    .notNull()
    .default("active"),
  failingSince: moment("failing_since"),
  tries: integer("tries").notNull().default(0),
  nextTryAt: moment("next_try_at"),
  /** Every delivery of an event before this time is settled. */
  settledUntil: moment("settled_until").notNull(),
  /** Events that were deleted after 30 days without being delivered. */
  dropped: integer("dropped").notNull().default(0),
  version: integer("version").notNull().default(1),
  /** Whose it is to decide where the events go: who made it, changed its URL, or resumed it, the last of these. */
  madeBy: text("made_by").references(() => user.id, { onDelete: "set null" }),
  ...timestamps(),
  /** Since when the maker may no longer have made it. It gets no events until another resumes it. Triggers write it. */
  makerLeftAt: moment("maker_left_at"),
  /** When its sender was woken; null once that has nothing more to do. */
  wokenAt: moment("woken_at"),
});

/** An action that an endpoint wants. */
export const webhookSubscription = sqliteTable(
  "webhook_subscription",
  {
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoint.id, { onDelete: "cascade" }),
    action: text("action").notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.action] })],
);

/** An event for an endpoint, written by a trigger. `createdAt` and `eventId` are the key of the audit event. */
export const webhookDelivery = sqliteTable(
  "webhook_delivery",
  {
    endpointId: text("endpoint_id").notNull(),
    createdAt: moment("created_at").notNull(),
    eventId: text("event_id").notNull(),
    state: text("state", { enum: ["waiting", "delivered", "skipped"] })
      .notNull()
      .default("waiting"),
    tries: integer("tries").notNull().default(0),
    triedAt: moment("tried_at"),
    /** Status of the last answer; null when there was none. */
    status: integer("status"),
    /** Why there was no answer. */
    error: text("error"),
    durationMs: integer("duration_ms"),
    /** Beginning of the last answer's body. */
    answer: text("answer"),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.createdAt, table.eventId] })],
);

/** An earlier attempt of a delivery, written by a trigger: the last one is in the delivery. */
export const webhookAttempt = sqliteTable(
  "webhook_attempt",
  {
    endpointId: text("endpoint_id").notNull(),
    createdAt: moment("created_at").notNull(),
    eventId: text("event_id").notNull(),
    triedAt: moment("tried_at").notNull(),
    status: integer("status"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    answer: text("answer"),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.createdAt, table.eventId, table.triedAt] }),
  ],
);

/** Attempts of a day. `day` counts days in UTC since 1970. */
export const webhookDay = sqliteTable(
  "webhook_day",
  {
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoint.id, { onDelete: "cascade" }),
    day: integer("day").notNull(),
    accepted: integer("accepted").notNull().default(0),
    failed: integer("failed").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.day] })],
);

/**
 * What the built-in bin received. The body is made from the event, or from the type of a sample.
 */
export const webhookBin = sqliteTable(
  "webhook_bin",
  {
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoint.id, { onDelete: "cascade" }),
    receivedAt: moment("received_at").notNull(),
    eventId: text("event_id").notNull(),
    /** When the event happened. */
    createdAt: moment("created_at").notNull(),
    /** Type of a sample; null for an event. */
    sample: text("sample"),
    headers: text("headers", { mode: "json" }).$type<Record<string, string>>().notNull(),
    isSigned: flag("is_signed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.receivedAt, table.eventId] })],
);
