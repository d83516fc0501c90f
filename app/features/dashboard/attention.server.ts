import { and, count, eq, gte, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { ask, type Read, readOf } from "../../db/read.server.ts";
import { counter, mailOutbox } from "../../db/schema/schema.ts";
import type { AttentionCount } from "./attention.ts";
import { sumDays } from "./day-sums.server.ts";
import { type Day, SLOT_MS } from "./days.ts";
import { alarmingDeliveries, OUTCOMES, sumOf } from "./delivery-rates.ts";

const DELIVERED = OUTCOMES.map((name) => `mail.${name}` as const);

/** Mails and what waits in features are counted up to this number. */
const MOST_COUNTED = 50;

/** Queries of the features: the rows that wait for managers, or for one of them. */
export type ToDoRows = Readonly<Record<string, (reader: ToDoReader) => SQL>>;

type ToDoReader = { id: string; now: Date };

/**
 * Returns the statements of what needs attention, for a batch, and what they have read. The days are the reader's last
 * seven.
 */
export function askAttention(
  db: Db,
  { toDo, readerId }: { toDo: ToDoRows; readerId: string },
  days: Day[],
  now: Date,
) {
  const midnight = new Date((days.at(-1)?.from ?? 0) * SLOT_MS);
  const waiting = askToDo(db, toDo, { id: readerId, now });
  const statements = [
    db.select().from(counter),
    sumDays(db, DELIVERED, days),
    selectMailPause(db, now),
    countMails(db, isInState("failed")),
    countMails(db, isInState("waiting")),
    countMails(
      db,
      and(
        isInState("failed"),
        eq(mailOutbox.kind, "login-code"),
        gte(mailOutbox.createdAt, midnight),
      ),
    ),
    ...waiting.statements,
  ] as const;
  return {
    statements,
    results: (read: BatchResponse<typeof statements>) => attentionOf(waiting.results, read),
  };
}

/** Asks how much waits in features. */
function askToDo(db: Db, toDo: ToDoRows, reader: ToDoReader) {
  const counts = Object.entries(toDo).map(([kind, rows]): [string, Read<AttentionCount>] => [
    kind,
    readOf((on) => countRows(on, rows(reader)), readCount),
  ]);
  return ask(db, Object.fromEntries(counts));
}

type Attention = ReturnType<typeof askAttention>;

function attentionOf(
  toDoOf: ReturnType<typeof askToDo>["results"],
  read: BatchResponse<Attention["statements"]>,
) {
  const [, lately, [pause], failed, waiting, failedCodes, ...rows] = read;
  const deliveries = sumOf(
    lately.flatMap(({ name, value }) => {
      const delivery = OUTCOMES.find((one) => name === `mail.${one}`);
      return delivery ? [{ name: delivery, value }] : [];
    }),
  );
  const alarming = alarmingDeliveries(deliveries);
  return {
    attention: {
      mailsFailed: readCount(failed),
      mailsWaiting: readCount(waiting),
      codesFailed: readCount(failedCodes),
      mailsBounced: { count: alarming.mailsBounced },
      mailsComplained: { count: alarming.mailsComplained },
    },
    /** What waits in features. */
    toDo: toDoOf(rows),
    /** Mails of the last 7 days. */
    deliveries,
    /** The quota of mails that is used up. */
    pause,
  };
}

/** Selects how many mails meet a condition. */
function countMails(db: Db, condition: SQL | undefined) {
  return countRows(db, sql`SELECT 1 FROM ${mailOutbox} WHERE ${condition}`);
}

/** Selects how many rows a query has, one more than are counted at most. */
function countRows(db: Db, rows: SQL) {
  return db.select({ count: count() }).from(sql`(${rows} LIMIT ${MOST_COUNTED + 1})`);
}

function readCount([row]: { count: number }[]): AttentionCount {
  const counted = row?.count ?? 0;
  return { count: Math.min(counted, MOST_COUNTED), isMore: counted > MOST_COUNTED };
}
