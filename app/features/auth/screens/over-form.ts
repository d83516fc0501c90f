import type { Countdowns } from "../codes/code-sent.ts";

/**
 * Search param of the screen that asks for a proof: a form waits below, so the answer is no
 * redirect.
 */
export const OVER_FORM = "over";

export type ProofState = {
  email: string;
  /** True when no proof is missing. */
  isProved: boolean;
  isPasskeyOnly: boolean;
  hasPasskey: boolean;
  countdowns: Countdowns | undefined;
};
