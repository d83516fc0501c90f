import { APIError } from "better-auth/api";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { invitation } from "../../../db/schema/schema.ts";
import { isWaiting } from "../../../db/waiting-invitation.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { findMailboxBan } from "./banned-mailbox.server.ts";
import { SIGN_IN_PATH } from "./code-guard.server.ts";
import { currentScope } from "./scope.server.ts";

type NewUser = { name: string; email: string; emailVerified: boolean };
type NewAccount = { userId: string; providerId: string };

/**
 * Who gets a code for an e-mail, and so may sign up with it: everyone, people with an account or a waiting invitation,
 * or only people with an account.
 */
export type SignUp = "anyone" | "invited" | "account";

type SignUpOptions = {
  db: Db;
  keys: Keys;
  signUpOf: (email: string) => SignUp;
};

/** better-auth's hooks for a new user and a new provider account. */
export function signUpHooks(options: SignUpOptions) {
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
          const scope = currentScope();
          const now = scope.request.now();
          const refused = await findRefusal(options, user, context?.path === SIGN_IN_PATH, now);
          if (refused) throw refused;
          scope.ban = await findMailboxBan(options, user.email, now);
          if (scope.ban) throw new APIError("FORBIDDEN", { code: "BANNED_USER" });
          scope.isSignUp = true;
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
async function findRefusal(
  { db, signUpOf }: SignUpOptions,
  { email, emailVerified }: NewUser,
  isByCode: boolean,
  now: Date,
): Promise<APIError | undefined> {
  if (!emailVerified) {
    return new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Not verified" });
  }
  const signUp = signUpOf(email);
  if (signUp === "anyone") return undefined;
  if (signUp === "invited" && (await isInvited(db, email, now))) return undefined;
  return isByCode
    ? new APIError("BAD_REQUEST", { code: "INVALID_OTP", message: "Invalid OTP" })
    : new APIError("FORBIDDEN", { code: "signup_disabled", message: "Sign-up is closed" });
}

async function isInvited(db: Db, email: string, now: Date): Promise<boolean> {
  const invitations = await db
    .select({ id: invitation.id })
    .from(invitation)
    .where(isWaiting(email, now))
    .limit(1);
  return invitations.length > 0;
}
