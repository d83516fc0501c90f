import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "../../db/schema/columns.ts";
import { user } from "../../db/schema/people.ts";

/** One row: whether the login page offers the list. */
export const waitingListSetting = sqliteTable("waiting_list_setting", {
  id: integer("id").primaryKey(),
  isOn: flag("is_on").notNull().default(false),
  updatedAt: moment("updated_at"),
});

/**
 * A person who asked to come in. Triggers let an approved one in, and delete the row when the
 * e-mail gets an account.
 */
export const waitingList = sqliteTable("waiting_list", {
  id: id(),
  email: text("email").notNull().unique(),
  language: text("language").notNull(),
  state: text("state", { enum: ["waiting", "approved", "declined"] })
    .notNull()
    .default("waiting"),
  createdAt: moment("created_at").notNull(),
  decidedAt: moment("decided_at"),
  decidedBy: text("decided_by").references(() => user.id, { onDelete: "set null" }),
});
