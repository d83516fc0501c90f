import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id, moment } from "../../db/schema/columns.ts";
import { user } from "../../db/schema/people.ts";

/** An import of users by a manager. At most one of a manager is open: `closedAt` is null. */
export const userImport = sqliteTable("user_import", {
  id: id(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  /** The session that sent the lines; null for an import of an older version. Only it can start the import. */
  sessionId: text("session_id"),
  /** Cells of the first line of the file, where they name the columns. */
  header: text("header", { mode: "json" }).$type<string[]>(),
  lineCount: integer("line_count").notNull().default(0),
  /** True when each new user gets an invitation. */
  invites: flag("invites").notNull().default(false),
  /** When the last line had arrived. */
  readAt: moment("read_at"),
  startedAt: moment("started_at"),
  finishedAt: moment("finished_at"),
  closedAt: moment("closed_at"),
  /** Time of the last step; a day later the row is deleted. */
  touchedAt: moment("touched_at").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** A line of an import that makes no user. */
export type WrongLine = {
  line: number;
  field: "email" | "name" | "role" | "language";
  value: string;
  /** Reference to a text. */
  reason: string;
};

/** A person of an import with a manager's role. */
export type ImportedManager = { email: string; role: string };

/** Lines of an import that one request checks or imports; `doneAt` is when it made users of them. */
export const userImportPiece = sqliteTable(
  "user_import_piece",
  {
    importId: text("import_id")
      .notNull()
      .references(() => userImport.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    lines: text("lines", { mode: "json" }).$type<[number: number, cells: string[]][]>().notNull(),
    lineCount: integer("line_count").notNull(),
    /** E-mails of the lines that are right. */
    emails: text("emails", { mode: "json" }).$type<string[]>().notNull(),
    /** Users that the piece will make, or has made. */
    newCount: integer("new_count").notNull(),
    knownCount: integer("known_count").notNull(),
    wrong: text("wrong", { mode: "json" }).$type<WrongLine[]>().notNull(),
    wrongCount: integer("wrong_count").notNull(),
    doneAt: moment("done_at"),
    /** People of the piece with a manager's role, as the screen shows them before the start. */
    managers: text("managers", { mode: "json" }).$type<ImportedManager[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
);
