import type { SignUpMode } from "./choices.ts";

/** The environment's rules of access. Managers' settings override them, except `ADMIN_EMAILS`. */
export type AccessEnvironment = {
  signUpMode: SignUpMode;
  terms: { url: string | undefined; version: string | undefined };
  adminEmails: readonly string[];
};
