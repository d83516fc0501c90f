import { and, eq, gte, isNull, lte, sql } from "drizzle-orm";
import { hasBanEnded } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import { counter, figure, slotCount, user } from "../../db/schema/schema.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { DAY_MS } from "../../values/time.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { type Day, lastDays, type Period, slotOf } from "./days.ts";
import { alarmingDeliveries, OUTCOMES, sumOf } from "./delivery-rates.ts";

const SHOWN_EVENTS = 8;

type Counted = (typeof slotCount.$inferSelect)["name"];

const DELIVERED = OUTCOMES.map((name) => `mail.${name}` as const);

type Asked = { period: Period; isAuditShown: boolean; timeZone: string | undefined };

/**
 * Reads the dashboard's figures in one round trip, at the same cost whatever the size of the database. Days are those of the
 * reader, as in the filters of the lists, so a figure equals the list behind it. Triggers count users, sign-ins, wrong codes
 * and deliveries. Mails and codes are as old as `countedAt`, and null until the cron has counted them for the first time.
 */
export async function readOverview(db: Db, { period, isAuditShown, timeZone }: Asked, now: Date) {
  const days = lastDays(Math.max(period, 30), formatsOf("en", timeZone), now);
  const last = (count: number) => days.slice(-count);
  const [totals, counts, seen, lately, newBefore, counted, endedBans, events, [pause]] =
    await db.batch([
      db.select().from(counter),
      sumDays(db, ["user.created", "user.signed_in", "code.wrong"], last(period)),
      sumDays(db, ["user.seen"], last(30)),
      sumDays(db, ["code.sent", "code.failed", ...DELIVERED], last(7)),
      selectNewBefore(db, last(14), now),
      db.select().from(figure),
      selectEndedBans(db, now),
      selectNewestEvents(db, isAuditShown ? SHOWN_EVENTS : 0),
      selectMailPause(db, now),
    ]);
  const deliveries = sumOf(
    lately.flatMap(({ name, value }) => {
      const delivery = OUTCOMES.find((one) => name === `mail.${one}`);
      return delivery ? [{ name: delivery, value }] : [];
    }),
  );

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const figureOf = (name: string) => counted.find((row) => row.name === name)?.value ?? null;
  const countedAt = counted.find(({ name }) => name === "mails.failed")?.countedAt ?? null;
  const sum = (rows: DaySum[], name: Counted, among: Day[]) =>
    rows.reduce(
      (all, row) =>
        row.name === name && among.some(({ key }) => key === row.day) ? all + row.value : all,
      0,
    );
  const codesToday = (name: Counted) => (countedAt ? sum(lately, name, last(1)) : null);
  const firstOf = (count: number) => last(count)[0]?.key ?? "";
  return {
    users: total("user"),
    organizations: total("organization"),
    repositories: total("repository"),
    newIn7Days: {
      count: sum(counts, "user.created", last(7)),
      before: newBefore[0]?.value ?? 0,
    },
    activeToday: sum(seen, "user.seen", last(1)),
    activeThisWeek: sum(seen, "user.seen", last(7)),
    activeThisMonth: sum(seen, "user.seen", last(30)),
    signInsToday: sum(counts, "user.signed_in", last(1)),
    codesSent: codesToday("code.sent"),
    attention: {
      mailsFailed: figureOf("mails.failed"),
      mailsWaiting: figureOf("mails.waiting"),
      codesFailed: codesToday("code.failed"),
      ...alarmingDeliveries(deliveries),
      wrongCodes: sum(counts, "code.wrong", last(1)),
      notOnboarded: total("user not onboarded") + (endedBans[0]?.notOnboarded ?? 0),
    },
    /** Mails of the last 7 days. */
    deliveries,
    countedAt,
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

/** The counter leaves out users whose ban has ended: their rows still say that they are banned. */
function selectEndedBans(db: Db, now: Date) {
  return db
    .select({ notOnboarded: sql<number>`coalesce(sum(${isNull(user.onboardedAt)}), 0)` })
    .from(user)
    .where(hasBanEnded(now));
}
