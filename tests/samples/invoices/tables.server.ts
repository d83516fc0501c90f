import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, money, timestamps } from "../../db/schema/columns.ts";
import { organization } from "../../db/schema/organizations.ts";
import { user } from "../../db/schema/people.ts";
import { STATUS_CHOICES } from "./invoice-limits.ts";

export const invoice = sqliteTable("invoice", {
  id: id(),
  organizationId: text("organization_id")
    .notNull()
    .references(() => organization.id, { onDelete: "cascade" }),
  number: text("number").notNull(),
  customer: text("customer").notNull(),
  amount: money("amount").notNull(),
  dueOn: text("due_on"),
  status: text("status", { enum: STATUS_CHOICES }).notNull(),
  notes: text("notes"),
  searchKey: text("search_key").notNull(),
  version: integer("version").notNull().default(1),
  createdBy: text("created_by").references(() => user.id, { onDelete: "set null" }),
  ...timestamps(),
});
