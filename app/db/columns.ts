import { integer, text } from "drizzle-orm/sqlite-core";

/** Text primary key; the value is made by whoever inserts. */
export function id() {
  return text("id").primaryKey();
}

/** A moment, stored as milliseconds since 1970. */
export function moment(name: string) {
  return integer(name, { mode: "timestamp_ms" });
}

/** A truth value, stored as 0 or 1. */
export function flag(name: string) {
  return integer(name, { mode: "boolean" });
}

/** When a row came to be and when it last changed. */
export function timestamps() {
  return { createdAt: moment("created_at").notNull(), updatedAt: moment("updated_at").notNull() };
}
