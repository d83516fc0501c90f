import { z } from "zod";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import type { BulkItem } from "./bulk-report.ts";

/** One statement asks for the names of all ids, and D1 takes at most 100 bound parameters. */
const MAX_IDS = 100;
/** Changes in progress at once: each is a round trip, and the database runs them one by one. */
const AT_ONCE = 10;

/** The chosen rows of a list as its checkboxes post them. A repeated id counts once. */
export const ChosenIds = z
  .array(z.string().max(64, { error: "validation:form.incomplete" }), {
    error: "common:selection.none",
  })
  .min(1, { error: "common:selection.none" })
  .max(MAX_IDS, { error: `common:selection.tooMany?maximum=${MAX_IDS}` })
  .transform((ids) => [...new Set(ids)]);

/**
 * Changes each of some rows and returns the results in their order. Each change is independent: a refused or failed one
 * does not undo the others. `change` returns the reason when it refuses.
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
    /** Tells rows with equal names apart. */
    detailOf?: (row: Row) => string;
    /** Message for an id without a row. */
    gone: CheckedMessage;
    change: (row: Row) => Promise<CheckedMessage | undefined>;
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
