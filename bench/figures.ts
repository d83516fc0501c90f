/** One figure of the table. Without a bound it is for information. */
export type Figure = {
  name: string;
  /** In bytes for kB. */
  value: number;
  unit?: "kB" | "ms";
  /** What else to know of the value. */
  note?: string;
  atLeast?: number;
  atMost?: number;
};

/** Prints figures, budgets and verdicts as a table; answers whether every budget is kept. */
export function printFigures(figures: Figure[]): boolean {
  const rows = figures.map((figure) => [
    figure.name,
    format(figure.value, figure) + (figure.note ? ` (${figure.note})` : ""),
    describeBudget(figure),
    describeVerdict(figure),
  ]);
  const table = [["figure", "value", "budget", "verdict"], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  console.log();
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(`  ${cells.join("  ").trimEnd()}`);
  }
  const broken = figures.filter((figure) => !isKept(figure)).length;
  console.log(`\n  ${broken === 0 ? "Every budget is kept." : `Broken budgets: ${broken}.`}`);
  return broken === 0;
}

/** A figure that could not be had keeps no budget. */
function isKept({ value, atLeast = -Infinity, atMost = Infinity }: Figure): boolean {
  return value >= atLeast && value <= atMost;
}

function describeBudget(figure: Figure): string {
  if (figure.atLeast !== undefined) return `at least ${format(figure.atLeast, figure)}`;
  return figure.atMost === undefined ? "" : `at most ${format(figure.atMost, figure)}`;
}

function describeVerdict(figure: Figure): string {
  if (!isKept(figure)) return "BROKEN";
  return describeBudget(figure) ? "kept" : "";
}

function format(value: number, { unit }: Figure): string {
  if (unit === "kB") return `${(value / 1_000).toFixed(1)} kB`;
  if (unit === "ms") return `${value.toFixed(0)} ms`;
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
