import { z } from "zod";
import { Email } from "../../http/email.ts";
import { PersonName } from "../../http/person-name.ts";
import { roles } from "../access/permissions.ts";
import { BAN_PRESETS } from "./ban-presets.ts";
import { BAN_REASON_MAX_LENGTH } from "./limits.ts";

const Role = z.enum(Object.keys(roles) as [keyof typeof roles, ...(keyof typeof roles)[]]);

export const UserInput = z.object({ name: PersonName, email: Email, role: Role });

export type UserInput = z.infer<typeof UserInput>;

/** An update says which version it was made from, so that nobody overwrites what they have not seen. */
export const UserUpdate = UserInput.extend({ version: z.coerce.number().int() });

/** What the screen of one user posts. */
export const UserChange = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("ban"),
    reason: z
      .string()
      .transform((value) => value.toWellFormed().replaceAll("\r\n", "\n").trim())
      .refine((value) => value.length <= BAN_REASON_MAX_LENGTH)
      .optional()
      .transform((value) => value || null),
    duration: z.enum(BAN_PRESETS).catch("forever"),
  }),
  z.object({ intent: z.literal("unban") }),
  z.object({ intent: z.literal("delete") }),
  z.object({ intent: z.literal("revoke"), session: z.string().max(64) }),
  z.object({ intent: z.literal("revoke-all") }),
]);
