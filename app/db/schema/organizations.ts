import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "./columns.ts";
import { user } from "./people.ts";

export const organization = sqliteTable("organization", {
  id: id(),
  name: text("name").notNull(),
  slug: text("slug").notNull().unique(),
  /** File name of the uploaded logo in the bucket. */
  logo: text("logo"),
  metadata: text("metadata"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at"),
  version: integer("version").notNull().default(1),
  /** When a manager disabled it; null while it is not. */
  disabledAt: moment("disabled_at"),
  disabledReason: text("disabled_reason"),
  /** When it will be deleted; null without a deletion. */
  deletionDueAt: moment("deletion_due_at"),
  erasureTriedAt: moment("erasure_tried_at"),
  /** Set by a trigger with each audit event about the organization. */
  lastActivityAt: moment("last_activity_at"),
  /** Kept by triggers. */
  memberCount: integer("member_count").notNull().default(0),
  searchKey: text("search_key").notNull().default(""),
});

/** A slug that an organization had before. Links with it lead to the organization until it expires. */
export const oldSlug = sqliteTable("old_slug", {
  slug: text("slug").primaryKey(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  expiresAt: moment("expires_at").notNull(),
});

export const member = sqliteTable("member", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  role: text("role", { enum: ["owner", "admin", "member"] })
    .notNull()
    .default("member"),
  createdAt: moment("created_at").notNull(),
});

export const invitation = sqliteTable("invitation", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  email: text("email").notNull(),
  role: text("role", { enum: ["owner", "admin", "member"] }),
  teamId: text("team_id"),
  /** Also `pending` after it has expired; better-auth's spelling. */
  status: text("status", { enum: ["pending", "accepted", "rejected", "canceled"] })
    .notNull()
    .default("pending"),
  expiresAt: moment("expires_at").notNull(),
  inviterId: text("inviter_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  createdAt: moment("created_at").notNull(),
  /** When its mail was last sent, and how often. */
  sentAt: moment("sent_at").notNull(),
  sends: integer("sends").notNull().default(1),
  /** The member to whom ownership is offered. Null when the invited person is no member yet. */
  memberId: text("member_id").references(() => member.id, { onDelete: "cascade" }),
  /** True when the inviter becomes an admin once the offer is accepted. */
  handsOver: flag("hands_over").notNull().default(false),
  answeredAt: moment("answered_at"),
});

/** A link that invites several people as members. Nothing in the database is enough to open it. */
export const invitationLink = sqliteTable("invitation_link", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  inviterId: text("inviter_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  maxUses: integer("max_uses").notNull(),
  /** Kept by a trigger. */
  uses: integer("uses").notNull().default(0),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at").notNull(),
});

/**
 * A user's place by a link. A user has one at most, and gets no other after leaving the
 * organization.
 */
export const invitationLinkUser = sqliteTable(
  "invitation_link_user",
  {
    linkId: text("link_id")
      .notNull()
      .references(() => invitationLink.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    /** Null from the sign-up by the link until the person joins. */
    joinedAt: moment("joined_at"),
  },
  (table) => [primaryKey({ columns: [table.linkId, table.userId] })],
);
