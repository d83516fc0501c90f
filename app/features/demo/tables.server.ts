import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { moment } from "../../db/schema/columns.ts";

/** One row after a demonstration has started to fill its database; `filledAt` is set when it is done. */
export const demoFill = sqliteTable("demo_fill", {
  id: integer("id").primaryKey(),
  claimedAt: moment("claimed_at").notNull(),
  filledAt: moment("filled_at"),
});
