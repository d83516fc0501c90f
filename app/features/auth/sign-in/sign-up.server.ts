import { APIError, getOAuthState } from "better-auth/api";
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { searchKey } from "../../../db/fold.ts";
import { passkey } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { keepMailboxBan } from "./banned-mailbox.server.ts";
import { currentScope, type ProviderReturn } from "./scope.server.ts";

type NewUser = { name: string; email: string; emailVerified: boolean };
type NewAccount = { userId: string; providerId: string; accountId: string };

type SignUpOptions = { db: Db; keys: Keys };

/** better-auth encrypts the other two tokens; this one is not needed after it was verified. */
const WITHOUT_ID_TOKEN = { idToken: null };

/** better-auth's hooks for a new user and a new provider account. */
export function signUpHooks(options: SignUpOptions) {
  return {
    account: {
      create: {
        async before({ userId, providerId, accountId }: NewAccount) {
          const { subject } = currentScope();
          if (subject.type !== "provider")
            throw new Error("An account was made without its provider");
          if (!subject.isNew) {
            const isLinking = (await getOAuthState())?.link !== undefined;
            if (!isLinking) await refuseBesidePasskey(options.db, userId);
            subject.linking = { userId, providerId, accountId };
          }
          const email = subject.identity?.email.toLowerCase() ?? null;
          return { data: { ...WITHOUT_ID_TOKEN, email } };
        },
      },
      update: { before: async () => ({ data: WITHOUT_ID_TOKEN }) },
    },
    user: {
      create: {
        async before(user: NewUser) {
          const { subject, request } = currentScope();
          if (subject.type !== "code-entry" && subject.type !== "provider") {
            throw new Error("A user was made outside a call that signs up");
          }
          // `signInByCode` has asked the same before.
          if (subject.type === "provider") await refuseSignUp(options, subject, user);
          subject.isNew = true;
          const { entryLink } = subject.type === "provider" ? (subject.admission ?? {}) : subject;
          return {
            data: {
              lastSeenAt: request.now(),
              searchKey: searchKey(user.name, user.email),
              ...(entryLink && { entryLink }),
            },
          };
        },
      },
    },
  };
}

/**
 * Refuses a sign-in that would link a provider account to a user with a passkey: they link it on
 * the account screen, in a session that the passkey has proven.
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
 * Refuses to create a user: EMAIL_NOT_VERIFIED when a provider does not vouch for the e-mail,
 * whether sign-up is open or not; signup_disabled when the person may not come in; BANNED_USER when
 * an erased account has left a ban.
 */
async function refuseSignUp(
  options: SignUpOptions,
  subject: ProviderReturn,
  { email, emailVerified }: NewUser,
): Promise<void> {
  const { admission } = subject;
  if (!emailVerified) {
    throw new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message: "Not verified" });
  }
  if (!admission?.isAdmitted) {
    throw new APIError("FORBIDDEN", { code: "signup_disabled", message: "Sign-up is closed" });
  }
  subject.ban = await keepMailboxBan(options, email, admission.mailboxBans);
  if (!subject.ban) return;
  subject.bannedEmail = email;
  throw new APIError("FORBIDDEN", { code: "BANNED_USER" });
}
