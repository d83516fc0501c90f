import { and, eq, gte, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import { slotCount } from "../../db/schema/schema.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { DAY_MS } from "../../values/time.ts";
import { FIGURES } from "../access/things.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { askAttention, type ToDoRows } from "./attention.server.ts";
import { type Counted, type DaySum, sumDays } from "./day-sums.server.ts";
import { type Day, growthOf, lastDays, slotOf } from "./days.ts";

const SHOWN_EVENTS = 8;

type Asked = {
  isAuditShown: boolean;
  timeZone: string | undefined;
  toDo: ToDoRows;
  /** Statements of the features' panels, which the same batch runs. */
  panels: readonly BatchItem<"sqlite">[];
};

/**
 * Reads the dashboard's figures in one round trip, at the same cost whatever the size of the
 * database. Days are those of the reader, as in the filters of the lists, so a figure equals the
 * list behind it. Triggers count users, sign-ins, wrong codes and deliveries; the others are
 * counted now, up to a limit.
 */
export async function readOverview(db: Db, asked: Asked, now: Date) {
  const { isAuditShown, timeZone, toDo, panels } = asked;
  const days = lastDays(30, formatsOf("en", timeZone), now);
  const last = (length: number) => days.slice(-length);
  const attention = askAttention(db, toDo, last(7), now);
  const [counts, seen, newBefore, events, ...rest] = await db.batch([
    sumDays(db, ["user.created", "user.signed_in"], last(7)),
    sumDays(db, ["user.seen"], last(30)),
    selectNewBefore(db, last(14), now),
    selectNewestEvents(db, isAuditShown ? SHOWN_EVENTS : 0),
    ...attention.statements,
    ...panels,
  ]);
  const [totals] = rest;

  const total = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  const sum = (rows: DaySum[], name: Counted, among: Day[]) =>
    rows.reduce(
      (all, row) =>
        row.name === name && among.some(({ key }) => key === row.day) ? all + row.value : all,
      0,
    );
  const newIn7Days = sum(counts, "user.created", last(7));
  const firstOf = (length: number) => last(length)[0]?.key ?? "";
  const overview = {
    users: total("user"),
    organizations: total("organization"),
    /** Of the features, by their counter. */
    counted: Object.keys(FIGURES).map((counter) => ({ counter, value: total(counter) })),
    newIn7Days,
    growth: growthOf(newIn7Days, newBefore[0]?.value ?? 0),
    activeToday: sum(seen, "user.seen", last(1)),
    activeThisWeek: sum(seen, "user.seen", last(7)),
    activeThisMonth: sum(seen, "user.seen", last(30)),
    signInsToday: sum(counts, "user.signed_in", last(1)),
    ...attention.results(rest),
    events: isAuditShown ? events.map(describeEvent) : undefined,
    /** First days of the counted periods, for the links to the lists. */
    since: { today: firstOf(1), week: firstOf(7), month: firstOf(30) },
  };
  // The rest is what the statements of the panels have read.
  return { overview, ofPanels: rest.slice(attention.statements.length) };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>["overview"];

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
