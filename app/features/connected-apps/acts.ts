import { actsOf, ownActs } from "../access/act.ts";

/** What users do with apps that sign them in. */
export const OWN_APP_ACTS = ownActs({
  "connect-app": {
    harmless:
      "Lets an app know the user that has asked for it. It can be ended at once, and changes nothing here.",
  },
  "sign-in-device": {
    harmless:
      "Lets an app on a device know the user, who has typed its code. It can be ended at once, and changes nothing here.",
  },
  "end-app": { harmless: "Ends what an app may know. The user can allow it again." },
  // What the app wants to do would ask for a proof on a screen.
  "approve-call": {},
  "refuse-call": { harmless: "The app does nothing. It can ask again." },
});

/** What managers do with the apps of a user. */
export const USER_APP_ACTS = actsOf("user", {
  "end-app": {
    permission: ["session", "revoke"],
    harmless: "Ends what an app may know. The user can allow it again.",
  },
});

/** What owners do with the apps of their organization. They need the same proofs as managers. */
export const OWNED_APP_ACTS = ownActs({
  "create-app": {},
  "update-app": {},
  "rotate-app": {},
  "disable-app": {},
  "enable-app": {},
  "delete-app": {},
  "logo-app": {},
});

/**
 * What managers do with apps. All of it needs a proof: an app learns who its people are, and its
 * end, also for a while, ends the sign-in of all of them in it.
 */
export const APP_ACTS = actsOf("app", {
  create: { permission: ["settings", "update"] },
  update: { permission: ["settings", "update"] },
  rotate: { permission: ["settings", "update"] },
  disable: { permission: ["settings", "update"] },
  enable: { permission: ["settings", "update"] },
  delete: { permission: ["settings", "update"] },
  logo: { permission: ["settings", "update"] },
  settings: { permission: ["settings", "update"] },
  "save-registration": { permission: ["settings", "update"] },
});
