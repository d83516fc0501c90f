import { eq } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import { waitingListSetting } from "./tables.server.ts";

/** Statement that reads whether managers have switched the list on. */
export function selectSwitch(db: Db) {
  return db.select({ isOn: waitingListSetting.isOn }).from(waitingListSetting);
}

/** Switches the list on or off. False when it was so already. */
export async function switchList(db: Db, actor: Actor, isOn: boolean): Promise<boolean> {
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(waitingListSetting)
      .set({ isOn, updatedAt: actor.source.now() })
      .where(eq(waitingListSetting.isOn, !isOn)),
    event: eventBy(actor, isOn ? "waiting_list.opened" : "waiting_list.closed"),
  });
  return isChanged;
}
