import { streamText } from "../../http/stream-text.ts";

/**
 * Matches where a spreadsheet would read a formula: before a sign (also a full-width one) at the start of a cell. After
 * a semicolon too, because French Excel separates cells by semicolons. Spaces, invisible characters and quotes before
 * the sign do not count. Source: OWASP, "CSV Injection".
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠])|^(?=[\t\r])/gu;

export type Cell = string | number | Date | null | undefined;

/** Rows of a file that is too large for memory, in chunks. */
export type CsvRows = AsyncIterable<Cell[][]>;

/** Returns one line of a CSV file (RFC 4180). A cell that would be a formula gets an apostrophe and quotes. */
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

/** Streams a CSV file of any size. The next chunk of rows is fetched when the previous one is sent. */
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
  // The byte order mark tells spreadsheets that the file is UTF-8.
  yield `\ufeff${csvLine(header)}`;
  for await (const rows of chunks) yield rows.map(csvLine).join("");
}
