import { type Joined, joined } from "../../features.ts";
import type { Act } from "./act.ts";
import type { Permission } from "./permissions.ts";

/**
 * The permissions whose use needs no fresh proof of identity, with the reason; the features add their own. Every other
 * permission of a manager needs one, so that a new one is closed until it is named here. What one permission allows in
 * several ways is an act of its own each (`act.ts`).
 */
const CORE = {
  "apps.app": "Opens the app.",
  "apps.manager": "Opens the back-office. What it changes is asked for one by one.",
  "account.update":
    "One's own account. Its sign-in methods and its e-mail have proofs of their own.",

  "dashboard.read": "Reads.",
  "user.list": "Reads.",
  "user.get": "Reads.",
  "session.list": "Reads.",
  "account.read": "Reads.",
  "organization.read": "Reads.",
  "audit.read": "Reads.",
  "mail.read": "Reads.",
  "settings.read": "Reads.",
  "system.read": "Reads.",

  "user.update":
    "A name, which is recorded and can be changed back. E-mail and roles are acts of their own.",
  "session.revoke": "Ends sessions. Their owner signs in again.",
  "session.delete": "Ends sessions. Their owner signs in again.",
  "mail.retry": "Sends a mail to the e-mail that it was written to.",
  "organization.create": "An empty organization, which its owner can delete.",
} as const satisfies Record<string, string>;

const HARMLESS: typeof CORE & Joined<"harmless"> = { ...CORE, ...joined("harmless") };

const HARMLESS_REASONS = new Map<string, string>(Object.entries(HARMLESS));

/** The permissions that need no proof, for the test that compares them with the code. */
export const HARMLESS_PERMISSIONS = Object.keys(HARMLESS);

/** True when an act, or the use of a permission, holds only shortly after the user has proved who they are. */
export function needsProof(act: Act | string): boolean {
  return typeof act === "string" ? !Object.hasOwn(HARMLESS, act) : act.harmless === undefined;
}

/**
 * Returns the act that a permission is, where it allows one thing alone.
 * @public For features, of which there may be none.
 */
export function permissionAct(permission: Permission): Act {
  const name = permission.join(".");
  return { name, permission, harmless: HARMLESS_REASONS.get(name) };
}
