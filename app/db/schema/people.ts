import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment, timestamps } from "../columns.ts";

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
  lastSeenAt: moment("last_seen_at"),
  searchKey: text("search_key").notNull().default(""),
  version: integer("version").notNull().default(1),
  createdBy: text("created_by"),
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
