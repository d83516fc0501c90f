import { z } from "zod";
import { hidden } from "../../../http/form-fields.ts";
import { Email } from "../../../values/email.ts";
import { OwnName } from "../../../values/person-name.ts";
import { NeededReason } from "../../../values/reason.ts";
import { ORGANIZATION_ROLES } from "../../access/role-names.ts";
import { Id, OrganizationInput, Slug } from "../input.ts";

const Role = z.enum(ORGANIZATION_ROLES, {
  error: ({ input }) => (input === undefined ? "validation:role.required" : "codes:ROLE_NOT_FOUND"),
});

// The forms of an organization's screen in the back-office. They are on one page, so each visible
// field has a name of its own.

export const Rename = OrganizationInput.extend({
  intent: z.literal("rename"),
  version: hidden(z.coerce.number().int()),
});

export const AddMember = z.object({ intent: z.literal("add-member"), email: Email, role: Role });

export const SetMemberRole = z.object({
  intent: z.literal("set-role"),
  member: Id,
  newRole: Role,
});

export const Disable = z.object({ intent: z.literal("disable"), reason: NeededReason });

export const Delete = z.object({
  intent: z.literal("delete"),
  typedName: z.string().max(200).default(""),
});

/** A form that sends which member it is about. */
export function ofMember<Intent extends string>(intent: Intent) {
  return z.object({ intent: z.literal(intent), member: Id });
}

/** A form that sends nothing but its intent. */
export function bare<Intent extends string>(intent: Intent) {
  return z.object({ intent: z.literal(intent) });
}

/** Form of a new organization on behalf of a user. An empty slug is proposed from the name. */
export const OrganizationForUser = z.object({
  name: OwnName,
  slug: Slug.optional(),
  ownerEmail: Email,
});

export type OrganizationForUser = z.infer<typeof OrganizationForUser>;
