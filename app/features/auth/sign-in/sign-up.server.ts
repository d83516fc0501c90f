import { APIError } from "better-auth/api";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { batchGuard } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { type Admission, isAdmittedBy, selectAdmission } from "./admission.server.ts";
import { findMailboxBan } from "./banned-mailbox.server.ts";
import { SIGN_IN_PATH } from "./code-guard.server.ts";
import { currentScope, type GatewayScope } from "./scope.server.ts";
import { keepBack } from "./sign-in-call.server.ts";

type NewUser = { name: string; email: string; emailVerified: boolean };
type NewAccount = { userId: string; providerId: string };

type SignUpOptions = { db: Db; keys: Keys; admissionOf: Admission };

/** better-auth encrypts the other two tokens; this one is not needed after it was verified. */
const WITHOUT_ID_TOKEN = { idToken: null };

/** better-auth's hooks for a new user and a new provider account. */
export function signUpHooks(options: SignUpOptions) {
  return {
    account: {
      create: {
        async before() {
          const email = currentScope().identity?.email.toLowerCase() ?? null;
          return { data: { ...WITHOUT_ID_TOKEN, email } };
        },
        async after({ userId, providerId }: NewAccount) {
          const scope = currentScope();
          if (!scope.isSignUp) scope.linked = { userId, provider: providerId };
        },
      },
      update: { before: async () => ({ data: WITHOUT_ID_TOKEN }) },
    },
    user: {
      create: {
        async before(user: NewUser, context: { path?: string } | null) {
          const scope = currentScope();
          const now = scope.request.now();
          const isByCode = context?.path === SIGN_IN_PATH;
          const refused = await findRefusal(options, scope, user, isByCode);
          if (refused) throw refused;
          scope.ban = await findMailboxBan(options, user.email, now);
          if (scope.ban) throw new APIError("FORBIDDEN", { code: "BANNED_USER" });
          scope.isSignUp = true;
          return { data: { lastSeenAt: now, searchKey: searchKey(user.name, user.email) } };
        },
      },
    },
  };
}

/**
 * Returns why no user is created: EMAIL_NOT_VERIFIED when a provider does not vouch for the e-mail, whether sign-up is
 * open or not. When the person may not come in: a wrong code after a code, so that nothing is revealed (decision 020), or
 * signup_disabled after a provider. The batch that writes the user asks again, because two sign-ups at once could make
 * two accounts for one mailbox.
 */
async function findRefusal(
  { db, admissionOf }: SignUpOptions,
  scope: GatewayScope,
  { email, emailVerified }: NewUser,
  isByCode: boolean,
): Promise<APIError | undefined> {
  if (!emailVerified) {
    return new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Not verified" });
  }
  const admission = admissionOf(email, scope.request.now());
  scope.isAdmitted ??= isAdmittedBy(await selectAdmission(db, admission));
  if (scope.isAdmitted) {
    const guard = sql`SELECT 'PROOF_SPENT' WHERE NOT ${admission}`;
    if (scope.signInCall) keepBack(scope.signInCall, db.insert(batchGuard).select(guard));
    return undefined;
  }
  return isByCode
    ? new APIError("BAD_REQUEST", { code: "INVALID_OTP", message: "Invalid OTP" })
    : new APIError("FORBIDDEN", { code: "signup_disabled", message: "Sign-up is closed" });
}
