/** A measured value. Without a bound it is only informative. */
export type Figure = {
  /** In bytes when the unit is kB. */
  value: number;
  unit?: "kB" | "ms";
  atLeast?: number | undefined;
  atMost?: number | undefined;
};

/** A table. `columns` names the figures of each row, and the note after them. */
export type Table = {
  title: string;
  columns: string[];
  rows: { name: string; figures: (Figure | undefined)[]; note?: string }[];
  /** Notes that the reader needs to understand the figures. */
  remarks?: string[];
};

/** Prints a table of figures beside their budgets. Returns the number of broken budgets. */
export function printTable({ title, columns, rows, remarks = [] }: Table): number {
  const lines = rows.map(({ name, figures, note = "" }) => {
    const cells = columns.map((_, index) => {
      const figure = figures[index];
      return figure ? describe(figure) : "";
    });
    const isBroken = figures.some((figure) => figure && !isKept(figure));
    return [name, ...cells, [isBroken ? "BROKEN" : "", note].filter(Boolean).join("  ")];
  });
  const table = [["", ...columns, ""], ...lines];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  console.log(`\n${title}\n`);
  for (const line of table) {
    const cells = line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0));
    console.log(`  ${cells.join("  ").trimEnd()}`);
  }
  for (const remark of remarks) console.log(`  ${remark}`);
  return rows.flatMap(({ figures }) => figures).filter((figure) => figure && !isKept(figure))
    .length;
}

/** Returns the median. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** True when a figure is within its bounds. A figure that could not be measured breaks its budget. */
function isKept({ value, atLeast = -Infinity, atMost = Infinity }: Figure): boolean {
  return value >= atLeast && value <= atMost;
}

function describe(figure: Figure): string {
  const { value, atLeast, atMost } = figure;
  const shown = format(value, figure);
  if (atMost !== undefined)
    return `${shown} ${value <= atMost ? "≤" : ">"} ${format(atMost, figure)}`;
  if (atLeast !== undefined)
    return `${shown} ${value >= atLeast ? "≥" : "<"} ${format(atLeast, figure)}`;
  return shown;
}

function format(value: number, { unit }: Figure): string {
  if (unit === "kB") return `${(value / 1_000).toFixed(1)} kB`;
  const isRound = unit === "ms" ? value >= 10 || Number.isInteger(value) : Number.isInteger(value);
  const number = isRound ? Math.round(value).toLocaleString("en") : value.toFixed(unit ? 1 : 3);
  return unit ? `${number} ${unit}` : number;
}
