import type { SignUpMode } from "./choices.ts";

/** What the environment says about who comes in. Managers' settings hold before it, but for `ADMIN_EMAILS`. */
export type AccessEnvironment = {
  signUpMode: SignUpMode;
  terms: { url: string | undefined; version: string | undefined };
  adminEmails: readonly string[];
};
