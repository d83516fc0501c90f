import { and, count, eq, gt, gte, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, codeEvent, counter, mailOutbox, user } from "../../db/schema/schema.ts";
import { dayOf } from "../../http/day-range.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";

const DAY_MS = 86_400_000;
const CHART_DAYS = 30;
const SHOWN_EVENTS = 10;

/**
 * The dashboard's figures, in one round trip. Days are UTC and whole, as the filters of the lists are: what a figure
 * counts is what the list behind it shows. A period ends now, and is compared with as much of the one before.
 */
export async function readOverview(db: Db, now: Date) {
  const startOf = (days: number) => startOfDay(now, days - 1);
  const newUsers = (days: number, shiftDays = 0) => {
    const shifted = (moment: Date) => new Date(moment.getTime() - shiftDays * DAY_MS);
    return db
      .select({ count: count() })
      .from(user)
      .where(and(gte(user.createdAt, shifted(startOf(days))), lte(user.createdAt, shifted(now))));
  };
  const activeIn = (days: number) =>
    db
      .select({ count: count() })
      .from(user)
      .where(gte(user.lastSeenAt, startOf(days)));
  // Written out, not bound: only then the index of who is banned can answer.
  const isBanned = and(
    sql`${user.banned} = 1`,
    or(isNull(user.banExpires), gt(user.banExpires, now)),
  );
  const mails = (...criteria: SQL[]) =>
    db
      .select({ count: count() })
      .from(mailOutbox)
      .where(and(...criteria));
  const codesToday = (state: "sent" | "failed") =>
    mails(
      eq(mailOutbox.kind, "login-code"),
      eq(mailOutbox.state, state),
      gte(mailOutbox.createdAt, startOf(1)),
    );
  const chartStart = startOf(CHART_DAYS);
  // D1 binds every number as a real one, and a real quotient would make each row a day of its own.
  const day = sql<number>`CAST(${auditEvent.createdAt} / ${DAY_MS} AS INTEGER)`;

  const [
    totals,
    week,
    weekBefore,
    month,
    monthBefore,
    today,
    thisWeek,
    thisMonth,
    banned,
    notOnboarded,
    codesSent,
    codesFailed,
    wrongCodes,
    mailsWaiting,
    mailsFailed,
    signIns,
    events,
  ] = await db.batch([
    db.select().from(counter),
    newUsers(7),
    newUsers(7, 7),
    newUsers(30),
    newUsers(30, 30),
    activeIn(1),
    activeIn(7),
    activeIn(30),
    db.select({ count: count() }).from(user).where(isBanned),
    db
      .select({ count: count() })
      .from(user)
      .where(and(isNull(user.onboardedAt), sql`NOT (${isBanned})`)),
    codesToday("sent"),
    codesToday("failed"),
    db
      .select({ count: count() })
      .from(codeEvent)
      .where(and(eq(codeEvent.kind, "failed"), gte(codeEvent.createdAt, startOf(1)))),
    mails(eq(mailOutbox.state, "waiting")),
    mails(eq(mailOutbox.state, "failed")),
    db
      .select({ day, count: count() })
      .from(auditEvent)
      .where(and(eq(auditEvent.action, "user.signed_in"), gte(auditEvent.createdAt, chartStart)))
      .groupBy(day),
    selectNewestEvents(db, SHOWN_EVENTS),
  ]);

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const firstDay = chartStart.getTime() / DAY_MS;
  return {
    users: total("user"),
    repositories: total("repository"),
    newIn7Days: { count: first(week), before: first(weekBefore) },
    newIn30Days: { count: first(month), before: first(monthBefore) },
    activeToday: first(today),
    activeThisWeek: first(thisWeek),
    activeThisMonth: first(thisMonth),
    banned: first(banned),
    notOnboarded: first(notOnboarded),
    codesSent: first(codesSent),
    codesFailed: first(codesFailed),
    wrongCodes: first(wrongCodes),
    mailsWaiting: first(mailsWaiting),
    mailsFailed: first(mailsFailed),
    signIns: Array.from({ length: CHART_DAYS }, (_, index) => ({
      date: new Date((firstDay + index) * DAY_MS),
      count: signIns.find((row) => row.day === firstDay + index)?.count ?? 0,
    })),
    events: events.map(describeEvent),
    /** The first days of what was counted, for the lists behind the figures. */
    since: {
      today: dayOf(startOf(1)),
      week: dayOf(startOf(7)),
      month: dayOf(startOf(30)),
      chart: dayOf(chartStart),
    },
  };
}

/** The start of the day so many days before another. */
function startOfDay(moment: Date, daysBefore: number): Date {
  return new Date((Math.floor(moment.getTime() / DAY_MS) - daysBefore) * DAY_MS);
}

function first(rows: { count: number }[]): number {
  return rows[0]?.count ?? 0;
}
