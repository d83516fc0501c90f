import { actsOf, ownActs } from "../access/act.ts";

/** What managers do with the keys of a user. */
export const KEY_ACTS = actsOf("user", {
  "revoke-key": {
    permission: ["session", "revoke"],
    harmless: "Ends a key. Its owner can make another.",
  },
});

/** What owners do with the keys of their organization. */
export const OWN_KEY_ACTS = ownActs({
  "create-key": {},
  "rotate-key": {},
  "revoke-key": { harmless: "Ends a key. Its maker can make another." },
});
