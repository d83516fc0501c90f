import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import { auditEvent, slotCount } from "../../db/schema/schema.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { DAY_MS } from "../../values/time.ts";
import { FIGURES } from "../access/things.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { askAttention, type ToDoRows } from "./attention.server.ts";
import type { AttentionCount } from "./attention.ts";
import { type Counted, type DaySum, sumDays } from "./day-sums.server.ts";
import { type Day, lastDays, SLOT_MS, slotOf } from "./days.ts";

const SHOWN_EVENTS = 8;

type Asked = {
  isAuditShown: boolean;
  timeZone: string | undefined;
  toDo: ToDoRows;
  readerId: string;
  /** Statements of others for the same screen, which the same batch runs. */
  beside: readonly BatchItem<"sqlite">[];
};

/**
 * Reads the dashboard's figures in one round trip, at the same cost whatever the size of the
 * database. Days are those of the reader, as in the filters of the lists, so a figure equals the
 * list behind it. Triggers count users, sign-ins, wrong codes and deliveries; the others are
 * counted now, up to a limit.
 */
export async function readOverview(db: Db, asked: Asked, now: Date) {
  const { isAuditShown, timeZone, beside } = asked;
  const days = lastDays(30, formatsOf("en", timeZone), now);
  const last = (length: number) => days.slice(-length);
  const attention = askAttention(db, asked, last(7), now);
  const [counts, seen, [before], added, events, ...rest] = await db.batch([
    sumDays(db, ["user.created", "user.signed_in"], last(7)),
    sumDays(db, ["user.seen"], last(30)),
    selectBefore(db, days, now),
    selectAdded(db, days, now),
    selectNewestEvents(db, isAuditShown ? SHOWN_EVENTS : 0),
    ...attention.statements,
    ...beside,
  ]);
  const [totals] = rest;

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const sum = (rows: DaySum[], name: Counted, among: Day[]) =>
    rows.reduce(
      (all, row) =>
        row.name === name && among.some(({ key }) => key === row.day) ? all + row.value : all,
      0,
    );
  const firstOf = (length: number) => last(length)[0]?.key ?? "";
  const overview = {
    users: total("user"),
    organizations: total("organization"),
    /** Of the features, by their counter. */
    counted: Object.keys(FIGURES).map((counter) => ({ counter, value: total(counter) })),
    /** What was added in 7 days, and in the 7 before, by the audit action. */
    added: Object.fromEntries(
      added.map(({ action, lately, earlier }) => [
        action,
        { lately: boundedCount(lately), earlier: boundedCount(earlier) },
      ]),
    ),
    newIn7Days: sum(counts, "user.created", last(7)),
    newBefore: before?.created ?? 0,
    activeToday: sum(seen, "user.seen", last(1)),
    activeThisWeek: sum(seen, "user.seen", last(7)),
    activeThisMonth: sum(seen, "user.seen", last(30)),
    signInsToday: sum(counts, "user.signed_in", last(1)),
    signInsYesterday: before?.signedIn ?? 0,
    ...attention.results(rest),
    events: isAuditShown ? events.map(describeEvent) : undefined,
    /** First days of the counted periods, for the links to the lists. */
    since: { today: firstOf(1), week: firstOf(7), month: firstOf(30) },
  };
  return { overview, beside: rest.slice(attention.statements.length) };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>["overview"];

/**
 * Statement that counts the new users of the week before and the sign-ins of yesterday, each up to
 * the same moment as now.
 */
function selectBefore(db: Db, days: Day[], now: Date) {
  const countedFrom = (name: Counted, daysAgo: number, moment: number) =>
    sql<number>`(SELECT coalesce(sum(${slotCount.value}), 0) FROM ${slotCount}
      WHERE ${slotCount.name} = ${name} AND ${slotCount.slot} >= ${days.at(-daysAgo)?.from ?? 0}
        AND ${slotCount.slot} <= ${slotOf(new Date(moment))})`;
  return db
    .select({
      created: countedFrom("user.created", 14, now.getTime() - 7 * DAY_MS).as("created"),
      signedIn: countedFrom("user.signed_in", 2, now.getTime() - DAY_MS).as("signed_in"),
    })
    .from(sql`(SELECT 1)`);
}

/** Counting of added things stops at this number. */
const MOST_ADDED = 500;

/** The audit actions of adding: of organizations, and of the features' things. */
const ADDED = ["organization.created", ...Object.values(FIGURES).map((figure) => figure?.added)];

/** Statement that counts what was added in 7 days, and in the 7 before up to the same moment. */
function selectAdded(db: Db, days: Day[], now: Date) {
  const startOf = (daysAgo: number) => (days.at(-daysAgo)?.from ?? 0) * SLOT_MS;
  const counted = (from: number, to: number) =>
    sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${auditEvent}
      WHERE ${auditEvent.action} = action.value AND ${auditEvent.action} <> 'user.signed_in'
        AND ${auditEvent.createdAt} >= ${from} AND ${auditEvent.createdAt} <= ${to}
      LIMIT ${MOST_ADDED + 1}))`;
  return db
    .select({
      action: sql<string>`action.value`.as("action"),
      lately: counted(startOf(7), now.getTime()).as("lately"),
      earlier: counted(startOf(14), now.getTime() - 7 * DAY_MS).as("earlier"),
    })
    .from(sql`json_each(${JSON.stringify(ADDED)}) AS action`);
}

function boundedCount(counted: number): AttentionCount {
  return { count: Math.min(counted, MOST_ADDED), isMore: counted > MOST_ADDED };
}
