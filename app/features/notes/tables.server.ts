import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "../../db/schema/columns.ts";
import { user } from "../../db/schema/people.ts";

/** A note about a user. It is deleted with the user, and stays when its author goes. */
export const userNote = sqliteTable("user_note", {
  id: id(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  authorId: text("author_id").references(() => user.id, { onDelete: "set null" }),
  text: text("text").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** A named value of a user, such as the number in another system. */
export const userMetadata = sqliteTable(
  "user_metadata",
  {
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    value: text("value").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
);
