import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { isMailPaused, mailPaused, selectMailPause } from "../../../db/mail-pause.ts";
import { mailOutbox } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { CODE_LIMITS, MAIL_LIMITS } from "../../../values/rate-limits.ts";
import { describeOccasion } from "../../audit/occasion.server.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { CODE_TTL_MINUTES, linkFragment } from "../codes/code.ts";
import {
  type Asker,
  crowdOf,
  issueStatements,
  mailboxesOf,
  newSignInCode,
  selectMailboxState,
  selectNeedsCaptcha,
} from "../codes/sign-in-codes.server.ts";
import { stepStatement } from "../codes/sign-in-steps.server.ts";
import { reportSiteBudget, selectSent } from "../codes/site-codes.server.ts";
import { networksOf } from "../networks.server.ts";
import { findAsker } from "../sessions/asker.server.ts";
import { findTrustedSince, isStillTrusted } from "../sessions/device.server.ts";
import type { AdmissionParts, RefusalRule } from "./admission.server.ts";
import { addToFirst, sendFirst } from "./first-batch.server.ts";
import { type CodeRequest, currentScope, type GatewayScope } from "./scope.server.ts";

export const SEND_CODE_PATH = "/email-otp/send-verification-otp";

export type GuardOptions = AdmissionParts & {
  db: Db;
  keys: Keys;
  baseUrl: string;
  isSecure: boolean;
  mailer: Pick<Mailer, "prepare">;
  /** True when mailboxes have limits; false in a demonstration. */
  hasLimits: boolean;
  /** Codes in an hour, over the whole site, above which an alarm is logged. */
  codeMailsPerHour: number;
  refusalRuleOf: RefusalRule;
};

/** Describes who asks for a code, or enters one. */
export async function findCodeAsker(
  { keys, isSecure, hasLimits }: GuardOptions,
  { request, deviceCookie }: Pick<GatewayScope, "request" | "deviceCookie">,
  browserRequest: Request,
  email: string,
): Promise<Asker> {
  return {
    mailboxes: await mailboxesOf(keys, email),
    browser: await findAsker({ keys, isSecure }, browserRequest),
    isTrusted: isStillTrusted(await findTrustedSince(keys, deviceCookie, email), email),
    networks: await networksOf(keys, request.limitedIpAddress),
    hasLimits,
    now: request.now(),
  };
}

/** True when a captcha is asked before another mail, where one is configured (`selectNeedsCaptcha`). */
export async function needsCaptcha(
  { db, codeMailsPerHour }: GuardOptions,
  asker: Asker,
): Promise<boolean> {
  const [row] = await selectNeedsCaptcha(db, asker, codeMailsPerHour);
  return row?.needsCaptcha !== 0;
}

/**
 * Sends sign-in codes, in place of better-auth's plugin: its codes belong to a mailbox, not to the
 * browser that asked, and its limits count IP addresses alone, so strangers could void the owner's
 * codes, or guess from many addresses. As an endpoint of better-auth it comes after the limit and
 * the captcha. The plugin also sends the first batch of a call that no limit has sent.
 */
export function codeGuard({ db }: GuardOptions) {
  return {
    id: "gatehouse-code-guard",
    hooks: {
      before: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(() => sendFirst(db, currentScope().first)),
        },
      ],
    },
    endpoints: {
      sendSignInCode: createAuthEndpoint(SEND_CODE_PATH, { method: "POST" }, async (context) => {
        const { subject } = currentScope();
        if (subject.type !== "code-request") throw new Error("A request for a code was not opened");
        return context.json(subject.answer());
      }),
    },
  } satisfies BetterAuthPlugin;
}

/**
 * Opens a request for a code: code and mail are stored in the first batch when the limits let a
 * mail leave, which is sent after the answer. Otherwise the answer says when the next one can
 * leave. `captcha` says whether one is solved before the batch, is not asked for, or is not
 * configured. Where it was not asked for and simultaneous requests have made it necessary, the
 * answer asks for it.
 */
