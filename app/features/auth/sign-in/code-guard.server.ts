import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { isMailPaused, selectMailPause } from "../../../db/mail-pause.ts";
import { user } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { MAIL_LIMITS } from "../../../values/rate-limits.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { CODE_TTL_MINUTES, linkFragment } from "../codes/code.ts";
import { reportSiteBudget, selectSent } from "../codes/code-limits.server.ts";
import {
  type Asker,
  issueStatements,
  mailboxesOf,
  newSignInCode,
  refusalOf,
  selectHasRoom,
  selectMailboxState,
  trialStatements,
} from "../codes/sign-in-codes.server.ts";
import { describeOccasion } from "../occasion.server.ts";
import { findAsker } from "../sessions/asker.server.ts";
import { findTrustedDevice } from "../sessions/device.server.ts";
import { type Admission, isAdmittedBy, selectAdmission } from "./admission.server.ts";
import { currentScope, type GatewayScope } from "./scope.server.ts";
import { know, knowUser, newSignInCall, readAhead } from "./sign-in-call.server.ts";

export const SEND_CODE_PATH = "/email-otp/send-verification-otp";
export const SIGN_IN_PATH = "/sign-in/email-otp";

/** True for better-auth's paths about one-time codes. */
export function isCodePath(path: string): boolean {
  return path === SEND_CODE_PATH || path === SIGN_IN_PATH;
}

/** How long better-auth may take to use up a hand-over. */
const HAND_OVER_MS = 60_000;

export type GuardOptions = {
  db: Db;
  keys: Keys;
  baseUrl: string;
  isSecure: boolean;
  mailer: Pick<Mailer, "prepare">;
  /** True when mailboxes have limits; false in a demonstration. */
  hasLimits: boolean;
  /** Codes in an hour, over the whole site, above which an alarm is logged. */
  codeMailsPerHour: number;
  admissionOf: Admission;
};

/** A call about a code of a mailbox. */
export type CodeCall = { email: string; asker: Asker };

/** Describes who asks for a code, or enters one. */
export async function openCodeCall(
  { keys, isSecure, hasLimits }: GuardOptions,
  { request, deviceCookie }: Pick<GatewayScope, "request" | "deviceCookie">,
  browserRequest: Request,
  email: string,
): Promise<CodeCall> {
  const asker = {
    mailboxes: await mailboxesOf(keys, email),
    browser: await findAsker({ keys, isSecure }, browserRequest),
    isTrusted: (await findTrustedDevice(keys, deviceCookie, email)) !== undefined,
    hasLimits,
    now: request.now(),
  };
  return { email, asker };
}

/** True when a captcha is asked before another mail, where one is configured: not before the first few of an hour. */
export async function needsCaptcha({ db }: GuardOptions, { asker }: CodeCall): Promise<boolean> {
  const [row] = await selectHasRoom(db, asker);
  return row?.hasRoom !== 1;
}

/** Reads ahead what better-auth will ask after the right code. */
export async function readSignIn(
  { db, admissionOf }: GuardOptions,
  scope: GatewayScope,
  email: string,
): Promise<void> {
  const call = newSignInCall(db);
  scope.signInCall = call;
  const users = db.select().from(user).where(eq(user.email, email));
  readAhead(
    call,
    () => users,
    ([found]) => knowUser(call, { email }, found),
  );
  const admission = selectAdmission(db, admissionOf(email, scope.request.now()));
  readAhead(
    call,
    () => admission,
    (rows) => {
      scope.isAdmitted = isAdmittedBy(rows);
    },
  );
}

/**
 * Sends sign-in codes and checks them. better-auth's own codes belong to a mailbox, not to the browser that asked, and its
 * limits count IP addresses alone: strangers could void the owner's codes, or guess from many addresses. As a plugin it
 * applies to all calls of the endpoints, after better-auth's limits and captcha.
 */
