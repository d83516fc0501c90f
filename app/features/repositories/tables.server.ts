import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, timestamps } from "../../db/schema/columns.ts";

export const repository = sqliteTable("repository", {
  id: id(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull().unique(),
  link: text("link").notNull(),
  description: text("description"),
  searchKey: text("search_key").notNull().default(""),
  version: integer("version").notNull().default(1),
  ...timestamps(),
});
