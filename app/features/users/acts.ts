import { actsOf } from "../access/act.ts";

/** What managers do with users. */
export const USER_ACTS = actsOf("user", {
  create: { permission: ["user", "create"] },
  update: {
    permission: ["user", "update"],
    harmless:
      "A name, which is recorded and can be changed back. E-mail and roles are acts of their own.",
  },
  ban: { permission: ["user", "ban"] },
  unban: { permission: ["user", "ban"] },
  "set-role": { permission: ["user", "set-role"] },
  delete: { permission: ["user", "delete"] },
  impersonate: { permission: ["user", "impersonate"] },
  revoke: {
    permission: ["session", "revoke"],
    harmless: "Ends a session. Its owner signs in again.",
  },
  "revoke-all": {
    permission: ["session", "delete"],
    harmless: "Ends sessions. Their owner signs in again.",
  },
  invite: {
    permission: ["mail", "retry"],
    harmless: "Sends a mail without a code to the user's own e-mail.",
  },
  "remove-methods": { permission: ["user", "update"] },
  "keep-methods": {
    permission: ["user", "update"],
    harmless: "Changes nothing but a question on the screen.",
  },
  "release-passkey": { permission: ["user", "set-role"] },
  "allow-mail": {
    permission: ["mail", "retry"],
    harmless: "Mail goes to the user's own e-mail again.",
  },
});
