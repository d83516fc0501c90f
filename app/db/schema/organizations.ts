import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns.ts";
import { user } from "./people.ts";

export const organization = sqliteTable("organization", {
  id: id(),
  name: text("name").notNull(),
  slug: text("slug").notNull().unique(),
  logo: text("logo"),
  metadata: text("metadata"),
  createdAt: moment("created_at").notNull(),
});

export const member = sqliteTable("member", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  role: text("role").notNull().default("member"),
  createdAt: moment("created_at").notNull(),
});

export const team = sqliteTable("team", {
  id: id(),
  name: text("name").notNull(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  memberCount: integer("member_count").notNull().default(0),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at"),
});

export const teamMember = sqliteTable("team_member", {
  id: id(),
  teamId: text("team_id")
    .notNull()
    .references(() => team.id, { onDelete: "cascade" }),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  membershipKey: text("membership_key").unique(),
  createdAt: moment("created_at"),
});

export const invitation = sqliteTable("invitation", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  email: text("email").notNull(),
  role: text("role"),
  teamId: text("team_id"),
  status: text("status").notNull().default("pending"),
  expiresAt: moment("expires_at").notNull(),
  inviterId: text("inviter_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  createdAt: moment("created_at").notNull(),
});
