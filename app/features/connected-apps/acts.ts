import { ownActs } from "../access/act.ts";

/** What users do with apps that sign them in. */
export const OWN_APP_ACTS = ownActs({
  "connect-app": {
    harmless:
      "Lets an app know the user that has asked for it. It can be ended at once, and changes nothing here.",
  },
  "end-app": { harmless: "Ends what an app may know. The user can allow it again." },
});
