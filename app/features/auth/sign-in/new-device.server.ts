import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { hasMailRoom } from "../../../db/mail-criteria.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { MAIL_LIMITS } from "../../../values/rate-limits.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { mailboxOf } from "../mailbox.ts";
import { findTrustedDevice, trustDevice } from "../sessions/device.server.ts";
import { promotedRole } from "./first-admin.server.ts";
import { currentScope, type GatewayScope } from "./scope.server.ts";
import { keepBack } from "./sign-in-call.server.ts";
import { describeNews, newsExpiry } from "./sign-in-methods.server.ts";

/** Tells the auth gateway which user has signed in, by any method, because better-auth tells only its own hooks. */
export function signInWatch(adminEmails: string[]) {
  return {
    id: "gatehouse-sign-in-watch",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ context }) => {
            const scope = currentScope();
            const user = context.newSession?.user;
            if (!user || !scope.isSignIn) return;
            const role = String(user.role);
            const known = scope.signInCall?.people.get(user.id);
            scope.signedIn = {
              id: user.id,
              email: user.email,
              role: adminEmails.includes(user.email) ? promotedRole(role) : role,
              // The first verification of an e-mail asks for the name again.
              isOnboarded: Boolean(user.onboardedAt) && known?.emailVerified !== false,
              isInGracePeriod: Boolean(known?.deletionDueAt),
            };
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

type DevicesOptions = {
  keys: Keys;
  mailer: Pick<Mailer, "prepare">;
  baseUrl: string;
  isSecure: boolean;
};

/** Trusted devices: browsers that have signed in to a mailbox. */
export function createDevices({ keys, mailer, baseUrl, isSecure }: DevicesOptions) {
  /**
   * Returns the Set-Cookie value that makes the browser of a user who has just signed in a trusted device; undefined
   * without a sign-in.
   */
  async function trust({ signedIn, deviceCookie }: GatewayScope): Promise<string | undefined> {
    if (!signedIn) return undefined;
    const mailbox = await mailboxOf(keys, signedIn.email);
    return trustDevice({ keys, isSecure }, deviceCookie, mailbox);
  }

  /**
   * Mails a user who has just signed in with a browser that is no trusted device; a first sign-in is not mailed. The mail
   * is written in the batch of the sign-in. A mail that cannot be written is logged and keeps no one out.
   */
  async function tell(
    { info, language }: { info: RequestInfo; language: Language },
    { signedIn, deviceCookie, signInCall }: GatewayScope,
  ): Promise<void> {
    if (!signedIn || !signInCall) return;
    if (await findTrustedDevice(keys, deviceCookie, signedIn.email)) return;
    const now = info.now();
    const news = describeNews(info, signedIn.role, baseUrl);
    const mail = {
      recipient: signedIn.email,
      language,
      expiresAt: newsExpiry(now),
      message: { kind: "new-device", ...news },
    } as const;
    const hasRoom = hasMailRoom(MAIL_LIMITS.newDeviceMails, "new-device", signedIn.email, now);
    const { statement, send } = await mailer.prepare(mail, now, "returning", hasRoom);
    const deliver = (rows: Awaited<typeof statement>) => info.afterAnswer(() => send(rows));
    const giveUp = (error: unknown) =>
      log("error", "mail.not_queued", { request: info.id, ...describeError(error) });
    keepBack(signInCall, statement, deliver, giveUp);
  }

  return { trust, tell };
}
