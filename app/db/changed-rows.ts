import { sql } from "drizzle-orm";
import { user } from "./schema/schema.ts";

/** SQL condition: the previous statement of the same batch changed a row. */
export const CHANGED = sql`changes() > 0`;

/** Returns the columns that every change of a user updates. */
export function touched(now: Date) {
  return { updatedAt: now, version: sql`${user.version} + 1` };
}
