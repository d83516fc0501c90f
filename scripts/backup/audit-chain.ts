import {
  type ArchivedEvent,
  decodeArchive,
  sha256Of,
} from "../../app/features/audit/archive-file.ts";

/** A file of the audit archive, as it was read from the bucket or a folder. */
export type ChainFile = { key: string; bytes: Uint8Array<ArrayBuffer> };

/** A row of the table `audit_archive`. */
export type ChainRow = {
  sequence: number;
  object_key: string;
  events: number;
  first_at: number;
  first_id: string;
  last_at: number;
  last_id: string;
  sha256: string;
  previous_sha256: string | null;
  removed: number | null;
};

type Link = { sha256: string; sequence: number; last: ArchivedEvent | undefined };

/**
 * Checks the files of the audit archive: each can be read, names the hash of the file before it, has as many events as it
 * says, and all events are in the order of time. With the rows of the database it also finds a file that was replaced,
 * dropped at the end, or added. Returns the problems, the ids of all events, and files that no row names.
 */
export async function checkChain(files: ChainFile[], rows?: ChainRow[]) {
  const problems: string[] = [];
  const ids = new Set<string>();
  const sorted = [...files].sort((a, b) => a.key.localeCompare(b.key));
  const named = rows && new Map(rows.map((row) => [row.object_key, row]));
  const unnamed = named ? sorted.filter(({ key }) => !named.has(key)).map(({ key }) => key) : [];
  for (const { object_key: key, removed } of rows ?? []) {
    if (!files.some((file) => file.key === key)) problems.push(`${key} is missing`);
    if (removed === null) problems.push(`${key} is recorded, but its events were not removed`);
  }
  let before: Link | undefined;
  for (const file of sorted.filter(({ key }) => !unnamed.includes(key))) {
    const sha256 = await sha256Of(file.bytes);
    const read = await decodeArchive(file.bytes).catch(() => undefined);
    if (!read) {
      problems.push(`${file.key} cannot be read: it is damaged`);
      before = undefined;
      continue;
    }
    const found = [
      ...compareWithRow(read, sha256, named?.get(file.key)),
      ...compareWithFileBefore(read, before),
    ];
    problems.push(...found.map((problem) => `${file.key} ${problem}`));
    for (const { id } of read.events) {
      if (ids.has(id)) problems.push(`${file.key} has the event ${id} a second time`);
      ids.add(id);
    }
    before = { sha256, sequence: read.header.sequence, last: read.events.at(-1) };
  }
  return { problems, ids, unnamed };
}

type Read = Awaited<ReturnType<typeof decodeArchive>>;

function compareWithRow({ events }: Read, sha256: string, row: ChainRow | undefined): string[] {
  if (!row) return [];
  const [first, last] = [events[0], events.at(-1)];
  const isSame =
    [first?.created_at, first?.id, last?.created_at, last?.id].join() ===
    [row.first_at, row.first_id, row.last_at, row.last_id].join();
  return [
    ...(sha256 === row.sha256 ? [] : ["has another hash than the database recorded"]),
    ...(isSame ? [] : ["begins or ends with another event than the database recorded"]),
  ];
}

function compareWithFileBefore({ header, events }: Read, before: Link | undefined): string[] {
  const problems: string[] = [];
  if (header.events !== events.length) {
    problems.push(`has ${events.length} events and says ${header.events}`);
  }
  if (header.sequence !== (before?.sequence ?? 0) + 1) {
    problems.push(`is file ${header.sequence}, after file ${before?.sequence ?? 0}`);
  } else if (header.previous !== (before?.sha256 ?? null)) {
    problems.push("names another hash than the file before it has");
  }
  let last = before?.last;
  for (const event of events) {
    if (last && comparePositions(last, event) >= 0) {
      problems.push(`is not in the order of time at the event ${event.id}`);
      break;
    }
    last = event;
  }
  return problems;
}

function comparePositions(a: ArchivedEvent, b: ArchivedEvent): number {
  if (a.created_at !== b.created_at) return a.created_at - b.created_at;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