export async function openCodeRequest(
  options: GuardOptions,
  scope: Pick<GatewayScope, "request" | "language" | "redirect" | "first">,
  email: string,
  { asker, captcha }: { asker: Asker; captcha: "asked" | "not asked" | "none" },
): Promise<CodeRequest> {
  const { db, keys, codeMailsPerHour } = options;
  const { request, first } = scope;
  const { now } = asker;
  const browser = asker.browser ?? crypto.randomUUID();
  const secrets = await newSignInCode(keys, asker.mailboxes[0]);
  const crowd = crowdOf(asker, codeMailsPerHour);
  const isHeld = {
    asked: sql`false`,
    "not asked": crowd.orOfBusyNetwork,
    none: crowd.andOfBusyNetwork,
  }[captcha];
  const issue = issueStatements(db, { ...asker, browser }, { ...secrets, isHeld });
  const mail = await prepareMail(
    options,
    scope,
    { email, asker, isIssued: issue.isIssued },
    secrets,
  );
  // The reason why no mail was written, or NULL. A mailbox that returned a mail gets no code even
  // if the rules admit it.
  const outcomeOf = (isAllowed: SQL) => sql`CASE
    WHEN NOT (${isAllowed}) THEN 'limited.address'
    WHEN EXISTS (SELECT 1 FROM ${mailOutbox} WHERE ${and(
      eq(mailOutbox.recipient, email),
      eq(mailOutbox.createdAt, now),
      eq(mailOutbox.kind, "login-code"),
    )}) THEN NULL
    WHEN ${issue.isIssued} THEN 'refused.' || coalesce(${options.refusalRuleOf(email, now)}, 'returned')
    WHEN ${mailPaused(now)} THEN 'limited.quota'
    WHEN ${isHeld} THEN 'limited.site'
    ELSE 'limited.mailbox' END`;
  let answered: Record<string, unknown> | undefined;
  let held: APIError | undefined;
  const subject: CodeRequest = {
    type: "code-request",
    asker,
    browser,
    isPaused: false,
    email,
    answer() {
      if (held) throw held;
      if (!answered) throw new Error("The first batch of the call was not sent");
      return answered;
    },
  };
  addToFirst(
    first,
    (isAllowed) =>
      [
        issue.trusted(isAllowed),
        issue.any(isAllowed),
        mail.statement,
        selectMailboxState(db, asker),
        selectSent(db, codeMailsPerHour, now),
        selectMailPause(db, now),
        db.select({ isHeld: sql<0 | 1>`${isHeld}`.as("is_held") }).from(sql`(SELECT 1)`),
        stepStatement(db, { asker, email, outcome: outcomeOf(isAllowed) }, request),
      ] as const,
    ([trusted, any, mails, [state], [site], [pause], [crowded]]) => {
      subject.isPaused = isMailPaused(pause, now);
      if (trusted.length + any.length > 0) {
        answered = { success: true };
        request.afterAnswer(() => mail.send(mails));
        if ((site?.sent ?? 0) > codeMailsPerHour) {
          request.afterAnswer(() => reportSiteBudget(db, codeMailsPerHour, now));
        }
        return;
      }
      if (crowded?.isHeld) {
        held = heldError(captcha);
        return;
      }
      const nextAt = (state?.lastSentAt ?? now.getTime()) + MAIL_LIMITS.codeInterval.windowMs;
      const retryAfter = Math.max(1, Math.ceil((nextAt - now.getTime()) / 1_000));
      answered = { success: true, mailed: false, retryAfter };
    },
  );
  return subject;
}

/** The answer when the site holds a code back: it asks for the captcha, or it names an hour to wait. */
function heldError(captcha: "asked" | "not asked" | "none"): APIError {
  if (captcha === "not asked") return new APIError("BAD_REQUEST", { code: "MISSING_RESPONSE" });
  const retryAfter = String(CODE_LIMITS.mailboxesOfBusySite.windowMs / 1_000);
  return new APIError("TOO_MANY_REQUESTS", undefined, { "Retry-After": retryAfter });
}

async function prepareMail(
  { mailer, baseUrl, admissionOf, entryLinkOf }: GuardOptions,
  { request, language, redirect }: Pick<GatewayScope, "request" | "language" | "redirect">,
  { email, asker, isIssued }: { email: string; asker: Asker; isIssued: SQL },
  { code, key }: { code: string; key: string },
) {
  // The step of the request finds the mail by this time.
  const { now } = asker;
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
  const admission = admissionOf(email, now, await entryLinkOf(redirect));
  const asking = { ...asker, from: request };
  return mailer.prepare(mail, now, "anyone", sql`${isIssued} AND ${admission}`, asking);
}
