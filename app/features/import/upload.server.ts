import { type CheckedMessage, messageReference } from "../../ui/text/message.tsx";
import { columnsOf } from "./columns.server.ts";
import type { Piece } from "./import-commands.server.ts";
import { IMPORT_LINES_AT_ONCE, MAX_POSTED_LINES } from "./limits.ts";
import { problemMessage } from "./problem-message.ts";
import { type Line, readLines } from "./read-rows.ts";

type Upload = { ok: true; pieces: Piece[] } | { ok: false; error: CheckedMessage };

/** Reads a file, or pasted lines, that came in one form. A header is one of the lines. */
export async function readUploadedLines(bytes: Uint8Array): Promise<Upload> {
  const lines: Line[] = [];
  for await (const read of readLines([bytes])) {
    if (read.problem) return { ok: false, error: problemMessage(read) };
    lines.push(...read.lines);
  }
  if (lines.length === 0) return { ok: false, error: "import:problem.empty" };
  const [first] = lines;
  const people = first && columnsOf(first[1]) ? lines.length - 1 : lines.length;
  if (people > MAX_POSTED_LINES) {
    const values = { maximum: MAX_POSTED_LINES };
    return { ok: false, error: messageReference("import:problem.tooManyPosted", values) };
  }
  const count = Math.ceil(lines.length / IMPORT_LINES_AT_ONCE);
  const pieces = Array.from({ length: count }, (_, position) => {
    const from = position * IMPORT_LINES_AT_ONCE;
    return { position, lines: lines.slice(from, from + IMPORT_LINES_AT_ONCE) };
  });
  return { ok: true, pieces };
}
