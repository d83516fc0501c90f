import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { IMPORT_LINES_AT_ONCE, MAX_LINES } from "./limits.ts";
import { CELL_MAX_LENGTH, MAX_COLUMNS } from "./read-rows.ts";

const Lines = z
  .array(
    z.tuple([
      z.number().int().min(1).max(1_000_000),
      z.array(z.string().max(CELL_MAX_LENGTH)).max(MAX_COLUMNS),
    ]),
  )
  .max(IMPORT_LINES_AT_ONCE);

/** A piece of lines as the browser's scripts send it: JSON in a field. */
const LinesField = z.string().transform((text, context) => {
  try {
    return Lines.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom" });
    return z.NEVER;
  }
});

const id = hidden(z.uuid());

export const ImportForm = z.discriminatedUnion("intent", [
  /** Without JavaScript: the whole file, or pasted lines. */
  z.object({
    intent: z.literal("upload"),
    file: z.file().optional(),
    text: z.string().optional(),
  }),
  z.object({
    intent: z.literal("read-lines"),
    import: id,
    position: hidden(z.coerce.number().int().min(0).max(MAX_LINES)),
    lines: hidden(LinesField),
    isLast: hidden(z.literal("yes").optional()),
  }),
  z.object({ intent: z.literal("import"), import: id, invites: z.literal("yes").optional() }),
  z.object({ intent: z.literal("import-next"), import: id }),
  z.object({ intent: z.literal("close-import"), import: id }),
]);

export type ImportForm = z.infer<typeof ImportForm>;
