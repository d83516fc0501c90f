import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import type { Db } from "../../db/db.server.ts";
import type { Keys } from "../../keys.server.ts";
import {
  endFailures,
  isMailboxStopped,
  recordFailure,
  reportSiteBudget,
  takeCode,
} from "./code-limits.server.ts";
import { findTrustedDevice } from "./device.server.ts";
import { currentScope } from "./scope.server.ts";

export const SEND_CODE_PATH = "/email-otp/send-verification-otp";
export const SIGN_IN_PATH = "/sign-in/email-otp";

/** Answers of better-auth to a code that is not the right one. */
const WRONG_CODE = ["INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"];

type GuardOptions = { db: Db; keys: Keys; isCaptchaRequired: boolean; codeMailsPerHour: number };

/**
 * Limits by mailbox. better-auth limits by client address alone, and each resend gives three new tries, so 20
 * resends from 20 addresses would be 60 guesses. As a plugin it stands behind every way to the endpoints, and behind
 * better-auth's own limits and captcha: who fails those uses up nobody's budget.
 */
export function codeGuard({ db, keys, isCaptchaRequired, codeMailsPerHour }: GuardOptions) {
  async function readMailbox(body: { email: string }) {
    const mailbox = await mailboxOf(keys, body.email);
    const trustedDevice = await findTrustedDevice(keys, currentScope().deviceCookie, mailbox);
    return { mailbox, trustedDevice };
  }

  return {
    id: "gatehouse-code-guard",
    hooks: {
      before: [
        {
          matcher: (context) => context.path === SEND_CODE_PATH,
          handler: createAuthMiddleware(async (context) => {
            const { now: clock, afterAnswer } = currentScope().request;
            const now = clock();
            const request = await readMailbox(context.body);
            const permit = await takeCode(
              db,
              { ...request, isCaptchaSolved: isCaptchaRequired, siteBudget: codeMailsPerHour },
              now,
            );
            if (!permit.allowed) {
              throw new APIError(
                "TOO_MANY_REQUESTS",
                { code: "TOO_MANY_CODES", message: "Too many codes" },
                { "Retry-After": String(permit.retryAfterSeconds) },
              );
            }
            if (permit.isOverSiteBudget) {
              afterAnswer(() => reportSiteBudget(db, codeMailsPerHour, now));
            }
            if (isCaptchaRequired) await endFailures(db, request.mailbox, "captcha", now);
          }),
        },
        {
          matcher: (context) => context.path === SIGN_IN_PATH,
          handler: createAuthMiddleware(async (context) => {
            const now = currentScope().request.now();
            const { mailbox, trustedDevice } = await readMailbox(context.body);
            if (!trustedDevice && (await isMailboxStopped(db, mailbox, now))) {
              throw new APIError("TOO_MANY_REQUESTS", {
                code: "MAILBOX_STOPPED",
                message: "Sign-in for this mailbox is paused",
              });
            }
          }),
        },
      ],
      after: [
        {
          matcher: (context) => context.path === SIGN_IN_PATH,
          handler: createAuthMiddleware(async (context) => {
            const now = currentScope().request.now();
            const mailbox = await mailboxOf(keys, context.body.email);
            const { returned } = context.context;
            if (!isAPIError(returned)) {
              await endFailures(db, mailbox, "succeeded", now);
            } else if (WRONG_CODE.includes(String(returned.body?.code))) {
              const identifier = `sign-in-otp-${context.body.email.toLowerCase()}`;
              currentScope().wrongTries = await recordFailure(db, mailbox, now, identifier);
            }
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** The name limits know a mailbox by: a keyed hash, so that the tables hold no address. */
export function mailboxOf(keys: Keys, email: string): Promise<string> {
  return keys.mac("mailbox", email.trim().toLowerCase());
}
