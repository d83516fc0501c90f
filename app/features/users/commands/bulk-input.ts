import { z } from "zod";
import { ChosenIds } from "../../../lists/bulk/bulk-change.ts";
import { MAX_UNCOUNTED, readCount } from "../list/bulk-count.ts";
import { BAN_PRESETS } from "./ban-duration.ts";
import { BanReason, RolesInput } from "./input.ts";

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
]);

export type UsersChange = z.infer<typeof UsersChange>;

/** In the order of their buttons. */
export const BULK_INTENTS = [
  "ban",
  "unban",
  "set-role",
  "delete",
] as const satisfies readonly UsersChange["intent"][];
