import type texts from "../../../locales/en/notes.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** What managers write down about a user: notes, and metadata for other systems. */
export const notes = {
  name: "notes",
  texts: { notes: textsOf<typeof texts>() },
  permissions: {
    note: {
      read: ["support", "auditor"],
      write: ["support"],
    },
  },
  harmless: {
    "note.read": "Reads.",
  },
  audit: {
    "note.added": { icon: "pencil" },
    "note.removed": { icon: "trash-2" },
    "note.metadata_changed": { icon: "pencil", webhook: { type: "user.updated", for: "site" } },
  },
  panels: {
    "user-notes": { in: "userAside", needs: ["note", "read"] },
    "user-metadata": { in: "userAside", needs: ["note", "read"] },
  },
} as const satisfies FeatureFacts;
