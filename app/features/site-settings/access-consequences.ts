/** A consequence counts up to this number of people. */
export const MOST_COUNTED = 1_000;

/** A consequence of saving the access settings, and for how many people. */
export type Consequence = {
  kind: "invitations" | "admitted" | "terms" | "termsAndYou";
  count: number;
};

/** Returns the names of the consequences that a manager has read and agrees to. */
export function agreementTo(consequences: readonly Consequence[]): string {
  return consequences.map(({ kind }) => kind).join(" ");
}

/** True when the manager has agreed to each consequence. The numbers may have changed since. */
export function isAgreed(consequences: readonly Consequence[], agreed: string): boolean {
  const kinds = agreed.split(" ");
  return consequences.every(({ kind }) => kinds.includes(kind));
}
