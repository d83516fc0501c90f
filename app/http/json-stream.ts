/** Items of a list that is too large for memory, in chunks. */
type Chunks = AsyncIterable<unknown[]>;

/** Members of the document: values, or lists that are still to be fetched. */
export type JsonMembers = Record<string, unknown>;

/**
 * Writes a JSON object member by member, so that a document of any size needs little memory. After an error the closing
 * brace is missing, so no reader takes the document for complete.
 */
export async function* writeJson(members: JsonMembers): AsyncGenerator<string> {
  let lead = "\n  ";
  yield "{";
  for (const [name, value] of Object.entries(members)) {
    yield `${lead}${JSON.stringify(name)}: `;
    lead = ",\n  ";
    if (isChunks(value)) yield* writeList(value);
    else yield indent(value, "  ");
  }
  yield "\n}\n";
}

async function* writeList(chunks: Chunks): AsyncGenerator<string> {
  let lead = "\n    ";
  yield "[";
  for await (const items of chunks) {
    if (items.length === 0) continue;
    yield lead + items.map((item) => indent(item, "    ")).join(",\n    ");
    lead = ",\n    ";
  }
  yield "\n  ]";
}

function isChunks(value: unknown): value is Chunks {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Writes a value over several lines, indented by `depth` from the second line on. */
function indent(value: unknown, depth: string): string {
  return JSON.stringify(value ?? null, null, 2).replaceAll("\n", `\n${depth}`);
}
