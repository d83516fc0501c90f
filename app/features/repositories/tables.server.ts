import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment, timestamps } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";

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

/** A repository that is shared into an organization. */
export const organizationRepository = sqliteTable(
  "organization_repository",
  {
    organizationId: text("organization_id")
      .notNull()
      .references(() => organization.id, { onDelete: "cascade" }),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repository.id, { onDelete: "cascade" }),
    sharedBy: text("shared_by").references(() => user.id, { onDelete: "set null" }),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.repositoryId] })],
);
