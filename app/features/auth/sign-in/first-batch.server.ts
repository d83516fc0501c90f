import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { countedRequest } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";

type Statement = BatchItem<"sqlite">;

type Group = {
  statements: (isAllowed: SQL) => readonly Statement[];
  receive: (results: unknown[]) => void;
};

// When the first batch of a call leaves:
// 1. The gateway opens the call and adds statements (`addToFirst`).
// 2. better-auth counts its limit by IP address: the batch leaves with that count, and every write
//    asks whether the limit allows the call (`countWithFirst`). When a captcha is to be asked, the
//    count leaves alone (`isCountAlone`).
// 3. better-auth checks the captcha. A refused call ends here; nothing of its batch was written.
// 4. The first hook of `codeGuard` sends what has not left (`sendFirst`).
// 5. The endpoint runs, and reads what the batch has answered.

/** The statements of a call that are sent in one batch with the count of its limit by IP address. */
export type FirstBatch = {
  groups: Group[];
  isSent: boolean;
  /** True when the count is sent alone, because a captcha is checked after it. */
  isCountAlone: boolean;
};

export function newFirstBatch(): FirstBatch {
  return { groups: [], isSent: false, isCountAlone: false };
}

/**
 * Adds statements to the first batch, and what to do with their results. Those that write must ask `isAllowed`: the
 * condition that the limit by IP address allows the call.
 */
export function addToFirst<Statements extends readonly Statement[]>(
  first: FirstBatch,
  statements: (isAllowed: SQL) => Statements,
  receive: (results: { [Index in keyof Statements]: Awaited<Statements[Index]> }) => void,
): void {
  first.groups.push({
    statements,
    // The database answers each statement of a batch as it would alone.
    receive: (results) => receive(results as never),
  });
}

/** Statements that count the call towards a limit, and an SQL condition that the limit then allows it. */
type Count = Pick<ReturnType<typeof countedRequest>, "count" | "read" | "isAllowed">;

/** Sends the first batch with the count of a limit. Returns the row of the limit. */
export async function countWithFirst(db: Db, first: FirstBatch, counted: Count) {
  const { count, read, isAllowed } = counted;
  if (first.isSent || first.isCountAlone) {
    const [, rows] = await db.batch([count, read]);
    return rows[0];
  }
  const [, rows] = await send(db, first, [count, read], isAllowed);
  // The second statement of the batch.
  return (rows as Awaited<typeof read>)[0];
}

/** Sends the first batch unless that has been done. */
export async function sendFirst(db: Db, first: FirstBatch): Promise<void> {
  if (!first.isSent) await send(db, first, [], sql`true`);
}

async function send(
  db: Db,
  first: FirstBatch,
  before: Statement[],
  isAllowed: SQL,
): Promise<unknown[]> {
  first.isSent = true;
  const groups = first.groups.map((group) => group.statements(isAllowed));
  const [head, ...rest] = [...before, ...groups.flat()];
  if (!head) return [];
  const results: unknown[] = await db.batch([head, ...rest]);
  let at = before.length;
  for (const [index, { receive }] of first.groups.entries()) {
    const next = at + (groups[index]?.length ?? 0);
    receive(results.slice(at, next));
    at = next;
  }
  return results;
}
