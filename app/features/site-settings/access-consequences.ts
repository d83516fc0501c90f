/** A consequence counts up to this number of people. */
export const MOST_COUNTED = 1_000;

/** What a save of the access settings ends or asks for, and for how many. */
export type Consequence = {
  kind: "invitations" | "admitted" | "terms" | "termsAndYou";
  count: number;
};

/** Returns what a manager agrees to who saves after they have read some consequences. */
export function agreementTo(consequences: readonly Consequence[]): string {
  return consequences.map(({ kind }) => kind).join(" ");
}

/** True when a manager has read of each consequence. Its number may have changed since. */
export function isAgreed(consequences: readonly Consequence[], agreed: string): boolean {
  const kinds = agreed.split(" ");
  return consequences.every(({ kind }) => kinds.includes(kind));
}
