import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment, timestamps } from "./columns.ts";

export const user = sqliteTable("user", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: flag("email_verified").notNull().default(false),
  image: text("image"),
  role: text("role").notNull().default("user"),
  banned: flag("banned").notNull().default(false),
  banReason: text("ban_reason"),
  banExpires: moment("ban_expires"),
  onboardedAt: moment("onboarded_at"),
  language: text("language"),
  theme: text("theme"),
  /** File name of the uploaded picture in the bucket. `image` is the URL from a provider. */
  avatar: text("avatar"),
  /** Time at which the account will be erased; null without account deletion. */
  deletionDueAt: moment("deletion_due_at"),
  erasureTriedAt: moment("erasure_tried_at"),
  lastSeenAt: moment("last_seen_at"),
  searchKey: text("search_key").notNull().default(""),
  version: integer("version").notNull().default(1),
  createdBy: text("created_by"),
  /** The organization that was active last, for the next sign-in. */
  lastOrganizationId: text("last_organization_id"),
  /** The version of the terms that the user accepted last, and when. */
  termsVersion: text("terms_version"),
  termsAcceptedAt: moment("terms_accepted_at"),
  /** Until when a manager may add a first passkey after the grace period, because an admin has let them. */
  passkeyReleaseUntil: moment("passkey_release_until"),
  /** Browsers that signed in before are no trusted devices any more; null when all are. */
  devicesSince: moment("devices_since"),
  /**
   * What became of the newest mail that invites the user to sign in, until the first sign-in; null
   * when none was queued. Triggers follow the mails.
   */
  invitation: text("invitation", { enum: ["queued", "bounced"] }),
  /** The invitation link that let the person in, if nothing else did. */
  entryLink: text("entry_link"),
  ...timestamps(),
});

export const session = sqliteTable("session", {
  id: id(),
  token: text("token").notNull().unique(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  expiresAt: moment("expires_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  place: text("place"),
  impersonatedBy: text("impersonated_by"),
  activeOrganizationId: text("active_organization_id"),
  activeTeamId: text("active_team_id"),
  /** Time of the last re-authentication; null means the sign-in itself. */
  authenticatedAt: moment("authenticated_at"),
  /** Time of the last proof by a passkey: the sign-in or a re-authentication; null means never. */
  passkeyProvedAt: moment("passkey_proved_at"),
  passkeyProvedBy: text("passkey_proved_by"),
  /** How the newest proof was given; null when it is not known, or its passkey was removed. */
  provedBy: text("proved_by", { enum: ["code", "passkey", "provider"] }),
  lastSeenAt: moment("last_seen_at"),
  ...timestamps(),
});

export const account = sqliteTable("account", {
  id: id(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  /** The e-mail that the provider reported when the account was linked; null for older accounts. */
  email: text("email"),
  accessToken: text("access_token"),
  refreshToken: text("refresh_token"),
  idToken: text("id_token"),
  accessTokenExpiresAt: moment("access_token_expires_at"),
  refreshTokenExpiresAt: moment("refresh_token_expires_at"),
  scope: text("scope"),
  password: text("password"),
  ...timestamps(),
});

export const verification = sqliteTable("verification", {
  id: id(),
  identifier: text("identifier").notNull(),
  value: text("value").notNull(),
  expiresAt: moment("expires_at").notNull(),
  ...timestamps(),
});

export const rateLimit = sqliteTable("rate_limit", {
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  windowStart: moment("window_start").notNull(),
});

/** One-time code of a session for one purpose and one e-mail; a new code replaces it. */
export const accountCode = sqliteTable(
  "account_code",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    purpose: text("purpose", {
      enum: ["confirm", "email-current", "email-new", "delete"],
    }).notNull(),
    sessionId: text("session_id")
      .notNull()
      .references(() => session.id, { onDelete: "cascade" }),
    email: text("address").notNull(),
    newEmail: text("new_email"),
    /** The e-mail that was confirmed before this one, and when. */
    provedEmail: text("proved_address"),
    provedAt: moment("proved_at"),
    codeHash: text("code_hash").notNull(),
    tries: integer("tries").notNull().default(0),
    sentAt: moment("sent_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose] })],
);

export const passkey = sqliteTable("passkey", {
  id: id(),
  name: text("name"),
  publicKey: text("public_key").notNull(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  credentialID: text("credential_id").notNull().unique(),
  counter: integer("counter").notNull(),
  deviceType: text("device_type").notNull(),
  backedUp: flag("backed_up").notNull(),
  transports: text("transports"),
  aaguid: text("aaguid"),
  createdAt: moment("created_at"),
  lastUsedAt: moment("last_used_at"),
});
