import { integer, text } from "drizzle-orm/sqlite-core";

/** Text primary key; the inserting code makes the value. */
export function id() {
  return text("id").primaryKey();
}

/** A date, stored as milliseconds since 1970. */
export function moment(name: string) {
  return integer(name, { mode: "timestamp_ms" });
}

/** A boolean, stored as 0 or 1. */
export function flag(name: string) {
  return integer(name, { mode: "boolean" });
}

/** Columns for the creation and the last change of a row. */
export function timestamps() {
  return { createdAt: moment("created_at").notNull(), updatedAt: moment("updated_at").notNull() };
}
