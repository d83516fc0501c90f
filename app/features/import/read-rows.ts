/** A line of a file: its number as a spreadsheet shows it, and its cells. */
export type Line = [number: number, cells: string[]];

/** Why the rest of a file cannot be read. The line is where an unclosed quotation mark stands. */
export type ReadProblem = { problem: "encoding" | "quote"; line: number };

export type Read = { lines: Line[]; problem?: undefined } | ReadProblem;

/** Longer cells are cut: no value of a person is as long, and a piece of lines must fit into a request. */
export const CELL_MAX_LENGTH = 1_000;
/** Further columns are left out. */
export const MAX_COLUMNS = 50;

const DELIMITERS = [",", ";", "\t"];
const QUOTE = '"';

/**
 * Reads a CSV file, or copied rows of a spreadsheet, chunk by chunk: UTF-8 with or without a mark, cells separated by
 * commas, semicolons or tabs, a line `sep=` before them, quoted cells with line breaks. Empty lines are counted, but not
 * returned. Papa Parse is loaded with the first file.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Read> {
  const { default: papa } = await import("papaparse");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const whole = wholeLines();
  let delimiter: string | undefined;
  let isFirst = true;
  let count = 0;

  function parse(text: string): Line[] {
    let rest = text;
    if (isFirst) {
      const [all, named] = /^sep=(.)(\n|$)/i.exec(rest) ?? [""];
      delimiter = named;
      rest = rest.slice(all.length);
      if (rest === "") return [];
    }
    isFirst = false;
    const { data, meta } = papa.parse<string[]>(rest.replace(/\n$/, ""), {
      delimiter: delimiter ?? "",
      delimitersToGuess: DELIMITERS,
      newline: "\n",
    });
    delimiter = meta.delimiter;
    const lines = data.map((cells): Line => {
      count += 1;
      return [count, cells.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, CELL_MAX_LENGTH))];
    });
    return lines.filter(([, cells]) => cells.some((cell) => cell.trim() !== ""));
  }

  try {
    for await (const chunk of chunks) {
      const text = whole.take(decoder.decode(chunk, { stream: true }));
      if (text !== "") yield { lines: parse(text) };
    }
    const { text, isUnclosed } = whole.end(decoder.decode());
    if (isUnclosed) yield { problem: "quote", line: count + 1 };
    else if (text !== "") yield { lines: parse(text) };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof WrongEncoding)) throw error;
    yield { problem: "encoding", line: count + 1 };
  }
}

/** UTF-16 without a mark decodes as UTF-8, with zero bytes between the letters. */
class WrongEncoding extends Error {}

/**
 * Cuts a text behind the last line that is whole, so that no chunk ends inside a quoted cell. A quotation mark begins a
 * quoted cell only at the cell's beginning, or as the second one of a doubled mark.
 */
function wholeLines() {
  let pending = "";
  let heldReturn = "";
  let isQuoted = false;

  function add(text: string): void {
    if (text.includes("\0")) throw new WrongEncoding();
    pending += text;
  }

  return {
    /** Returns the whole lines that the text completes. */
    take(chunk: string): string {
      const text = heldReturn + chunk;
      heldReturn = text.endsWith("\r") ? "\r" : "";
      const from = pending.length;
      add(text.slice(0, text.length - heldReturn.length).replace(/\r\n?/g, "\n"));
      let cut = 0;
      for (let at = from; at < pending.length; at++) {
        const character = pending[at];
        if (character === QUOTE) isQuoted = !isQuoted && opensAt(pending, at);
        else if (character === "\n" && !isQuoted) cut = at + 1;
      }
      const taken = pending.slice(0, cut);
      pending = pending.slice(cut);
      return taken;
    },
    /** Returns the rest, and whether a quoted cell in it has no end. */
    end(chunk: string): { text: string; isUnclosed: boolean } {
      const lines = this.take(`${chunk}\n`);
      return { text: lines + pending, isUnclosed: isQuoted };
    },
  };
}

function opensAt(text: string, at: number): boolean {
  const before = text[at - 1];
  return before === undefined || before === "\n" || before === QUOTE || DELIMITERS.includes(before);
}
