import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import type { user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeNews, newsExpiry } from "../../audit/occasion.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { mailboxOf } from "../mailbox.ts";
import { findTrustedSince, trustDevice } from "../sessions/device.server.ts";
import { promotedRole } from "./first-admin.server.ts";
import { currentScope, type GatewayScope, type SignedIn } from "./scope.server.ts";

/**
 * Tells the auth gateway who has signed in by a provider or a passkey, because better-auth tells
 * only its own hooks.
 */
export function signInWatch(adminEmails: string[]) {
  return {
    id: "gatehouse-sign-in-watch",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ context }) => {
            const { subject } = currentScope();
            const user = context.newSession?.user;
            if (!("signedIn" in subject) || !user) return;
            const known = subject.people.find(({ id }) => id === user.id);
            subject.signedIn = signedInOf(user, known, adminEmails);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** A user as better-auth returns it, which knows no types of our columns. */
type SessionUser = { id: string; email: string; role?: unknown; onboardedAt?: unknown };

/** Describes a user who has signed in. `known` is the row before the sign-in; undefined for a new user. */
export function signedInOf(
  { id, email, role: before, onboardedAt }: SessionUser,
  known: typeof user.$inferSelect | undefined,
  adminEmails: string[],
): SignedIn {
  const roleBefore = String(before);
  const role = adminEmails.includes(email) ? promotedRole(roleBefore) : roleBefore;
  return {
    id,
    email,
    role,
    roleBefore,
    isPromoted: role !== roleBefore,
    // The first verification of an e-mail asks for the name again.
    isOnboarded: Boolean(onboardedAt) && known?.emailVerified !== false,
    isInGracePeriod: Boolean(known?.deletionDueAt),
    devicesSince: known?.devicesSince ?? null,
  };
}

type DevicesOptions = {
  keys: Keys;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  isSecure: boolean;
};

/** Trusted devices: browsers that have signed in to a mailbox. */
export function createDevices({ keys, mailer, baseUrl, isSecure }: DevicesOptions) {
  /** Returns the Set-Cookie value that makes the browser of a user who has just signed in a trusted device. */
  async function trust(
    { deviceCookie, request }: GatewayScope,
    signedIn: SignedIn,
  ): Promise<string> {
    const mailbox = await mailboxOf(keys, signedIn.email);
    return trustDevice({ keys, isSecure }, deviceCookie, mailbox, request.now());
  }

  /**
   * Prepares the mail to a user who has just signed in with a browser that is no trusted device;
   * undefined for a trusted one. A first sign-in is not mailed: the statement then writes nothing.
   */
  async function prepareNews(
    { request, language, deviceCookie }: GatewayScope,
    signedIn: SignedIn,
  ) {
    const { devicesSince } = signedIn;
    const since = await findTrustedSince(keys, deviceCookie, signedIn.email);
    if (since && !(devicesSince && devicesSince > since)) return undefined;
    const now = request.now();
    const mail = {
      recipient: signedIn.email,
      language,
      expiresAt: newsExpiry(now),
      message: { kind: "new-device", ...describeNews(request, signedIn.role, baseUrl) },
    } as const;
    return mailer.prepare(mail, now, "returning");
  }

  return { trust, prepareNews };
}
