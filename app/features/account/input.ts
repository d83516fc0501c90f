import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { Email } from "../../values/email.ts";
import { OwnName, PersonName } from "../../values/person-name.ts";

/** The search params of the account screen: anything else is as good as none. */
export const AccountSearch = z.object({
  state: z.enum(["", "change-name", "add-passkey", "name-passkey", "rename-passkey"]).catch(""),
  /** The passkey that is named. */
  passkey: z.string().max(64).catch(""),
  /** The address whose change is under way. */
  newEmail: z.string().catch(""),
});

export type AccountSearch = z.infer<typeof AccountSearch>;

/** The address that the account's address names as the new one; empty for what is no e-mail, which is then ignored. */
export function readNewEmail(newEmail: string): { newEmail: string; isIgnored: boolean } {
  const parsed = Email.safeParse(newEmail);
  return { newEmail: parsed.data ?? "", isIgnored: newEmail !== "" && !parsed.success };
}

/** What the account screen posts. */
export const AccountForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("change-name"), name: PersonName }),
  z.object({
    intent: z.literal("rename-passkey"),
    passkey: hidden(z.string().max(64)),
    passkeyName: OwnName,
  }),
  z.object({ intent: z.literal("remove-passkey"), passkey: hidden(z.string().max(64)) }),
  z.object({ intent: z.literal("revoke"), session: hidden(z.string().max(64)) }),
  z.object({ intent: z.literal("revoke-others") }),
  z.object({ intent: z.literal("revoke-all") }),
  z.object({ intent: z.literal("link"), provider: hidden(z.string().max(50)) }),
  z.object({ intent: z.literal("unlink"), account: hidden(z.string().max(64)) }),
  z.object({ intent: z.literal("change-email"), email: Email }),
  z.object({ intent: z.literal("request-deletion") }),
]);

export type AccountForm = z.infer<typeof AccountForm>;
