import { z } from "zod";
import type { BulkItem } from "../ui/bulk.ts";
import type { MessageReference } from "../ui/message.tsx";

/** A name for each is asked for in one statement, and D1 takes 100 bound parameters. */
const MAX_IDS = 100;
/** Changes under way at once: each is a round trip, and the database does one after the other anyhow. */
const AT_ONCE = 10;

/** The chosen rows of a list, as its checkboxes post them; one that is named twice counts once. */
export const ChosenIds = z
  .array(z.string().max(64, { error: "validation:form.incomplete" }), {
    error: "common:selection.none",
  })
  .min(1, { error: "common:selection.none" })
  .max(MAX_IDS, { error: `common:selection.tooMany?maximum=${MAX_IDS}` })
  .transform((ids) => [...new Set(ids)]);

/**
 * Does a change to each of some rows and answers what became of each, in their order. Every change stands by itself:
 * one that is refused, or fails, undoes none of the others. `change` answers why it was refused, if it was.
 */
export async function changeEach<Row extends { id: string }>(
  ids: string[],
  {
    rows,
    nameOf,
    detailOf,
    gone,
    change,
    onFailure,
  }: {
    rows: Row[];
    nameOf: (row: Row) => string;
    /** What tells a row from others of the same name. */
    detailOf?: (row: Row) => string;
    /** What to say of an id that nothing has. */
    gone: MessageReference;
    change: (row: Row) => Promise<MessageReference | undefined>;
    onFailure: (error: unknown) => void;
  },
): Promise<BulkItem[]> {
  const known = new Map(rows.map((row) => [row.id, row]));
  const items: BulkItem[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const changed = ids.slice(start, start + AT_ONCE).map(async (id): Promise<BulkItem> => {
      const row = known.get(id);
      if (!row) return { id, name: "", refusal: gone };
      const item = { id, name: nameOf(row), detail: detailOf?.(row) };
      try {
        return { ...item, refusal: await change(row) };
      } catch (error) {
        onFailure(error);
        return { ...item, refusal: "common:errors.failed" };
      }
    });
    items.push(...(await Promise.all(changed)));
  }
  return items;
}
