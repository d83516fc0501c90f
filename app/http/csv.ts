import { streamText } from "./stream-text.ts";

/**
 * Where a spreadsheet would read a formula: in front of a sign, its full-width form included, at the beginning of a
 * cell or of what it takes for one. In French Excel a semicolon separates cells. Spaces, invisible characters and
 * quotes before the sign do not count. Source: OWASP, "CSV Injection".
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠])|^(?=[\t\r])/gu;

type Cell = string | number | Date | null | undefined;

/** Rows of a file too long to be held whole, a chunk at a time. */
export type CsvRows = AsyncIterable<Cell[][]>;

/** One line of a CSV file (RFC 4180). A cell that would be a formula is made a text by an apostrophe, and quoted. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = value instanceof Date ? value.toISOString() : value;
  const safe = text.replace(FORMULA, "'");
  return safe !== text || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Streams a CSV file of any size: the next chunk of rows is fetched when the one before has left. */
export function csvResponse(
  name: string,
  { header, rows }: { header: string[]; rows: CsvRows },
  onFailure: (error: unknown) => void,
): Response {
  return new Response(streamText(writeCsv(header, rows), onFailure), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}

async function* writeCsv(header: string[], chunks: CsvRows): AsyncGenerator<string> {
  // The mark tells spreadsheets that the file is UTF-8.
  yield `\ufeff${csvLine(header)}`;
  for await (const rows of chunks) yield rows.map(csvLine).join("");
}
