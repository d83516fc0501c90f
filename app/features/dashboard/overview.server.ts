import { and, gte, inArray, isNull, sql } from "drizzle-orm";
import { hasBanEnded } from "../../db/ban.ts";
import type { Db } from "../../db/db.server.ts";
import { counter, dayCount, figure, user } from "../../db/schema/schema.ts";
import { dayOf } from "../../values/time.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { CHART_DAYS, dayNumber, startOfDay } from "./days.ts";

const SHOWN_EVENTS = 10;

/**
 * Reads the dashboard's figures in one round trip of some hundred rows, whatever the size of the database. Days are
 * whole UTC days, as in the filters of the lists, so a figure equals the list behind it. Triggers keep the counts of
 * users. Mails, codes and previous periods are as old as `countedAt`, and null until the cron has counted them for the
 * first time.
 */
export async function readOverview(db: Db, now: Date) {
  const startOf = (days: number) => startOfDay(now, days - 1);
  const today = dayNumber(now);
  const [totals, days, counted, endedBans, events] = await db.batch([
    db.select().from(counter),
    db
      .select()
      .from(dayCount)
      .where(
        and(
          inArray(dayCount.name, dayCount.name.enumValues),
          gte(dayCount.day, dayNumber(startOf(CHART_DAYS))),
        ),
      ),
    db.select().from(figure),
    // Users whose ban has expired still have a kind with "banned".
    db
      .select({
        all: sql<number>`count(*)`,
        notOnboarded: sql<number>`coalesce(sum(${isNull(user.onboardedAt)}), 0)`,
      })
      .from(user)
      .where(hasBanEnded(now)),
    selectNewestEvents(db, SHOWN_EVENTS),
  ]);

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const ofKind = (word: string) =>
    totals
      .filter(({ name }) => name.startsWith("user kind ") && name.split(" ").includes(word))
      .reduce((sum, { value }) => sum + value, 0);
  const inDays = (name: (typeof days)[number]["name"], first: number) =>
    days
      .filter((row) => row.name === name && row.day > today - first)
      .reduce((sum, { value }) => sum + value, 0);
  const figureOf = (name: string) => counted.find((row) => row.name === name)?.value ?? null;
  const ended = endedBans[0] ?? { all: 0, notOnboarded: 0 };
  return {
    users: total("user"),
    organizations: total("organization"),
    repositories: total("repository"),
    newIn7Days: { count: inDays("user.created", 7), before: figureOf("users.before7") },
    newIn30Days: { count: inDays("user.created", 30), before: figureOf("users.before30") },
    activeToday: inDays("user.seen", 1),
    activeThisWeek: inDays("user.seen", 7),
    activeThisMonth: inDays("user.seen", 30),
    banned: ofKind("banned") - ended.all,
    notOnboarded: ofKind("not-onboarded") + ended.notOnboarded,
    codesSent: figureOf("codes.sent"),
    codesFailed: figureOf("codes.failed"),
    wrongCodes: figureOf("codes.wrong"),
    mailsWaiting: figureOf("mails.waiting"),
    mailsFailed: figureOf("mails.failed"),
    countedAt: counted[0]?.countedAt ?? null,
    signIns: Array.from({ length: CHART_DAYS }, (_, index) => {
      const date = startOfDay(now, CHART_DAYS - 1 - index);
      const isOfDay = (row: (typeof days)[number]) =>
        row.name === "user.signed_in" && row.day === dayNumber(date);
      return { date, count: days.find(isOfDay)?.value ?? 0 };
    }),
    events: events.map(describeEvent),
    /** First days of the counted periods, for the links to the lists. */
    since: {
      today: dayOf(startOf(1)),
      week: dayOf(startOf(7)),
      month: dayOf(startOf(30)),
      chart: dayOf(startOf(CHART_DAYS)),
    },
  };
}
