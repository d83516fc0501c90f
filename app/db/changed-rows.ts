import { sql } from "drizzle-orm";
import { user } from "./schema/schema.ts";

/** Returns the columns that every change of a user updates. */
export function touched(now: Date) {
  return { updatedAt: now, version: sql`${user.version} + 1` };
}
