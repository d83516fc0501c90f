import { sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { slotCount } from "../../db/schema/schema.ts";
import type { Day } from "./days.ts";

export type Counted = (typeof slotCount.$inferSelect)["name"];

export type DaySum = { name: Counted; day: string; value: number };

/** Statement that sums the slots of each day, by name. */
export function sumDays(db: Db, names: Counted[], days: Day[]) {
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
