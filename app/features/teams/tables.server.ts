import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";

export const team = sqliteTable("team", {
  id: id(),
  name: text("name").notNull(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  /** Kept by triggers. */
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
  createdAt: moment("created_at"),
});
