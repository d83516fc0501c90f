import type { BetterAuthOptions } from "better-auth";
import type { Keys } from "../../../runtime/keys.server.ts";

// A code is spent in our own table (decision 060), and better-auth finds a value in its place. better-auth looks for a row of
// its model `verification` whose identifier begins with `sign-in-otp-`, compares the hash of the entered value with it, and
// deletes it. The three parts here agree on that row; it is never in the database.

/** Identifier under which better-auth looks for a code. */
const SPENT_CODE = "spent-code";

/** How long better-auth may take to read what stands for a spent code. */
const SPENT_CODE_MS = 60_000;

/** Where the row of a spent code is found: `take(rows, "verification", SPENT_CODE_VALUES, [row])`. */
export const SPENT_CODE_VALUES = { identifier: SPENT_CODE };

/** better-auth's setting that gives every code the identifier of the spent one. */
export const storeIdentifier = {
  default: "plain",
  overrides: { "sign-in-otp-": { hash: async () => SPENT_CODE } },
} satisfies NonNullable<BetterAuthOptions["verification"]>["storeIdentifier"];

/** Returns how better-auth hashes an entered value before it compares it. */
export function storeSpentCode(keys: Keys) {
  return { hash: (value: string) => keys.mac("code", value) };
}

/** Returns a value that stands for a spent code, and the row in which better-auth finds it. */
export async function newSpentCode(keys: Keys, now: Date) {
  const otp = crypto.randomUUID();
  const row = {
    id: crypto.randomUUID(),
    identifier: SPENT_CODE,
    // better-auth keeps the number of wrong tries behind the hash.
    value: `${await storeSpentCode(keys).hash(otp)}:0`,
    expiresAt: new Date(now.getTime() + SPENT_CODE_MS),
    createdAt: now,
    updatedAt: now,
  };
  return { otp, row };
}
