/** Compares as SQLite does: nulls first, texts by their bytes. */
function compare(one: string | number | null, other: string | number | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === "string") return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return one - Number(other);
}

/** Returns the ids of rows in the order of a key, and of the id where keys are equal. */
export function sorted<T extends { id: string }>(
  rows: T[],
  sortKeyOf: (row: T) => string | number | null,
  direction: "asc" | "desc",
): string[] {
  const sign = direction === "asc" ? 1 : -1;
  return rows
    .toSorted(
      (one, other) =>
        sign * (compare(sortKeyOf(one), sortKeyOf(other)) || compare(one.id, other.id)),
    )
    .map(({ id }) => id);
}
