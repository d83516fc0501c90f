import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { requiredText } from "../../values/record-fields.ts";
import { METADATA_NAME_MAX_LENGTH, METADATA_VALUE_MAX_LENGTH, NOTE_MAX_LENGTH } from "./limits.ts";

/** Names as other systems use them: they are compared letter by letter. */
const Name = z
  .string({ error: "notes:nameRequired" })
  .trim()
  .max(METADATA_NAME_MAX_LENGTH, {
    error: `validation:tooLong?maximum=${METADATA_NAME_MAX_LENGTH}`,
    abort: true,
  })
  .regex(/^[a-z0-9][a-z0-9._-]*$/i, { error: "notes:nameInvalid" });

const NoteText = z
  .string({ error: "notes:textRequired" })
  .trim()
  .min(1, { error: "notes:textRequired", abort: true })
  .max(NOTE_MAX_LENGTH, { error: `validation:tooLong?maximum=${NOTE_MAX_LENGTH}` });

/** Forms of a user's notes. `was` is the value that the manager saw, or empty for a new name. */
export const NotesForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("add-note"), text: NoteText }),
  z.object({ intent: z.literal("remove-note"), note: hidden(z.string().max(64)) }),
  z.object({
    intent: z.literal("set-metadata"),
    name: Name,
    value: requiredText(METADATA_VALUE_MAX_LENGTH),
    was: hidden(z.string().max(METADATA_VALUE_MAX_LENGTH).default("")),
  }),
  z.object({ intent: z.literal("remove-metadata"), removed: hidden(Name) }),
]);

export type NotesForm = z.infer<typeof NotesForm>;

/** `name`: the metadata that the form changes; empty for another. */
export const NotesSearch = z.object({
  name: z.string().max(METADATA_NAME_MAX_LENGTH).catch("").default(""),
});
