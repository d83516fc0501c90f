import { expect, test } from "vitest";
import {
  type ArchivedEvent,
  archiveKey,
  encodeArchive,
  sha256Of,
} from "../../app/features/audit/archive-file.ts";
import { type ChainFile, type ChainRow, checkChain } from "./audit-chain.ts";

const START = Date.UTC(2025, 0, 1);

/** Makes an archive of three files with three events each, and the rows that the database has of them. */
async function anArchive() {
  const files: ChainFile[] = [];
  const rows: ChainRow[] = [];
  let previous: string | null = null;
  for (const sequence of [1, 2, 3]) {
    const events = [0, 1, 2].map((minute) => anEvent(START + (sequence * 1_000 + minute) * 60_000));
    const header = { format: "gatehouse-audit-1", sequence, previous, events: 3 } as const;
    const bytes: ChainFile["bytes"] = await encodeArchive(header, events);
    const sha256: string = await sha256Of(bytes);
    const [first, last] = [events[0], events.at(-1)] as [ArchivedEvent, ArchivedEvent];
    const { key } = archiveKey(sequence, first.created_at, last.created_at, sha256);
    files.push({ key, bytes });
    rows.push({
      ...{ sequence, object_key: key, events: 3, removed: 3, sha256, previous_sha256: previous },
      ...{ first_at: first.created_at, first_id: first.id },
      ...{ last_at: last.created_at, last_id: last.id },
    });
    previous = sha256;
  }
  return { files, rows } as { files: [ChainFile, ChainFile, ChainFile]; rows: ChainRow[] };
}

function anEvent(created_at: number): ArchivedEvent {
  const empty = { impersonator_id: null, target_type: null, target_id: null, request_id: null };
  return {
    ...{ id: crypto.randomUUID(), action: "user.signed_in", actor_id: "ada", ...empty },
    ...{ details: null, created_at },
  };
}

async function problemsOf(files: ChainFile[], rows?: ChainRow[]): Promise<string> {
  return (await checkChain(files, rows)).problems.join("\n");
}

test("a whole archive has no problem", async () => {
  const { files, rows } = await anArchive();

  expect(await problemsOf(files)).toBe("");
  const { problems, ids, unnamed } = await checkChain(files, rows);
  expect([problems, ids.size, unnamed]).toEqual([[], 9, []]);
});

test("one changed byte is found, also without the database", async () => {
  const { files, rows } = await anArchive();
  for (const position of [20, 60]) {
    const bytes = files[1].bytes.slice();
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    const changed = [files[0], { ...files[1], bytes }, files[2]];

    expect(await problemsOf(changed)).toContain(files[1].key);
    expect(await problemsOf(changed, rows)).toContain(files[1].key);
  }
});

test("a file that was written again with other events is found", async () => {
  const { files, rows } = await anArchive();
  const header = { format: "gatehouse-audit-1", sequence: 2, events: 1 } as const;
  const previous = await sha256Of(files[0].bytes);
  const bytes = await encodeArchive({ ...header, previous }, [anEvent(START + 2_000 * 60_000)]);
  const forged = [files[0], { ...files[1], bytes }, files[2]];

  expect(await problemsOf(forged)).toContain(`${files[2].key} names another hash`);
  expect(await problemsOf(forged, rows)).toContain(`${files[1].key} has another hash`);
});

test("a missing file is found; the last one needs the database", async () => {
  const { files, rows } = await anArchive();

  expect(await problemsOf([files[0], files[2]])).toContain("is file 3, after file 1");
  expect(await problemsOf(files.slice(1))).toContain("is file 2, after file 0");
  expect(await problemsOf(files.slice(0, 2))).toBe("");
  expect(await problemsOf(files.slice(0, 2), rows)).toBe(`${files[2].key} is missing`);
});

test("two files in each other's place are found", async () => {
  const { files, rows } = await anArchive();
  const swapped = [
    files[0],
    { key: files[1].key, bytes: files[2].bytes },
    { key: files[2].key, bytes: files[1].bytes },
  ];

  expect(await problemsOf(swapped)).toContain("is file 3, after file 1");
  expect(await problemsOf(swapped, rows)).toContain("has another hash");
});

test("a file that the database does not name is reported apart", async () => {
  const { files, rows } = await anArchive();

  expect(await checkChain(files, rows.slice(0, 2))).toMatchObject({
    problems: [],
    unnamed: [files[2].key],
  });
});
