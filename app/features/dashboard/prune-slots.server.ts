import { and, inArray, lt } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { COUNTED, slotCount } from "../../db/schema/schema.ts";
import { DAY_MS } from "../../values/time.ts";
import { PERIODS, slotOf } from "./days.ts";

/** Slots are kept as long as the chart shows them. */
const KEPT_MS = (Math.max(...PERIODS) + 10) * DAY_MS;

/** Deletes the counts that nothing shows any more. */
export async function pruneSlots(db: Db, now: Date): Promise<void> {
  const kept = new Date(now.getTime() - KEPT_MS);
  await db
    .delete(slotCount)
    .where(and(inArray(slotCount.name, COUNTED), lt(slotCount.slot, slotOf(kept))));
}
