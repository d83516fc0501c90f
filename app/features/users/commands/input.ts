import { z } from "zod";
import { hidden } from "../../../http/form-fields.ts";
import { ChosenIds } from "../../../lists/bulk/bulk-change.ts";
import { Email } from "../../../values/email.ts";
import { PersonName } from "../../../values/person-name.ts";
import { NeededReason, Reason } from "../../../values/reason.ts";
import { roleList } from "../../access/permissions.ts";
import { ROLES } from "../../access/role-names.ts";
import { MAX_UNCOUNTED, readCount } from "../list/bulk-count.ts";
import { BAN_DURATIONS, BAN_PRESETS, banDays } from "./ban-duration.ts";

/** One or more roles, from checkboxes; written as the database stores them. */
const RolesInput = z
  .array(z.enum(ROLES))
  .min(1, { error: "validation:role.required" })
  .transform(roleList);

export const UserInput = z.object({ name: PersonName, email: Email, role: RolesInput });

export type UserInput = z.infer<typeof UserInput>;

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const UserUpdate = UserInput.extend({ version: hidden(z.coerce.number().int()) });

/** Reason of a ban; null when none is given. */
export const BanReason = Reason.optional().transform((value) => value || null);

/** Schema of the forms on a user's screen; the manager's today limits the days of a ban. */
export function userChange(today: string) {
  const { first, last } = banDays(today);
  return z.discriminatedUnion("intent", [
    z
      .object({
        intent: z.literal("ban"),
        reason: BanReason,
        duration: z.enum(BAN_DURATIONS, { error: "validation:ban.duration" }),
        until: z.string().optional(),
      })
      // A chosen day counts only with the duration "date".
      .transform((ban) => ({
        ...ban,
        until: ban.duration === "date" ? (ban.until ?? "") : undefined,
      }))
      .refine(({ until }) => until !== "", {
        path: ["until"],
        error: "validation:ban.dateRequired",
      })
      .refine(({ until }) => !until || (isDay(until) && until >= first && until <= last), {
        path: ["until"],
        error: `validation:day.range?${new URLSearchParams({ first, last })}`,
      }),
    z.object({
      intent: z.literal("impersonate"),
      // Not `reason`, which the ban form on the same screen uses.
      impersonationReason: NeededReason,
    }),
    z.object({ intent: z.literal("unban") }),
    z.object({ intent: z.literal("delete") }),
    z.object({ intent: z.literal("revoke"), session: hidden(z.string().max(64)) }),
    z.object({ intent: z.literal("revoke-all") }),
    z.object({ intent: z.literal("invite") }),
    z.object({ intent: z.literal("remove-methods") }),
    z.object({ intent: z.literal("keep-methods"), question: hidden(z.string().max(64)) }),
    z.object({ intent: z.literal("allow-mail") }),
    z.object({ intent: z.literal("release-passkey") }),
  ]);
}

export type UserChange = z.infer<ReturnType<typeof userChange>>;

const chosen = { id: ChosenIds };

/** Form data of the user list's bulk actions: the changes of the user's own screen, for many users. */
export const UsersChange = z.discriminatedUnion("intent", [
  z.object({
    ...chosen,
    intent: z.literal("ban"),
    reason: BanReason,
    duration: z.enum(BAN_PRESETS).default("forever"),
  }),
  z.object({ ...chosen, intent: z.literal("unban") }),
  z
    .object({
      ...chosen,
      intent: z.literal("delete"),
      typedCount: z.string().max(20).optional(),
    })
    .superRefine(({ id, typedCount = "" }, context) => {
      if (id.length <= MAX_UNCOUNTED || readCount(typedCount) === id.length) return;
      const message = `users:bulk.typeCount?number=${id.length}`;
      context.addIssue({ code: "custom", path: ["typedCount"], message });
    }),
  z.object({ ...chosen, intent: z.literal("set-role"), role: RolesInput }),
  z.object({ ...chosen, intent: z.literal("invite") }),
]);

export type UsersChange = z.infer<typeof UsersChange>;

/** In the order of their buttons. */
export const BULK_INTENTS = [
  "ban",
  "unban",
  "set-role",
  "invite",
  "delete",
] as const satisfies readonly UsersChange["intent"][];

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}
