import { z } from "zod";
import { Email } from "../../../values/email.ts";
import { OwnName } from "../../../values/person-name.ts";
import { ORGANIZATION_ROLES } from "../../access/role-names.ts";
import { Id, InOrganization, optionalId } from "../../organizations/api/in-organization.server.ts";
import { Slug } from "../../organizations/input.ts";
import { OPERATORS } from "./member-filter.server.ts";

const MAX_LIMIT = 100;
const MAX_METADATA_LENGTH = 4_096;

export const Nothing = z.unknown().transform(() => ({}));

const organizationSlug = z.string().max(100).optional();

export const OneOrganization = z.object({ organizationId: Id });

const Metadata = z
  .record(z.string(), z.unknown())
  .transform((value) => JSON.stringify(value))
  .pipe(z.string().max(MAX_METADATA_LENGTH));

/** A logo is uploaded at its screen, so none can be given here. Clients' forms send an empty text for "none". */
const noLogo = z
  .union([z.null(), z.literal("")])
  .transform(() => null)
  .optional();

export const NewOrganization = z.object({
  name: OwnName,
  slug: Slug,
  logo: noLogo,
  metadata: Metadata.optional(),
  keepCurrentActiveOrganization: z.boolean().optional(),
});

export const AnySlug = z.object({ slug: z.string().max(200) });

export const OrganizationUpdate = InOrganization.extend({
  data: z.object({
    name: OwnName.optional(),
    slug: Slug.optional(),
    logo: noLogo,
    metadata: Metadata.optional(),
  }),
});

export const ActiveOrganization = z.object({
  organizationId: optionalId.nullable(),
  organizationSlug,
});

/** A number in a query. */
const whole = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const limit = whole
  .transform((value) => Math.min(value || MAX_LIMIT, MAX_LIMIT))
  .default(MAX_LIMIT);

export const AnyOrganization = InOrganization.extend({ organizationSlug });
export const FullOrganization = AnyOrganization.extend({ membersLimit: limit });

const Permissions = z.record(z.string().max(100), z.array(z.string().max(100)).max(50));

export const PermissionQuestion = InOrganization.extend({
  permissions: Permissions.optional(),
  permission: Permissions.optional(),
}).refine(({ permissions, permission }) => Boolean(permissions) !== Boolean(permission));

/** A member has one role. The plugin also takes lists, so a list of one is read too. */
const role = z
  .union([
    z.string(),
    z
      .array(z.string())
      .length(1)
      .transform(([only]) => only),
  ])
  .pipe(z.enum(ORGANIZATION_ROLES));

export const NewInvitation = InOrganization.extend({
  email: Email,
  role,
  resend: z.boolean().optional(),
  // An invitation leads into one team.
  teamId: z
    .union([
      optionalId,
      z
        .array(Id)
        .max(1)
        .transform(([only]) => only),
    ])
    .transform((id) => id || undefined),
});

export const OneInvitation = z.object({ invitationId: Id });
export const InvitationQuery = z.object({ id: Id });
/** As in the plugin, a client cannot ask for another e-mail. */
export const OwnInvitations = z.object({ email: z.undefined().optional() });

export const MemberRemoval = InOrganization.extend({ memberIdOrEmail: z.string().min(1).max(254) });
export const NewRole = InOrganization.extend({ memberId: Id, role });

const MemberField = z.enum(["id", "userId", "organizationId", "role", "createdAt"]);

export const MemberList = InOrganization.extend({
  organizationSlug,
  limit,
  offset: whole.default(0),
  sortBy: MemberField.default("createdAt"),
  sortDirection: z.enum(["asc", "desc"]).default("asc"),
  filterField: MemberField.optional(),
  filterOperator: z.enum(OPERATORS).default("eq"),
  filterValue: z
    .union([z.string().transform((value) => [value]), z.array(z.string()).max(MAX_LIMIT)])
    .default([]),
});

export const RoleQuestion = InOrganization.extend({ organizationSlug, userId: optionalId });
