import { actsOf } from "../access/act.ts";

/** What managers do with those who wait. */
export const WAITING_LIST_ACTS = actsOf("waiting-list", {
  approve: { permission: ["settings", "update"] },
  decline: { permission: ["settings", "update"] },
});
