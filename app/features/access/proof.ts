import { type Joined, joined } from "../../features.ts";
import type { Act } from "./act.ts";
import type { OrganizationRole } from "./role-names.ts";

/**
 * What needs no fresh proof of identity, with the reason; the features add their own. Every other act of a manager or of an organization's owner needs
 * one, so that a new act is closed until it is named here. An act is a permission, or `<form>:<intent>` where a form has
 * several intents.
 */
const CORE = {
  form: "Shows a form. Sending it is another act.",
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

  "organization:rename": "Is recorded with what was there before, and can be changed back.",

  "own:create": "An empty organization, which its owner can delete.",
  "own:activate": "Changes what one's own screens show.",
  "own:answer":
    "One's own membership, by one's own decision. It gives no rights over anybody else without a proof.",
  "own:save": "Is recorded with what was there before, and can be changed back.",
  "own:logo": "A picture, which can be changed back.",
  "own:restore": "Takes back a deletion.",
  "own:invite": "A member. Members change nobody's rights, and can be removed again.",
  "own:resend": "Sends an invitation of a member again. That of an admin or owner needs a proof.",
  "own:cancel": "The person can be invited again.",
} as const satisfies Record<string, string>;

const HARMLESS: typeof CORE & Joined<"harmless"> = { ...CORE, ...joined("harmless") };

/** The acts that need no proof, for the test that compares them with the code. */
export const HARMLESS_ACTS = Object.keys(HARMLESS);

/** Returns the act of inviting with a role, and of sending such an invitation again. */
export function actOfInvitation(role: OrganizationRole) {
  return role === "member" ? "own:invite" : (`own:invite-${role}` as const);
}

/** True when an act, or the use of a permission, holds only shortly after the user has proved who they are. */
export function needsProof(act: Act | string): boolean {
  return typeof act === "string" ? !Object.hasOwn(HARMLESS, act) : act.harmless === undefined;
}
