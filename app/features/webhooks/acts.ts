import { actsOf, ownActs } from "../access/act.ts";

/** What owners do with the webhooks of their organization. Managers use their permission for settings. */
export const OWN_WEBHOOK_ACTS = ownActs({
  "create-webhook": {},
  "update-webhook": {},
  "pause-webhook": {},
  "resume-webhook": {},
  "rotate-webhook": {},
  "delete-webhook": {},
  "sample-webhook": {},
  "repeat-delivery": {},
  "skip-delivery": {},
});

/** What a program does that reads the events. A key needs the permission by name, as a proof does on the screen. */
export const EVENT_ACTS = actsOf("events", { read: { permission: ["audit", "read"] } });
