import { z } from "zod";
import { ChosenIds } from "../../lists/bulk/bulk-change.ts";

/** Forms of the list's screen: decisions about requests, and the list's switch. */
export const WaitingListForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["approve", "decline"]), id: ChosenIds }),
  z.object({ intent: z.enum(["switch-on", "switch-off"]) }),
]);
