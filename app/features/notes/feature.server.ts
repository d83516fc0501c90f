import { eq } from "drizzle-orm";
import { ownRows } from "../../db/own-rows.server.ts";
import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import type { notes } from "./feature.ts";
import { selectMetadata, selectNotes } from "./notes.server.ts";
import { userMetadata, userNote } from "./tables.server.ts";

/** Notes that a user's page shows; their own screen shows all. */
const NEWEST = 2;

export const notesServer = {
  panels: {
    "user-notes": (id) =>
      readOf(
        (db) => selectNotes(db, String(id), NEWEST),
        (rows) => rows,
      ),
    "user-metadata": (id) =>
      readOf(
        (db) => selectMetadata(db, String(id)),
        (rows) => rows,
      ),
  },
  ownData: {
    notesAboutYou: ({ id }) =>
      ownRows(userNote, {
        where: eq(userNote.userId, id),
        columns: ["text", "createdAt"],
        order: userNote.createdAt.getSQL(),
      }),
    metadata: ({ id }) =>
      ownRows(userMetadata, {
        where: eq(userMetadata.userId, id),
        columns: ["name", "value", "updatedAt"],
      }),
  },
} satisfies ServerFacts<typeof notes>;
