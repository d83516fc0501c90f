import { z } from "zod";
import { Email } from "../../../values/email.ts";
import { PersonName } from "../../../values/person-name.ts";
import { roleList } from "../../access/permissions.ts";
import { ROLES } from "../../access/role-names.ts";
import { BanReason } from "../../users/commands/input.ts";

const MAX_BAN_SECONDS = 5 * 366 * 86_400;

const Id = z.string().min(1).max(64);

/** One role or several, or a comma-separated list, as the database stores them. */
const RoleNames = z
  .union([z.string().transform((list) => list.split(",")), z.array(z.string()).min(1)])
  .pipe(z.array(z.string().trim().pipe(z.enum(ROLES))))
  .transform(roleList);

/** There are no passwords. */
const noPassword = z.undefined().optional();

export const OneUser = z.object({ userId: Id });
export const UserQuery = z.object({ id: Id });

export const NewUser = z.object({
  email: Email,
  name: PersonName,
  role: RoleNames.optional(),
  password: noPassword,
  data: z.strictObject({}).optional(),
});

/** The fields of the form. A ban has an endpoint of its own, with a reason; here its field is only refused. */
export const UserData = z.object({
  userId: Id,
  data: z
    .strictObject({
      name: PersonName.optional(),
      email: Email.optional(),
      role: RoleNames.optional(),
      banned: z.unknown().optional(),
    })
    .refine((data) => Object.keys(data).length > 0),
});

export const NewRoles = z.object({ userId: Id, role: RoleNames });

export const Ban = z.object({
  userId: Id,
  banReason: BanReason,
  banExpiresIn: z.number().int().min(1).max(MAX_BAN_SECONDS).optional(),
});

/** `reason` is ours: the screen asks for one, and the audit log keeps it. */
export const Impersonation = z.object({ userId: Id, reason: BanReason });

/** The id of a session, under the name that better-auth has for its token. */
export const OneSession = z.object({ sessionToken: z.string().min(1).max(128) });

const Permissions = z.record(z.string().max(100), z.array(z.string().max(100)).max(50));

/** As in better-auth, a client asks about its own user only. */
export const PermissionQuestion = z.object({ permissions: Permissions });
