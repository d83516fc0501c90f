import { actsOf } from "../access/act.ts";

/** What managers may do on the system page, and to the set-up list of the dashboard. */
export const SYSTEM_ACTS = actsOf("system", {
  "test-mail": {
    permission: ["settings", "update"],
    harmless: "Sends a mail to the manager alone, five a day.",
  },
  "hide-set-up": {
    permission: ["settings", "update"],
    harmless: "Hides a list, which can be shown again.",
  },
  "show-set-up": {
    permission: ["settings", "update"],
    harmless: "Shows a list, which can be hidden again.",
  },
});
