import { actsOf } from "../access/act.ts";

const HARMLESS = "Is read by managers, and decides nothing.";

/** What managers do with notes and metadata of a user. */
export const NOTE_ACTS = actsOf("note", {
  "add-note": { permission: ["note", "write"], harmless: HARMLESS },
  "remove-note": { permission: ["note", "write"], harmless: HARMLESS },
  "set-metadata": { permission: ["note", "write"], harmless: HARMLESS },
  "remove-metadata": { permission: ["note", "write"], harmless: HARMLESS },
});
