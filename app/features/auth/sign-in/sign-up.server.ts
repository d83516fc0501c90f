import { APIError, getOAuthState } from "better-auth/api";
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { passkey } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { type Admission, isAdmittedBy, selectAdmission } from "./admission.server.ts";
import { findMailboxBan } from "./banned-mailbox.server.ts";
import { SIGN_IN_PATH } from "./code-guard.server.ts";
import { currentScope, type GatewayScope } from "./scope.server.ts";

type NewUser = { name: string; email: string; emailVerified: boolean };
type NewAccount = { userId: string; providerId: string; accountId: string };

type SignUpOptions = { db: Db; keys: Keys; admissionOf: Admission };

/** better-auth encrypts the other two tokens; this one is not needed after it was verified. */
const WITHOUT_ID_TOKEN = { idToken: null };

/** better-auth's hooks for a new user and a new provider account. */
export function signUpHooks(options: SignUpOptions) {
  return {
    account: {
      create: {
        async before({ userId, providerId, accountId }: NewAccount) {
          const { noted } = currentScope();
          const isLinking = (await getOAuthState())?.link !== undefined;
          if (!noted.isSignUp && !isLinking) await refuseBesidePasskey(options.db, userId);
          if (!noted.isSignUp) noted.linking = { userId, providerId, accountId };
          const email = noted.identity?.email.toLowerCase() ?? null;
          return { data: { ...WITHOUT_ID_TOKEN, email } };
        },
      },
      update: { before: async () => ({ data: WITHOUT_ID_TOKEN }) },
    },
    user: {
      create: {
        async before(user: NewUser, context: { path?: string } | null) {
          const { noted, request } = currentScope();
          const now = request.now();
          const isByCode = context?.path === SIGN_IN_PATH;
          const refused = await findRefusal(options, noted, user, isByCode, now);
          if (refused) throw refused;
          noted.ban = await findMailboxBan(options, user.email, now, noted.mailboxBans);
          if (noted.ban) throw new APIError("FORBIDDEN", { code: "BANNED_USER" });
          noted.isSignUp = true;
          return { data: { lastSeenAt: now, searchKey: searchKey(user.name, user.email) } };
        },
      },
    },
  };
}

/**
 * Refuses a sign-in that would link a provider account to a user with a passkey: they link it on the account screen, in a
 * session that the passkey has proven.
 */
async function refuseBesidePasskey(db: Db, userId: string): Promise<void> {
  const [held] = await db
    .select({ id: passkey.id })
    .from(passkey)
    .where(eq(passkey.userId, userId))
    .limit(1);
  if (held) throw new APIError("FORBIDDEN", { code: "PASSKEY_REQUIRED" });
}

/**
 * Returns why no user is created: EMAIL_NOT_VERIFIED when a provider does not vouch for the e-mail, whether sign-up is
 * open or not. When the person may not come in: a wrong code after a code, so that nothing is revealed (decision 020), or
 * signup_disabled after a provider.
 */
async function findRefusal(
  { db, admissionOf }: SignUpOptions,
  noted: GatewayScope["noted"],
  { email, emailVerified }: NewUser,
  isByCode: boolean,
  now: Date,
): Promise<APIError | undefined> {
  if (!emailVerified) {
    return new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Not verified" });
  }
  noted.isAdmitted ??= isAdmittedBy(await selectAdmission(db, admissionOf(email, now)));
  if (noted.isAdmitted) return undefined;
  return isByCode
    ? new APIError("BAD_REQUEST", { code: "INVALID_OTP", message: "Invalid OTP" })
    : new APIError("FORBIDDEN", { code: "signup_disabled", message: "Sign-up is closed" });
}
