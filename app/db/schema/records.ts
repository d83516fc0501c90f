import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "./columns.ts";

/** What can become of a mail after the provider took it. A later one in this list replaces an earlier one. */
const DELIVERIES = [
  "delayed",
  "failed",
  "delivered",
  "bounced",
  "suppressed",
  "complained",
] as const;

const REFUSALS = ["bounced", "suppressed", "complained"] as const;

export const auditEvent = sqliteTable(
  "audit_event",
  {
    id: text("id").notNull(),
    action: text("action").notNull(),
    actorId: text("actor_id"),
    impersonatorId: text("impersonator_id"),
    targetType: text("target_type"),
    targetId: text("target_id"),
    details: text("details", { mode: "json" }).$type<Record<string, unknown>>(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    requestId: text("request_id"),
    createdAt: moment("created_at").notNull(),
    place: text("place"),
  },
  (table) => [primaryKey({ columns: [table.createdAt, table.id] })],
);

/** The time before which audit events may be deleted. It has a row only inside the batch that deletes them. */
export const auditDeletion = sqliteTable("audit_deletion", { until: moment("until").notNull() });

/** Accounts whose erasure left events that managers made, until these are thinned. */
export const erasedAccount = sqliteTable("erased_account", {
  userId: text("user_id").primaryKey(),
  erasedAt: moment("erased_at").notNull(),
});

export const mailOutbox = sqliteTable("mail_outbox", {
  id: id(),
  kind: text("kind").notNull(),
  recipient: text("recipient").notNull(),
  language: text("language").notNull(),
  payload: text("payload"),
  state: text("state", { enum: ["waiting", "sent", "expired", "failed"] })
    .notNull()
    .default("waiting"),
  tries: integer("tries").notNull().default(0),
  nextTryAt: moment("next_try_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
  providerId: text("provider_id"),
  lastError: text("last_error"),
  sentAt: moment("sent_at"),
  createdAt: moment("created_at").notNull(),
  /** What became of the mail after the provider took it; null until the provider says it. */
  delivery: text("delivery", { enum: DELIVERIES }),
  deliveryAt: moment("delivery_at"),
  deliveryReason: text("delivery_reason"),
  /** The turn of the mail (`turnOf`). */
  lane: integer("lane").notNull().default(1),
  asked: integer("asked").notNull().default(0),
  askedNear: integer("asked_near").notNull().default(0),
  /** The user who caused a mail to others. */
  causedBy: text("caused_by"),
  /** The client that asked for a sign-in code; null for other mails. */
  askedIpAddress: text("asked_ip_address"),
  askedUserAgent: text("asked_user_agent"),
  askedPlace: text("asked_place"),
  askedRequestId: text("asked_request_id"),
});

/** At most one row, with the id 1: no mail can leave, because a quota at the provider is used up. */
export const mailPause = sqliteTable("mail_pause", {
  id: integer("id").primaryKey(),
  quota: text("quota", { enum: ["daily", "monthly"] }).notNull(),
  /** When one mail is tried, to notice a bigger quota. */
  retryAt: moment("retry_at").notNull(),
  /** When the quota is renewed. */
  until: moment("until").notNull(),
});

export const refusingMailbox = sqliteTable("refusing_mailbox", {
  email: text("email").primaryKey(),
  reason: text("reason", { enum: REFUSALS }).notNull(),
  /** The provider's own words. */
  note: text("note"),
  since: moment("since").notNull(),
  /** When mail was allowed again; null while the mailbox refuses mail. */
  allowedAt: moment("allowed_at"),
});

export const codeEvent = sqliteTable(
  "code_event",
  {
    id: text("id").notNull(),
    budget: text("budget").notNull(),
    kind: text("kind", { enum: ["sent", "failed", "named"] }).notNull(),
    createdAt: moment("created_at").notNull(),
    /** Keyed hash of the IPv4 address or /48 network that asked for an account code. */
    network: text("network"),
  },
  (table) => [primaryKey({ columns: [table.budget, table.kind, table.createdAt, table.id] })],
);

/**
 * Outcomes of a mailbox's sign-in in one hour that no other table stores. `mailbox` is a keyed
 * hash.
 */
export const signInStep = sqliteTable(
  "sign_in_step",
  {
    /** Hours since 1970. */
    hour: integer("hour").notNull(),
    /** 0: e-mail without an account. 1: e-mail with an account. 2: a sign-in. */
    part: integer("part").notNull(),
    mailbox: text("mailbox").notNull(),
    outcome: text("outcome").notNull(),
    count: integer("count").notNull(),
    firstAt: moment("first_at").notNull(),
    lastAt: moment("last_at").notNull(),
    /** Time of the last one. */
    userId: text("user_id"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    place: text("place"),
    requestId: text("request_id"),
  },
  (table) => [primaryKey({ columns: [table.hour, table.part, table.mailbox, table.outcome] })],
);

/** A sign-in code: the six digits of a mail, and the long key of its link. `mailbox` is a keyed hash. */
export const signInCode = sqliteTable(
  "sign_in_code",
  {
    id: text("id").notNull(),
    mailbox: text("mailbox").notNull(),
    /** The browser that asked for it. */
    browser: text("browser").notNull(),
    isTrusted: flag("is_trusted").notNull(),
    /** True when its mail left before the interval since the last one was over. */
    isEarly: flag("is_early").notNull(),
    codeHash: text("code_hash").notNull(),
    keyHash: text("key_hash").notNull(),
    ownTries: integer("own_tries").notNull().default(0),
    sharedTries: integer("shared_tries").notNull().default(0),
    sentAt: moment("sent_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    keyExpiresAt: moment("key_expires_at").notNull(),
    spentAt: moment("spent_at"),
    /** Keyed hashes: of the IPv4 address or /48 network, and of the IPv4 address or /64 network, that asked for it. */
    network: text("network").notNull().default(""),
    nearNetwork: text("near_network").notNull().default(""),
  },
  (table) => [primaryKey({ columns: [table.mailbox, table.sentAt, table.id] })],
);

/** Ban of an e-mail whose account was erased during the ban. */
export const bannedMailbox = sqliteTable("banned_mailbox", {
  mailbox: text("mailbox").primaryKey(),
  expiresAt: moment("expires_at"),
});

/** A deleted row that can be brought back, as JSON. Triggers of features keep there what hangs on it. */
export const bin = sqliteTable(
  "bin",
  {
    kind: text("kind").notNull(),
    id: text("id").notNull(),
    row: text("row").notNull(),
    until: moment("until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** Row counts of whole tables, kept by triggers, because counting a million rows would scan them. */
export const counter = sqliteTable("counter", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** What triggers count by time, for the dashboard. */
export const COUNTED = [
  ...(["user.created", "user.seen", "user.signed_in", "code.wrong"] as const),
  ...DELIVERIES.map((name) => `mail.${name}` as const),
] as const;

/** Number of events in a quarter of an hour; `slot` counts those since 1970. */
export const slotCount = sqliteTable(
  "slot_count",
  {
    name: text("name").$type<(typeof COUNTED)[number]>().notNull(),
    slot: integer("slot").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.slot] })],
);

/** The last run of each cron schedule; `failedAt` and `failedJobs` are of the last run in which a job failed. */
export const scheduledRun = sqliteTable("scheduled_run", {
  schedule: text("schedule", { enum: ["minute", "hour"] }).primaryKey(),
  startedAt: moment("started_at").notNull(),
  durationMs: integer("duration_ms").notNull(),
  failedAt: moment("failed_at"),
  failedJobs: text("failed_jobs"),
});
