import { type Act, actsOf, ownActs } from "../access/act.ts";
import type { Permission } from "../access/permissions.ts";
import type { OrganizationRole } from "../access/role-names.ts";

const UPDATE: Permission = ["organization", "update"];
const DELETE: Permission = ["organization", "delete"];

/** What managers do with an organization on its screen. */
export const OFFICE_ACTS = actsOf("organization", {
  rename: {
    permission: UPDATE,
    harmless: "Is recorded with what was there before, and can be changed back.",
  },
  "add-member": { permission: UPDATE },
  "set-role": { permission: UPDATE },
  "remove-member": { permission: UPDATE },
  "restore-member": { permission: UPDATE },
  transfer: { permission: UPDATE },
  disable: { permission: UPDATE },
  enable: { permission: UPDATE },
  delete: { permission: DELETE },
  restore: { permission: DELETE },
});

/** What people do with organizations that they are members of, or invited into. */
export const OWN_ACTS = ownActs({
  create: { harmless: "An empty organization, which its owner can delete." },
  activate: { harmless: "Changes what one's own screens show." },
  answer: {
    harmless:
      "One's own membership, by one's own decision. It gives no rights over anybody else without a proof.",
  },
  save: { harmless: "Is recorded with what was there before, and can be changed back." },
  logo: { harmless: "A picture, which can be changed back." },
  leave: {},
  delete: {},
  restore: { harmless: "Takes back a deletion." },
  invite: { harmless: "A member. Members change nobody's rights, and can be removed again." },
  "invite-admin": {},
  "invite-owner": {},
  resend: {
    harmless: "Sends an invitation of a member again. That of an admin or owner needs a proof.",
  },
  "resend-all": {
    harmless:
      "The same for all that wait. Those of admins and owners are left out without a proof.",
  },
  cancel: { harmless: "The person can be invited again." },
  // The link outlives the session, and anyone who has it can join.
  "create-link": {},
  "revoke-link": { harmless: "Another link can be made." },
  "set-role": {},
  remove: {},
  "restore-member": {},
  transfer: {},
});

/** Returns the act of inviting with a role, and of sending such an invitation again. */
export function actOfInvitation(role: OrganizationRole): Act {
  return role === "member" ? OWN_ACTS.invite : OWN_ACTS[`invite-${role}`];
}