export function codeGuard(options: GuardOptions) {
  return {
    id: "gatehouse-code-guard",
    hooks: {
      before: [
        {
          matcher: (context) => context.path === SEND_CODE_PATH,
          handler: createAuthMiddleware(async (context) => {
            const scope = currentScope();
            const sent = await sendCode(options, scope, codeCallOf(scope)).catch((error) => {
              // The gateway reports it: nothing was written.
              scope.mailError = error;
              return { success: false };
            });
            return context.json(sent);
          }),
        },
        {
          matcher: (context) => context.path === SIGN_IN_PATH,
          handler: createAuthMiddleware(async (context) => {
            const scope = currentScope();
            const otp = await tryCode(options, scope, codeCallOf(scope), String(context.body.otp));
            return { context: { body: { otp } } };
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function codeCallOf({ codeCall }: GatewayScope): CodeCall {
  if (!codeCall) throw new Error("A call about a code was not opened; use openCodeCall");
  return codeCall;
}

/**
 * Stores a code and its mail in one batch, when the limits let a mail leave, and sends it after the answer. Otherwise the
 * answer says when the next one can leave.
 */
async function sendCode(
  options: GuardOptions,
  scope: GatewayScope,
  { email, asker }: CodeCall,
): Promise<Record<string, unknown>> {
  const { db, keys, codeMailsPerHour } = options;
  const { request } = scope;
  const { now } = asker;
  const browser = asker.browser ?? crypto.randomUUID();
  const secrets = await newSignInCode(keys, asker.mailboxes[0]);
  const issue = issueStatements(db, { ...asker, browser }, secrets);
  const mail = await prepareMail(options, scope, email, secrets, issue.isIssued);
  const [trusted, any, mails, [state], [site], [pause]] = await db.batch([
    issue.trusted,
    issue.any,
    mail.statement,
    selectMailboxState(db, asker),
    selectSent(db, codeMailsPerHour, now),
    selectMailPause(db, now),
  ]);
  if (isMailPaused(pause, now)) {
    scope.isMailPaused = true;
    return { success: false };
  }
  scope.asker = browser;
  request.afterAnswer(() => mail.send(mails));
  if (trusted.length + any.length > 0) {
    if ((site?.sent ?? 0) > codeMailsPerHour) {
      request.afterAnswer(() => reportSiteBudget(db, codeMailsPerHour, now));
    }
    return { success: true };
  }
  const nextAt = (state?.lastSentAt ?? now.getTime()) + MAIL_LIMITS.codeInterval.windowMs;
  const retryAfter = Math.max(1, Math.ceil((nextAt - now.getTime()) / 1_000));
  return { success: true, mailed: false, retryAfter };
}

async function prepareMail(
  { mailer, baseUrl, admissionOf }: GuardOptions,
  { request, language, redirect }: GatewayScope,
  email: string,
  { code, key }: { code: string; key: string },
  isIssued: ReturnType<typeof issueStatements>["isIssued"],
) {
  const now = request.now();
  const search = new URLSearchParams({ email });
  if (redirect) search.set("redirect", redirect);
  const mail = {
    recipient: email,
    language,
    expiresAt: new Date(now.getTime() + CODE_TTL_MINUTES * 60_000),
    message: {
      kind: "login-code",
      code,
      link: `${baseUrl}/login/verify?${search}${linkFragment(key, code)}`,
      validMinutes: CODE_TTL_MINUTES,
      request: describeOccasion(request),
    },
  } as const;
  const admission = admissionOf(email, now);
  return mailer.prepare(mail, now, "anyone", sql`${isIssued} AND ${admission}`);
}

/**
 * Spends a code or a link's key, and returns a value that better-auth accepts once in its place. Otherwise counts the try
 * and throws.
 */
async function tryCode(
  options: GuardOptions,
  scope: GatewayScope,
  { asker }: CodeCall,
  secret: string,
): Promise<string> {
  const { db, keys } = options;
  const { request, signInCall } = scope;
  const otp = crypto.randomUUID();
  const handOver = {
    id: crypto.randomUUID(),
    identifier: `hand-over-${crypto.randomUUID()}`,
    value: `${await keys.mac("code", otp)}:0`,
    expiresAt: new Date(asker.now.getTime() + HAND_OVER_MS),
    createdAt: asker.now,
    updatedAt: asker.now,
  };
  const network = await keys.mac("rate-limit", request.limitedIpAddress ?? "");
  const statements = await trialStatements({ db, keys }, asker, { secret, network, handOver });
  const [, spent, , , codes, [state]] = await db.batch(statements);
  if (spent.length > 0) {
    scope.handOver = handOver.identifier;
    if (signInCall) {
      signInCall.proof = handOver;
      know(signInCall, { model: "verification", where: { identifier: handOver.identifier } }, [
        handOver,
      ]);
    }
    return otp;
  }
  const { code, left } = refusalOf(asker, secret, codes, state);
  scope.triesLeft = left;
  throw new APIError(code === "LINK_REQUIRED" ? "FORBIDDEN" : "BAD_REQUEST", {
    code,
    message: code,
  });
}

/**
 * Returns the identifier of a code in better-auth's table: the hand-over of the current call, so that better-auth finds
 * nothing else.
 */
export async function handedOver(): Promise<string> {
  return currentScope().handOver ?? "no-hand-over";
}
