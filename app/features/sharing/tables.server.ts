import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";
import { repository } from "../repositories/tables.server.ts";

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
