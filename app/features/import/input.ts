import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";

const id = hidden(z.uuid());

export const ImportForm = z.discriminatedUnion("intent", [
  /** A file, or pasted lines. */
  z.object({
    intent: z.literal("upload"),
    file: z.file().optional(),
    text: z.string().optional(),
  }),
  z.object({ intent: z.literal("import"), import: id, invites: z.literal("yes").optional() }),
  z.object({ intent: z.literal("stop-import"), import: id }),
  z.object({ intent: z.literal("continue-import"), import: id }),
  z.object({ intent: z.literal("close-import"), import: id }),
]);

export type ImportForm = z.infer<typeof ImportForm>;
