import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";

/**
 * What happened to things that act for programs, until those who may change them are told by mail.
 * Triggers write it.
 */
export const programNews = sqliteTable("program_news", {
  id: integer("id").primaryKey(),
  /** Null for the site. */
  organizationId: text("organization_id").references(() => organization.id, {
    onDelete: "cascade",
  }),
  /** One of the facts' kinds. */
  kind: text("kind").notNull(),
  /** What the thing is called there, such as the host of a receiver. */
  name: text("name").notNull(),
  /** Who made or changed it; for what stopped, who left. */
  userId: text("user_id").references(() => user.id, { onDelete: "set null" }),
  createdAt: moment("created_at").notNull(),
  toldAt: moment("told_at"),
});
