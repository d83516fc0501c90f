import { integer, text } from "drizzle-orm/sqlite-core";
import type { Money } from "../../values/money.ts";

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

/** An amount of money with its currency, stored as JSON. */
export function money(name: string) {
  return text(name, { mode: "json" }).$type<Money>();
}

/** Columns for the creation and the last change of a row. */
export function timestamps() {
  return { createdAt: moment("created_at").notNull(), updatedAt: moment("updated_at").notNull() };
}
