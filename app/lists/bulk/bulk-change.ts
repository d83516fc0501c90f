import { z } from "zod";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import { MAX_ROWS } from "../query/list-sizes.ts";
import type { BulkItem } from "./bulk-report.ts";

/** As many as a list shows. */
const MAX_IDS = MAX_ROWS;

/** The chosen rows of a list as its checkboxes post them. A repeated id counts once. */
export const ChosenIds = z
  .array(z.string().max(64, { error: "validation:form.incomplete" }), {
    error: "common:selection.none",
  })
  .min(1, { error: "common:selection.none" })
  .max(MAX_IDS, { error: `common:selection.tooMany?maximum=${MAX_IDS}` })
  .transform((ids) => [...new Set(ids)]);

/** Why a row was not changed; undefined when it was. */
export type BulkOutcome = CheckedMessage | undefined;

/**
 * Changes some rows and returns the results in the order of the ids. `change` changes all rows that
 * it is given in one batch and returns what became of each. When a rule of the database refuses the
 * batch, the rows that rules may protect are refused, and the others are changed without them.
 */
export async function changeTogether<Row extends { id: string }>(
  ids: string[],
  {
    rows,
    nameOf,
    detailOf,
    gone,
    findRefusal = () => undefined,
    change,
    rule,
    onFailure,
  }: {
    rows: Row[];
    nameOf: (row: Row) => string;
    /** Tells rows with equal names apart. */
    detailOf?: (row: Row) => string;
    /** Message for an id without a row. */
    gone: CheckedMessage;
    /** Reason why a row is left out of the change. */
    findRefusal?: (row: Row) => BulkOutcome;
    change: (rows: Row[]) => Promise<ReadonlyMap<string, BulkOutcome>>;
    rule?: {
      /** True for the error of a database rule. */
      isBroken: (error: unknown) => boolean;
      mayProtect: (row: Row) => boolean;
      refusal: CheckedMessage;
    };
    onFailure: (error: unknown) => void;
  },
): Promise<BulkItem[]> {
  async function attempt(some: Row[]): Promise<ReadonlyMap<string, BulkOutcome>> {
    try {
      return await change(some);
    } catch (error) {
      const others = some.filter((row) => !rule?.mayProtect(row));
      if (rule?.isBroken(error) && others.length < some.length) {
        return new Map([...refuse(some, rule.refusal), ...(await attempt(others))]);
      }
      onFailure(error);
      return refuse(some, "common:errors.failed");
    }
  }

  const known = new Map(rows.map((row) => [row.id, row]));
  const refused = rows.map((row) => [row.id, findRefusal(row)] as const);
  const outcomes = new Map([
    ...refused,
    ...(await attempt(rows.filter((_, index) => !refused[index]?.[1]))),
  ]);
  return ids.map((id) => {
    const row = known.get(id);
    if (!row) return { id, name: "", refusal: gone };
    return { id, name: nameOf(row), detail: detailOf?.(row), refusal: outcomes.get(id) };
  });
}

function refuse(rows: { id: string }[], refusal: CheckedMessage): Map<string, BulkOutcome> {
  return new Map(rows.map(({ id }) => [id, refusal]));
}
