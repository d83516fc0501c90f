import type { FeatureFacts } from "../../feature.ts";

/** E-mails of people who would like an account while sign-up is not open, and what managers decide about them. */
export const waitingList = {
  name: "waiting-list",
} as const satisfies FeatureFacts;
