import { and, count, eq, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import { hasBanEnded } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { counter, mailOutbox, slotCount, user, waitingList } from "../../db/schema/schema.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { DAY_MS } from "../../values/time.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import type { AttentionCount } from "./attention.ts";
import { type Day, growthOf, lastDays, type Period, SLOT_MS, slotOf } from "./days.ts";
import { alarmingDeliveries, OUTCOMES, sumOf } from "./delivery-rates.ts";

const SHOWN_EVENTS = 8;

type Counted = (typeof slotCount.$inferSelect)["name"];

const DELIVERED = OUTCOMES.map((name) => `mail.${name}` as const);

type Asked = { period: Period; isAuditShown: boolean; timeZone: string | undefined };

/** Mails and people who wait are counted up to this number. */
const MOST_COUNTED = 50;

/**
 * Reads the dashboard's figures in one round trip, at the same cost whatever the size of the database. Days are those of the
 * reader, as in the filters of the lists, so a figure equals the list behind it. Triggers count users, sign-ins, wrong codes
 * and deliveries; the others are counted now, up to a limit.
 */
export async function readOverview(db: Db, { period, isAuditShown, timeZone }: Asked, now: Date) {
  const days = lastDays(Math.max(period, 30), formatsOf("en", timeZone), now);
  const last = (length: number) => days.slice(-length);
  const today = new Date((last(1)[0]?.from ?? 0) * SLOT_MS);
  const [
    totals,
    counts,
    seen,
    lately,
    newBefore,
    endedBans,
    events,
    [pause],
    failed,
    waiting,
    failedCodes,
    people,
  ] = await db.batch([
    db.select().from(counter),
    sumDays(db, ["user.created", "user.signed_in", "code.wrong"], last(period)),
    sumDays(db, ["user.seen"], last(30)),
    sumDays(db, DELIVERED, last(7)),
    selectNewBefore(db, last(14), now),
    selectEndedBans(db, now),
    selectNewestEvents(db, isAuditShown ? SHOWN_EVENTS : 0),
    selectMailPause(db, now),
    countUpTo(db, mailOutbox, isInState("failed")),
    countUpTo(db, mailOutbox, isInState("waiting")),
    countUpTo(
      db,
      mailOutbox,
      and(isInState("failed"), eq(mailOutbox.kind, "login-code"), gte(mailOutbox.createdAt, today)),
    ),
    countUpTo(db, waitingList, eq(waitingList.state, "waiting")),
  ]);
  const deliveries = sumOf(
    lately.flatMap(({ name, value }) => {
      const delivery = OUTCOMES.find((one) => name === `mail.${one}`);
      return delivery ? [{ name: delivery, value }] : [];
    }),
  );

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const sum = (rows: DaySum[], name: Counted, among: Day[]) =>
    rows.reduce(
      (all, row) =>
        row.name === name && among.some(({ key }) => key === row.day) ? all + row.value : all,
      0,
    );
  const newIn7Days = sum(counts, "user.created", last(7));
  const alarming = alarmingDeliveries(deliveries);
  const firstOf = (length: number) => last(length)[0]?.key ?? "";
  return {
    users: total("user"),
    organizations: total("organization"),
    repositories: total("repository"),
    newIn7Days,
    growth: growthOf(newIn7Days, newBefore[0]?.value ?? 0),
    activeToday: sum(seen, "user.seen", last(1)),
    activeThisWeek: sum(seen, "user.seen", last(7)),
    activeThisMonth: sum(seen, "user.seen", last(30)),
    signInsToday: sum(counts, "user.signed_in", last(1)),
    attention: {
      mailsFailed: readCount(failed),
      mailsWaiting: readCount(waiting),
      codesFailed: readCount(failedCodes),
      peopleWaiting: readCount(people),
      mailsBounced: { count: alarming.mailsBounced },
      mailsComplained: { count: alarming.mailsComplained },
      wrongCodes: { count: sum(counts, "code.wrong", last(1)) },
      notOnboarded: {
        count: total("user not onboarded") + (endedBans[0]?.notOnboarded ?? 0),
      },
    },
    /** Mails of the last 7 days. */
    deliveries,
    days: last(period).map((day) => ({
      date: new Date(day.key),
      signIns: sum(counts, "user.signed_in", [day]),
      signUps: sum(counts, "user.created", [day]),
      wrongCodes: sum(counts, "code.wrong", [day]),
    })),
    /** The quota of mails that is used up. */
    pause,
    events: isAuditShown ? events.map(describeEvent) : undefined,
    /** First days of the counted periods, for the links to the lists. */
    since: { today: firstOf(1), week: firstOf(7), month: firstOf(30), chart: firstOf(period) },
  };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

type DaySum = { name: Counted; day: string; value: number };

/** Statement that sums the slots of each day, by name. */
function sumDays(db: Db, names: Counted[], days: Day[]) {
  const ranges = days.map(({ key, from, to }) => [key, from, to]);
  // One search of the primary key for each sum: grouping would read each slot twice.
  const total = sql<number>`(SELECT coalesce(sum(${slotCount.value}), 0) FROM ${slotCount}
    WHERE ${slotCount.name} = name.value AND ${slotCount.slot} >= day.value ->> 1
      AND ${slotCount.slot} < day.value ->> 2)`;
  return db
    .select({ name: sql<Counted>`name.value`, day: sql<string>`day.value ->> 0`, value: total })
    .from(
      sql`json_each(${JSON.stringify(names)}) AS name, json_each(${JSON.stringify(ranges)}) AS day`,
    );
}

/** Statement that counts the new users of the week before, up to the same moment of it. */
function selectNewBefore(db: Db, [first]: Day[], now: Date) {
  const { name, slot, value } = slotCount;
  return db
    .select({ value: sql<number>`coalesce(sum(${value}), 0)` })
    .from(slotCount)
    .where(
      and(
        eq(name, "user.created"),
        gte(slot, first?.from ?? 0),
        lte(slot, slotOf(new Date(now.getTime() - 7 * DAY_MS))),
      ),
    );
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
