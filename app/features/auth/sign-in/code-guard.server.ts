import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import {
  failureStatements,
  forgetFailures,
  permitFor,
  recordFailure,
  reportSiteBudget,
  stoppedQuery,
  type Taken,
  takeStatements,
} from "../codes/code-limits.server.ts";
import { mailboxOf } from "../mailbox.ts";
import { findTrustedDevice } from "../sessions/device.server.ts";
import { type Admission, isAdmittedBy, selectAdmission } from "./admission.server.ts";
import { currentScope, type GatewayScope } from "./scope.server.ts";
import {
  beginSignInCall,
  keepBack,
  knowUser,
  newSignInCall,
  readAhead,
  readProof,
} from "./sign-in-call.server.ts";

export const SEND_CODE_PATH = "/email-otp/send-verification-otp";
export const SIGN_IN_PATH = "/sign-in/email-otp";

/** True for better-auth's paths about one-time codes. */
export function isCodePath(path: string): boolean {
  return path === SEND_CODE_PATH || path === SIGN_IN_PATH;
}

/** better-auth's answers to a wrong code. */
const WRONG_CODE = ["INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"];

export type GuardOptions = {
  db: Db;
  keys: Keys;
  /** True when a captcha is required before a code is sent. */
  hasCaptcha: boolean;
  /** True when mailboxes have a budget of codes; false in a demonstration. */
  hasBudgets: boolean;
  /** Codes in an hour, over the whole site, above which an alarm is logged. */
  codeMailsPerHour: number;
  admissionOf: Admission;
};

/** A mailbox's limits in a call about a code. */
export type MailboxLimits = {
  email: string;
  mailbox: string;
  /** Results of the statements that take a code from the budget. */
  taken: Taken[];
  isStopped: boolean;
};

/** Opens a call about a code. The queries for its mailbox's limits go into the first batch. */
export async function openCodeCall(
  options: GuardOptions,
  scope: GatewayScope,
  path: string,
  email: string,
  code?: unknown,
): Promise<void> {
  const { db, keys, hasCaptcha, hasBudgets, codeMailsPerHour: siteBudget } = options;
  const isSending = path === SEND_CODE_PATH;
  const now = scope.request.now();
  const call = newSignInCall(db, isSending && hasCaptcha);
  scope.signInCall = call;
  const users = db.select().from(user).where(eq(user.email, email));
  readAhead(
    call,
    () => users,
    ([found]) => knowUser(call, { email }, found),
  );
  if (!isSending) {
    readProof(call, codeIdentifier(email), await renewalOf(keys, code));
    const admission = selectAdmission(db, options.admissionOf(email, now));
    readAhead(
      call,
      () => admission,
      (rows) => {
        scope.isAdmitted = isAdmittedBy(rows);
      },
    );
  }
  if (!hasBudgets) return;

  const mailbox = await mailboxOf(keys, email);
  const trustedDevice = await findTrustedDevice(keys, scope.deviceCookie, email);
  const limits: MailboxLimits = { email, mailbox, taken: [], isStopped: false };
  scope.mailboxLimits = limits;
  if (isSending) {
    const request = { mailbox, trustedDevice, isCaptchaSolved: hasCaptcha, siteBudget };
    for (const take of takeStatements(db, request, now)) {
      readAhead(call, take, (result) => limits.taken.push(result));
    }
  } else if (!trustedDevice) {
    readAhead(
      call,
      () => stoppedQuery(db, mailbox, now),
      (rows) => {
        limits.isStopped = rows.length > 0;
      },
    );
  }
}

/**
 * Returns a function that renews a stored code for better-auth, which knows only the current secret: when a previous
 * secret has hashed the code that is tried now, it returns the value with the current hash.
 */
async function renewalOf(keys: Keys, code: unknown): Promise<(value: string) => string> {
  const tried = String(code);
  const old = await Promise.all(keys.previous.map((older) => older.mac("code", tried)));
  if (old.length === 0) return (value) => value;
  const hash = await keys.mac("code", tried);
  return (value) => {
    const known = old.find((candidate) => value.startsWith(`${candidate}:`));
    return known ? `${hash}${value.slice(known.length)}` : value;
  };
}

/** Counts a try whose code was used up by a simultaneous call. */
export async function countLateTry({ db }: GuardOptions, scope: GatewayScope): Promise<void> {
  const { mailboxLimits: limits, request } = scope;
  if (!limits) return;
  const identifier = codeIdentifier(limits.email);
  scope.wrongTries = await recordFailure(db, limits.mailbox, request.now(), identifier);
}

/**
 * Limits by mailbox. better-auth limits only by IP address, and each resend gives three new tries, so 20 resends from
 * 20 IP addresses would be 60 guesses. As a plugin it applies to all calls of the endpoints, after better-auth's own
 * limits and captcha: a call that fails those uses no budget.
 */
export function codeGuard({ db, hasCaptcha, codeMailsPerHour: siteBudget }: GuardOptions) {
  return {
    id: "gatehouse-code-guard",
    hooks: {
      before: [
        {
          matcher: (context) => context.path === SEND_CODE_PATH,
          handler: createAuthMiddleware(async () => {
            const { call, limits, now } = await beginCall();
            if (!limits) return;
            const { mailbox, taken } = limits;
            const permit = await permitFor(db, { mailbox, siteBudget }, taken, now);
            if (!permit.allowed) {
              throw new APIError(
                "TOO_MANY_REQUESTS",
                { code: "TOO_MANY_CODES", message: "Too many codes" },
                { "Retry-After": String(permit.retryAfterSeconds) },
              );
            }
            if (permit.isOverSiteBudget) {
              const { afterAnswer } = currentScope().request;
              afterAnswer(() => reportSiteBudget(db, siteBudget, now));
            }
            if (hasCaptcha) keepBack(call, forgetFailures(db, mailbox));
          }),
        },
        {
          matcher: (context) => context.path === SIGN_IN_PATH,
          handler: createAuthMiddleware(async () => {
            const { limits } = await beginCall();
            if (limits?.isStopped) {
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
            const scope = currentScope();
            const { call, limits, now } = await beginCall();
            if (!limits) return;
            const { returned } = context.context;
            if (!isAPIError(returned)) {
              keepBack(call, forgetFailures(db, limits.mailbox));
            } else if (WRONG_CODE.includes(String(returned.body?.code))) {
              const identifier = codeIdentifier(limits.email);
              const [event, failures, spent, tries] = failureStatements(
                db,
                limits.mailbox,
                now,
                identifier,
              );
              for (const statement of [event, failures, spent]) keepBack(call, statement);
              keepBack(call, tries, ([row]) => {
                scope.wrongTries = row?.tries;
              });
            }
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Sends the first batch of the current call, unless a limit by IP address has already sent it. */
async function beginCall() {
  const { signInCall: call, mailboxLimits: limits, request } = currentScope();
  if (!call) throw new Error("A call about a code was not opened; use openCodeCall");
  await beginSignInCall(call);
  return { call, limits, now: request.now() };
}

/** Identifier under which better-auth stores the code of an e-mail. */
function codeIdentifier(email: string): string {
  return `sign-in-otp-${email.toLowerCase()}`;
}
