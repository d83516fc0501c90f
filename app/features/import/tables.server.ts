import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "../../db/schema/columns.ts";
import { user } from "../../db/schema/people.ts";
import type { Language } from "../../i18n/languages.ts";
import { IMPORT_FIELDS } from "./limits.ts";

/** An import of users by a manager. At most one of a manager is not closed. */
export const userImport = sqliteTable("user_import", {
  id: id(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  /**
   * The session that sent the lines, or that continued them after a stop. Only it can start the
   * import, which stops when it ends.
   */
  sessionId: text("session_id").notNull(),
  /** Cells of the first line of the file, where they name the columns. */
  header: text("header", { mode: "json" }).$type<string[]>(),
  lineCount: integer("line_count").notNull(),
  state: text("state", {
    enum: ["checked", "running", "stopped", "finished", "closed"],
  }).notNull(),
  /** True when each new user gets an invitation. */
  invites: flag("invites").notNull(),
  /** Language of the invitations to people whose line names none. */
  language: text("language").$type<Language>().notNull(),
  /** Time of the last step; a day later the row is deleted. */
  touchedAt: moment("touched_at").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** A line of an import. One that is new becomes made, known or wrong when the import comes to it. */
export const userImportLine = sqliteTable(
  "user_import_line",
  {
    importId: text("import_id")
      .notNull()
      .references(() => userImport.id, { onDelete: "cascade" }),
    line: integer("line").notNull(),
    cells: text("cells", { mode: "json" }).$type<string[]>().notNull(),
    state: text("state", { enum: ["new", "known", "wrong", "made"] }).notNull(),
    /** The roles of a new manager, which the screen shows before the start; null for everybody else. */
    role: text("role"),
    /** The field that is wrong. */
    field: text("field", { enum: IMPORT_FIELDS }),
    /** Why: a reference to a text. */
    reason: text("reason"),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);
