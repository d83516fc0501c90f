import { gte, inArray, isNull, sql } from "drizzle-orm";
import { hasBanEnded } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { selectMailPause } from "../../db/mail-pause.ts";
import {
  counter,
  dayCount,
  deliveryCount,
  figure,
  user,
  wrongCodeCount,
} from "../../db/schema/schema.ts";
import { dayOf } from "../../values/time.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { dayNumber, type Period, startOfDay } from "./days.ts";
import { alarmingDeliveries, sumOf } from "./delivery-rates.ts";

const SHOWN_EVENTS = 8;

type Asked = { period: Period; isAuditShown: boolean };

/**
 * Reads the dashboard's figures: one round trip of some hundred rows, whatever the size of the database.
 * Days are whole UTC days, as in the filters of the lists, so a figure equals the list behind it. Triggers keep the counts
 * of users, sign-ins, wrong codes and deliveries. Mails, codes sent and the previous week are as old as `countedAt`, and
 * null until the cron has counted them for the first time.
 */
export async function readOverview(db: Db, { period, isAuditShown }: Asked, now: Date) {
  const startOf = (days: number) => startOfDay(now, days - 1);
  const [totals, seen, days, wrongCodes, counted, endedBans, events, delivered, [pause]] =
    await db.batch([
      db.select().from(counter),
      selectDays(db, ["user.seen"], dayNumber(startOf(30))),
      selectDays(db, ["user.created", "user.signed_in"], dayNumber(startOf(period))),
      db
        .select()
        .from(wrongCodeCount)
        .where(gte(wrongCodeCount.day, dayNumber(startOf(period)))),
      db.select().from(figure),
      selectEndedBans(db, now),
      selectNewestEvents(db, isAuditShown ? SHOWN_EVENTS : 0),
      selectDeliveries(db, dayNumber(startOf(7))),
      selectMailPause(db, now),
    ]);
  const deliveries = sumOf(delivered);

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const seenIn = (length: number) =>
    seen.reduce((sum, { day, value }) => sum + (day >= dayNumber(startOf(length)) ? value : 0), 0);
  const figureOf = (name: string) => counted.find((row) => row.name === name)?.value ?? null;
  const valueOn = (rows: { day: number; value: number }[], date: Date) =>
    rows.find(({ day }) => day === dayNumber(date))?.value ?? 0;
  const created = days.filter(({ name }) => name === "user.created");
  const signedIn = days.filter(({ name }) => name === "user.signed_in");
  return {
    users: total("user"),
    organizations: total("organization"),
    repositories: total("repository"),
    newIn7Days: {
      count: created.reduce(
        (sum, { day, value }) => sum + (day >= dayNumber(startOf(7)) ? value : 0),
        0,
      ),
      before: figureOf("users.before7"),
    },
    activeToday: seenIn(1),
    activeThisWeek: seenIn(7),
    activeThisMonth: seenIn(30),
    signInsToday: valueOn(signedIn, now),
    codesSent: figureOf("codes.sent"),
    attention: {
      mailsFailed: figureOf("mails.failed"),
      mailsWaiting: figureOf("mails.waiting"),
      codesFailed: figureOf("codes.failed"),
      ...alarmingDeliveries(deliveries),
      wrongCodes: valueOn(wrongCodes, now),
      notOnboarded: total("user not onboarded") + (endedBans[0]?.notOnboarded ?? 0),
    },
    /** Mails of the last 7 days. */
    deliveries,
    countedAt: counted.find(({ name }) => name === "mails.failed")?.countedAt ?? null,
    days: Array.from({ length: period }, (_, index) => {
      const date = startOfDay(now, period - 1 - index);
      return {
        date,
        signIns: valueOn(signedIn, date),
        signUps: valueOn(created, date),
        wrongCodes: valueOn(wrongCodes, date),
      };
    }),
    /** The quota of mails that is used up. */
    pause,
    events: isAuditShown ? events.map(describeEvent) : undefined,
    /** First days of the counted periods, for the links to the lists. */
    since: {
      today: dayOf(startOf(1)),
      week: dayOf(startOf(7)),
      month: dayOf(startOf(30)),
      chart: dayOf(startOf(period)),
    },
  };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** The counter leaves out users whose ban has ended: their rows still say that they are banned. */
function selectEndedBans(db: Db, now: Date) {
  return db
    .select({ notOnboarded: sql<number>`coalesce(sum(${isNull(user.onboardedAt)}), 0)` })
    .from(user)
    .where(hasBanEnded(now));
}

function selectDeliveries(db: Db, first: number) {
  const { name, day } = deliveryCount;
  return db
    .select()
    .from(deliveryCount)
    .where(sql`${inArray(name, name.enumValues)} AND ${gte(day, first)}`);
}

function selectDays(db: Db, names: (typeof dayCount.$inferSelect)["name"][], first: number) {
  return db
    .select()
    .from(dayCount)
    .where(sql`${inArray(dayCount.name, names)} AND ${gte(dayCount.day, first)}`);
}
