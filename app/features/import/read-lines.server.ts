import { type CheckedMessage, messageReference } from "../../ui/text/message.tsx";

/** A line of a file: its number as a spreadsheet shows it, and its cells. */
export type Line = { line: number; cells: string[] };

type Read = { ok: true; lines: Line[] } | { ok: false; error: CheckedMessage };

/** Longer cells are cut: no value of a person is as long. */
const CELL_MAX_LENGTH = 1_000;
/** Further columns are left out. */
const MAX_COLUMNS = 50;

const DELIMITERS = [",", ";", "\t"];

/**
 * Reads a CSV file, or copied rows of a spreadsheet: UTF-8 with or without a mark, cells separated
 * by commas, semicolons or tabs, a line `sep=` before them, quoted cells with line breaks. Empty
 * lines are counted, but not returned. Papa Parse is loaded with the first file.
 */
export async function readLines(file: Uint8Array): Promise<Read> {
  const text = decode(file);
  if (text === undefined) return { ok: false, error: "import:problem.encoding" };
  const { default: papa } = await import("papaparse");
  const [announced, delimiter = ""] = /^sep=(.)(?:\n|$)/i.exec(text) ?? [""];
  const { data, errors } = papa.parse<string[]>(text.slice(announced.length), {
    delimiter,
    delimitersToGuess: DELIMITERS,
    newline: "\n",
  });
  const unclosed = errors.find(({ code }) => code === "MissingQuotes");
  if (unclosed) {
    const line = (unclosed.row ?? 0) + 1;
    return { ok: false, error: messageReference("import:problem.quote", { line }) };
  }
  const lines = data.map((cells, index) => ({
    line: index + 1,
    cells: cells.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, CELL_MAX_LENGTH)),
  }));
  return { ok: true, lines: lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== "")) };
}

/** Returns the text with one kind of line breaks; undefined when it is not in UTF-8. */
function decode(file: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(file);
    // UTF-16 without a mark decodes as UTF-8, with zero bytes between the letters.
    return text.includes("\0") ? undefined : text.replace(/\r\n?/g, "\n");
  } catch {
    return undefined;
  }
}
