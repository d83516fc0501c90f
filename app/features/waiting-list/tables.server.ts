import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "../../db/schema/columns.ts";
import { user } from "../../db/schema/people.ts";

/** A person who asked to come in. A trigger deletes the row when the e-mail gets an account. */
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
