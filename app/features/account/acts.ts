import { actsOf } from "../access/act.ts";
import type { Permission } from "../access/permissions.ts";

const UPDATE: Permission = ["account", "update"];

/** What people do with their own account by calls of better-auth's client. */
export const ACCOUNT_ACTS = actsOf("account", {
  update: {
    permission: UPDATE,
    harmless: "One's own account. Its sign-in methods and its e-mail have proofs of their own.",
  },
  "remove-method": { permission: UPDATE },
});
