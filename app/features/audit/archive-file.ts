/** An audit event as the archive keeps it, with the columns of `audit_event`. */
export type ArchivedEvent = {
  id: string;
  action: string;
  actor_id: string | null;
  impersonator_id: string | null;
  target_type: string | null;
  target_id: string | null;
  details: unknown;
  request_id: string | null;
  created_at: number;
};

/** First line of a file of the archive. */
export type ArchiveHeader = {
  format: "gatehouse-audit-1";
  sequence: number;
  /** SHA-256 of the file before; null in the first file. */
  previous: string | null;
  events: number;
};

/** What an event of a user keeps of its details: facts that name and describe no person. */
const FACTS_ABOUT_USERS = new Set([
  ...["role", "provider", "until", "dueAt", "signInMethods", "language", "theme"],
  ...["before", "after"],
]);

/**
 * Returns an event without what describes a person: IP address, user agent, location, and in the details names, e-mails
 * and free text about a user. So an erasure never has to change a file, and the chain stays whole.
 */
export function withoutPersonalData(event: ArchivedEvent): ArchivedEvent {
  const { id, action, actor_id, impersonator_id, target_type, target_id, request_id } = event;
  const details = factsOf(event.details, target_type === "user");
  const { created_at } = event;
  return {
    ...{ id, action, actor_id, impersonator_id, target_type, target_id, details, request_id },
    created_at,
  };
}

function factsOf(value: unknown, isAboutUser: boolean): unknown {
  if (typeof value === "string") return isEmail(value) ? null : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => factsOf(item, isAboutUser));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !isAboutUser || FACTS_ABOUT_USERS.has(field))
      .map(([field, item]) => [field, factsOf(item, isAboutUser)]),
  );
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Returns a file of the archive: gzip of one line for the header and one for each event. */
export async function encodeArchive(
  header: ArchiveHeader,
  events: ArchivedEvent[],
): Promise<Uint8Array<ArrayBuffer>> {
  const lines = [header, ...events].map((line) => JSON.stringify(line));
  const text = new Blob([`${lines.join("\n")}\n`]).stream();
  return readBytes(text.pipeThrough(new CompressionStream("gzip")));
}

/** Reads a file of the archive. Throws when it is not one. */
export async function decodeArchive(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ header: ArchiveHeader; events: ArchivedEvent[] }> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = new TextDecoder().decode(await readBytes(stream));
  const [header, ...events] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  if (header?.format !== "gatehouse-audit-1") throw new Error("Not a file of the audit archive");
  return { header, events };
}

/** Returns the SHA-256 of a file, in hex, as `sha256sum` prints it. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the key of a file: its year, its number, the days of its events and the start of its hash. */
export function archiveKey(
  sequence: number,
  first: number,
  last: number,
  sha256: string,
): { prefix: string; key: string } {
  const [from, to] = [first, last].map((time) => new Date(time).toISOString().slice(0, 10));
  const prefix = `audit/${from?.slice(0, 4)}/${String(sequence).padStart(6, "0")}-`;
  return { prefix, key: `${prefix}${from}-${to}-${sha256.slice(0, 12)}.ndjson.gz` };
}

async function readBytes(stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
