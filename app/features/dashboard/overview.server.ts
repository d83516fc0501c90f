import { and, count, desc, eq, gt, gte, isNull, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, codeEvent, counter, mailOutbox, user } from "../../db/schema/schema.ts";

const DAY_MS = 86_400_000;
const CHART_DAYS = 30;
const SHOWN_EVENTS = 10;

/** The dashboard's figures, in one round trip. Days are UTC. */
export async function readOverview(db: Db, now: Date) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const chartStart = new Date(Math.floor(now.getTime() / DAY_MS - CHART_DAYS + 1) * DAY_MS);
  const newUsers = (from: Date, to: Date) =>
    db
      .select({ count: count() })
      .from(user)
      .where(and(gte(user.createdAt, from), lt(user.createdAt, to)));
  const activeSince = (from: Date) =>
    db.select({ count: count() }).from(user).where(gt(user.lastSeenAt, from));
  const codes = (kind: "sent" | "failed") =>
    db
      .select({ count: count() })
      .from(codeEvent)
      .where(and(eq(codeEvent.kind, kind), gt(codeEvent.createdAt, daysAgo(1))));
  const mails = (state: "waiting" | "failed") =>
    db.select({ count: count() }).from(mailOutbox).where(eq(mailOutbox.state, state));
  // D1 binds every number as a real one, and a real quotient would make each row a day of its own.
  const day = sql<number>`CAST(${auditEvent.createdAt} / ${DAY_MS} AS INTEGER)`;
  const actor = alias(user, "actor");
  const target = alias(user, "target");

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
    mailsWaiting,
    mailsFailed,
    signIns,
    events,
  ] = await db.batch([
    db.select().from(counter),
    newUsers(daysAgo(7), now),
    newUsers(daysAgo(14), daysAgo(7)),
    newUsers(daysAgo(30), now),
    newUsers(daysAgo(60), daysAgo(30)),
    activeSince(daysAgo(1)),
    activeSince(daysAgo(7)),
    activeSince(daysAgo(30)),
    db
      .select({ count: count() })
      .from(user)
      .where(and(eq(user.banned, true), or(isNull(user.banExpires), gt(user.banExpires, now)))),
    db.select({ count: count() }).from(user).where(isNull(user.onboardedAt)),
    codes("sent"),
    codes("failed"),
    mails("waiting"),
    mails("failed"),
    db
      .select({ day, count: count() })
      .from(auditEvent)
      .where(and(eq(auditEvent.action, "user.signed_in"), gte(auditEvent.createdAt, chartStart)))
      .groupBy(day),
    db
      .select({
        id: auditEvent.id,
        action: auditEvent.action,
        createdAt: auditEvent.createdAt,
        actor: sql<string | null>`coalesce(nullif(${actor.name}, ''), ${actor.email})`,
        target: sql<string | null>`coalesce(nullif(${target.name}, ''), ${target.email})`,
        targetType: auditEvent.targetType,
        targetId: auditEvent.targetId,
      })
      .from(auditEvent)
      .leftJoin(actor, eq(actor.id, auditEvent.actorId))
      .leftJoin(target, and(eq(auditEvent.targetType, "user"), eq(target.id, auditEvent.targetId)))
      .orderBy(desc(auditEvent.createdAt), desc(auditEvent.id))
      .limit(SHOWN_EVENTS),
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
    mailsWaiting: first(mailsWaiting),
    mailsFailed: first(mailsFailed),
    signIns: Array.from({ length: CHART_DAYS }, (_, index) => ({
      date: new Date((firstDay + index) * DAY_MS),
      count: signIns.find((row) => row.day === firstDay + index)?.count ?? 0,
    })),
    events,
  };
}

function first(rows: { count: number }[]): number {
  return rows[0]?.count ?? 0;
}
