import { and, inArray, lt } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { COUNTED, slotCount } from "../../db/schema/schema.ts";
import { DAY_MS } from "../../values/time.ts";
import { slotOf } from "./days.ts";

/** A little more than the 90 days that figures are shown of. */
const KEPT_MS = 100 * DAY_MS;

/** Deletes the counts that nothing shows any more. */
export async function pruneSlots(db: Db, now: Date): Promise<void> {
  const kept = new Date(now.getTime() - KEPT_MS);
  await db
    .delete(slotCount)
    .where(and(inArray(slotCount.name, COUNTED), lt(slotCount.slot, slotOf(kept))));
}
