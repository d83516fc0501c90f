import { and, count, eq, gte, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import { hasBanEnded } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { counter, mailOutbox, user } from "../../db/schema/schema.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { waitingList } from "../waiting-list/tables.server.ts";
import type { AttentionCount } from "./attention.ts";
import { sumDays } from "./day-sums.server.ts";
import { type Day, lastDays, SLOT_MS } from "./days.ts";
import { alarmingDeliveries, OUTCOMES, sumOf } from "./delivery-rates.ts";

const DELIVERED = OUTCOMES.map((name) => `mail.${name}` as const);

/** Mails and people who wait are counted up to this number. */
const MOST_COUNTED = 50;

/** Reads what needs attention, as the dashboard shows it, in one round trip. */
export async function readAttention(db: Db, timeZone: string | undefined, now: Date) {
  const days = lastDays(7, formatsOf("en", timeZone), now);
  const since = { today: days.at(-1)?.key ?? "", week: days[0]?.key ?? "" };
  return { ...attentionOf(await db.batch(selectAttention(db, days, now))), since };
}

/** Statements of what needs attention, for a batch. The days are the reader's last seven. */
export function selectAttention(db: Db, days: Day[], now: Date) {
  const today = days.slice(-1);
  const midnight = new Date((today[0]?.from ?? 0) * SLOT_MS);
  return [
    db.select().from(counter),
    sumDays(db, ["code.wrong"], today),
    sumDays(db, DELIVERED, days),
    selectEndedBans(db, now),
    selectMailPause(db, now),
    countUpTo(db, mailOutbox, isInState("failed")),
    countUpTo(db, mailOutbox, isInState("waiting")),
    countUpTo(
      db,
      mailOutbox,
      and(
        isInState("failed"),
        eq(mailOutbox.kind, "login-code"),
        gte(mailOutbox.createdAt, midnight),
      ),
    ),
    countUpTo(db, waitingList, eq(waitingList.state, "waiting")),
  ] as const;
}

/** Returns what the statements of `selectAttention` have read. */
export function attentionOf([
  totals,
  [wrongCodes],
  lately,
  [endedBans],
  [pause],
  failed,
  waiting,
  failedCodes,
  people,
]: BatchResponse<ReturnType<typeof selectAttention>>) {
  const deliveries = sumOf(
    lately.flatMap(({ name, value }) => {
      const delivery = OUTCOMES.find((one) => name === `mail.${one}`);
      return delivery ? [{ name: delivery, value }] : [];
    }),
  );
  const alarming = alarmingDeliveries(deliveries);
  const notOnboarded = totals.find(({ name }) => name === "user not onboarded")?.value ?? 0;
  return {
    attention: {
      mailsFailed: readCount(failed),
      mailsWaiting: readCount(waiting),
      codesFailed: readCount(failedCodes),
      peopleWaiting: readCount(people),
      mailsBounced: { count: alarming.mailsBounced },
      mailsComplained: { count: alarming.mailsComplained },
      wrongCodes: { count: wrongCodes?.value ?? 0 },
      notOnboarded: { count: notOnboarded + (endedBans?.notOnboarded ?? 0) },
    },
    /** Mails of the last 7 days. */
    deliveries,
    /** The quota of mails that is used up. */
    pause,
  };
}

/** Selects how many rows meet a condition, one more than are counted at most. */
function countUpTo(
  db: Db,
  table: typeof mailOutbox | typeof waitingList,
  condition: SQL | undefined,
) {
  const first = db
    .select({ id: table.id })
    .from(table)
    .where(condition)
    .limit(MOST_COUNTED + 1)
    .as("first");
  return db.select({ count: count() }).from(first);
}

function readCount([row]: { count: number }[]): AttentionCount {
  const counted = row?.count ?? 0;
  return { count: Math.min(counted, MOST_COUNTED), isMore: counted > MOST_COUNTED };
}

/** The counter leaves out users whose ban has ended: their rows still say that they are banned. */
function selectEndedBans(db: Db, now: Date) {
  return db
    .select({ notOnboarded: sql<number>`coalesce(sum(${isNull(user.onboardedAt)}), 0)` })
    .from(user)
    .where(hasBanEnded(now));
}
