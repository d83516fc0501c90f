import type { Keys } from "../../../runtime/keys.server.ts";

/** The name limits know a mailbox by: a keyed hash, so that the tables hold no e-mail. */
export function mailboxOf(keys: Keys, email: string): Promise<string> {
  return keys.mac("mailbox", email.trim().toLowerCase());
}
