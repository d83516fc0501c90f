import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import type { RequestInfo } from "../../http/request-context.ts";
import type { Language } from "../../i18n/languages.ts";
import type { Keys } from "../../keys.server.ts";
import { describeError, log } from "../../log.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { mailboxOf } from "./code-guard.server.ts";
import { findTrustedDevice, trustDevice } from "./device.server.ts";
import { currentScope, type DoorScope } from "./scope.server.ts";
import { describeOccasion, newsExpiry } from "./sign-in-methods.server.ts";

/** Tells the door who has signed in, whichever way: better-auth names them only to its own hooks. */
export function signInWatch() {
  return {
    id: "gatehouse-sign-in-watch",
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ context }) => {
            const scope = currentScope();
            const user = context.newSession?.user;
            if (user && scope.isSignIn) {
              scope.signedIn = { id: user.id, email: user.email, role: String(user.role) };
            }
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

type DevicesOptions = {
  keys: Keys;
  mailer: Pick<Mailer, "queue">;
  baseUrl: string;
  isSecure: boolean;
};

/** The browsers that have signed in to a mailbox. */
export function createDevices({ keys, mailer, baseUrl, isSecure }: DevicesOptions) {
  /**
   * Remembers the browser of who has just signed in, and mails them when it was not seen before. Answers the device
   * cookie's Set-Cookie value; undefined when nobody signed in.
   */
  async function remember(
    call: { info: RequestInfo; language: Language },
    { signedIn, deviceCookie }: Pick<Partial<DoorScope>, "signedIn" | "deviceCookie">,
  ): Promise<string | undefined> {
    if (!signedIn) return undefined;
    const mailbox = await mailboxOf(keys, signedIn.email);
    if (!(await findTrustedDevice(keys, deviceCookie, mailbox))) await tell(call, signedIn);
    return trustDevice({ keys, isSecure }, deviceCookie, mailbox);
  }

  /** Who signs in for the first time knows. A mail that cannot be written keeps nobody out. */
  async function tell(
    { info, language }: { info: RequestInfo; language: Language },
    { email, role }: { email: string; role: string },
  ): Promise<void> {
    const now = info.now();
    const occasion = describeOccasion({ info, language }, role, baseUrl);
    try {
      const send = await mailer.queue(
        {
          recipient: email,
          language,
          expiresAt: newsExpiry(now),
          message: { kind: "new-device", ...occasion },
        },
        now,
        "returning",
      );
      info.afterAnswer(send);
    } catch (error) {
      log("error", "mail.not_queued", { request: info.id, ...describeError(error) });
    }
  }

  return { remember };
}
