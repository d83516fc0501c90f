import { z } from "zod";
import { OwnName, PersonName } from "../../http/person-name.ts";

/** The search params of the account screen: anything else is as good as none. */
export const AccountSearch = z.object({
  state: z.enum(["", "change-name", "add-passkey", "name-passkey", "rename-passkey"]).catch(""),
  /** The passkey that is named. */
  passkey: z.string().max(64).catch(""),
});

/** What the account screen posts. */
export const AccountForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("change-name"), name: PersonName }),
  z.object({
    intent: z.literal("rename-passkey"),
    passkey: z.string().max(64),
    passkeyName: OwnName,
  }),
  z.object({ intent: z.literal("remove-passkey"), passkey: z.string().max(64) }),
  z.object({ intent: z.literal("revoke"), session: z.string().max(64) }),
  z.object({ intent: z.literal("revoke-others") }),
  z.object({ intent: z.literal("revoke-all") }),
  z.object({ intent: z.literal("link"), provider: z.string().max(50) }),
  z.object({ intent: z.literal("unlink"), account: z.string().max(64) }),
]);
