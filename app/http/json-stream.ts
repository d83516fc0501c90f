/** A list too long to be held whole: its items, a chunk at a time. */
type Chunks = AsyncIterable<unknown[]>;

/** A member of the document: a value, or a list that is still to be fetched. */
export type JsonMembers = Record<string, unknown>;

/**
 * Writes a JSON object member by member, so that a document of any size is never held whole. What throws on the way
 * leaves an object without its closing brace, which no reader takes for a whole one.
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

/** A value over several lines, the first of which stands at some depth already. */
function indent(value: unknown, depth: string): string {
  return JSON.stringify(value ?? null, null, 2).replaceAll("\n", `\n${depth}`);
}
