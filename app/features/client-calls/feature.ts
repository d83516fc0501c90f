import type { FeatureFacts } from "../../feature.ts";

/** The calls of better-auth's client beside sign-in, for apps: account, passkeys, organizations and administration. */
export const clientCalls = { name: "client-calls" } as const satisfies FeatureFacts;
