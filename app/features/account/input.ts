import { z } from "zod";
import { PersonName } from "../../http/person-name.ts";

/** The search params of the account screen: anything else is as good as none. */
export const AccountSearch = z.object({
  state: z.enum(["", "change-name"]).catch(""),
});

/** What the account screen posts. */
export const AccountForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("change-name"), name: PersonName }),
  z.object({ intent: z.literal("revoke"), session: z.string().max(64) }),
  z.object({ intent: z.literal("revoke-others") }),
  z.object({ intent: z.literal("revoke-all") }),
  z.object({ intent: z.literal("link"), provider: z.string().max(50) }),
  z.object({ intent: z.literal("unlink"), account: z.string().max(64) }),
]);
