import { z } from "zod";
import { ChosenIds } from "../../lists/bulk-change.ts";
import { BAN_PRESETS } from "./ban-duration.ts";
import { BanReason, UserInput } from "./input.ts";

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
  z.object({ ...chosen, intent: z.literal("delete") }),
  z.object({ ...chosen, intent: z.literal("set-role"), role: UserInput.shape.role }),
]);

export type UsersChange = z.infer<typeof UsersChange>;

/** In the order of their buttons. */
export const BULK_INTENTS = [
  "ban",
  "unban",
  "set-role",
  "delete",
] as const satisfies readonly UsersChange["intent"][];
