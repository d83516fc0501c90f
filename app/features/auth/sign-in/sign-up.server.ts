import { APIError } from "better-auth/api";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { findMailboxBan } from "./banned-mailbox.server.ts";
import { SIGN_IN_PATH } from "./code-guard.server.ts";
import { currentScope } from "./scope.server.ts";

type NewUser = { name: string; email: string; emailVerified: boolean };
type NewAccount = { userId: string; providerId: string };

type SignUpOptions = {
  db: Db;
  keys: Keys;
  /** True when an e-mail without an account may sign up. */
  canSignUp: (email: string) => boolean;
};

/** better-auth's hooks for a new user and a new provider account. */
export function signUpHooks({ db, keys, canSignUp }: SignUpOptions) {
  // better-auth encrypts the other two tokens; this one is not needed after it was verified.
  const dropIdToken = async () => ({ data: { idToken: null } });
  return {
    account: {
      create: {
        before: dropIdToken,
        async after({ userId, providerId }: NewAccount) {
          const scope = currentScope();
          if (!scope.isSignUp) scope.linked = { userId, provider: providerId };
        },
      },
      update: { before: dropIdToken },
    },
    user: {
      create: {
        async before(user: NewUser, context: { path?: string } | null) {
          const refused = refusalOf(user, context?.path === SIGN_IN_PATH, canSignUp);
          if (refused) throw refused;
          const scope = currentScope();
          scope.ban = await findMailboxBan({ db, keys }, user.email, scope.request.now());
          if (scope.ban) throw new APIError("FORBIDDEN", { code: "BANNED_USER" });
          scope.isSignUp = true;
          const now = scope.request.now();
          const seen = { firstSeenAt: now, lastSeenAt: now };
          return { data: { ...seen, searchKey: searchKey(user.name, user.email) } };
        },
      },
    },
  };
}

/**
 * Returns why no user is created: EMAIL_NOT_VERIFIED when a provider does not vouch for the e-mail, whether sign-up is
 * open or not. When sign-up is closed: a wrong code after a code, so that nothing is revealed (decision 020), or
 * signup_disabled after a provider.
 */
function refusalOf(
  { email, emailVerified }: NewUser,
  isByCode: boolean,
  canSignUp: SignUpOptions["canSignUp"],
): APIError | undefined {
  if (!emailVerified) {
    return new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Not verified" });
  }
  if (canSignUp(email)) return undefined;
  return isByCode
    ? new APIError("BAD_REQUEST", { code: "INVALID_OTP", message: "Invalid OTP" })
    : new APIError("FORBIDDEN", { code: "signup_disabled", message: "Sign-up is closed" });
}
