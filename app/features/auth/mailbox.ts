import type { Keys } from "../../runtime/keys.server.ts";

/** Returns the keyed hash by which limits identify a mailbox, so that their tables contain no e-mail. */
export function mailboxOf(keys: Keys, email: string): Promise<string> {
  return keys.mac("mailbox", email.trim().toLowerCase());
}

/** Returns every hash that rows may have for a mailbox: with the current secret first, then with earlier ones. */
export function allMailboxesOf(keys: Keys, email: string): Promise<string[]> {
  return Promise.all([keys, ...keys.previous].map((each) => mailboxOf(each, email)));
}
