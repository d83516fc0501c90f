import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { Email } from "../../values/email.ts";
import { OwnName, PersonName } from "../../values/person-name.ts";

/** Search params of the account screen; unknown values count as absent. */
export const AccountSearch = z.object({
  state: z
    .enum(["", "change-name", "change-email", "add-passkey", "name-passkey", "rename-passkey"])
    .catch(""),
  passkey: z.string().max(64).catch(""),
  /** New e-mail of the change in progress. */
  newEmail: z.string().catch(""),
});

export type AccountSearch = z.infer<typeof AccountSearch>;

/** Reads `newEmail` from the URL; empty when it is not an e-mail. */
export function readNewEmail(newEmail: string): { newEmail: string; isIgnored: boolean } {
  const parsed = Email.safeParse(newEmail);
  return { newEmail: parsed.data ?? "", isIgnored: newEmail !== "" && !parsed.success };
}

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
