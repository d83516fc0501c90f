import { eq } from "drizzle-orm";
import { countedRequest, ruleOf, secondsToWait } from "../../../db/counted-request.ts";
import { isRuleViolation } from "../../../db/db.server.ts";
import { user } from "../../../db/schema/schema.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { ENDPOINT_LIMITS } from "../../../values/rate-limits.ts";
import { LINK_KEY } from "../codes/code.ts";
import {
  type Asker,
  outcomeOf,
  refusalOf,
  trialStatements,
} from "../codes/sign-in-codes.server.ts";
import { noteStep, stepStatement } from "../codes/sign-in-steps.server.ts";
import type { Outcome } from "../codes/sign-in-steps.ts";
import { readAdmission, selectAdmission, selectRefusal } from "../sign-in/admission.server.ts";
import { keepMailboxBan, selectMailboxBans } from "../sign-in/banned-mailbox.server.ts";
import { findCodeAsker } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { lastMethodCookie } from "../sign-in/last-method.ts";
import { signedInOf } from "../sign-in/new-device.server.ts";
import { dropPendingLink, findPendingLink } from "../sign-in/pending-link.server.ts";
import { type CodeEntry, gatewayScope, newSignUp, type SignedIn } from "../sign-in/scope.server.ts";
import { recordSignIn } from "../sign-in/sign-in-record.server.ts";
import { cookiesOf } from "./auth-answer.ts";
import { headersFor, newScope, refusalOfDatabase } from "./auth-call.server.ts";
import { addBanNotice, addDevice, clientUser } from "./forward.server.ts";
import { type GatewayCall, type GatewayResult, refusal } from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";

export const SIGN_IN_PATH = "/sign-in/email-otp";

/** Notes after the answer what became of an entry. */
type Note = (asker: Asker, outcome: Outcome, needsAccount?: boolean) => void;

/** `otp` is a code, or the key of a mail's link. `name` is that of a user who has none yet. */
type Entered = {
  email: string;
  otp: string;
  name?: string | undefined;
  redirect?: string | undefined;
};

/**
 * Signs in by a one-time code, and creates the user of an e-mail that has none. better-auth makes
 * user, session and cookie; what it does not know is in one batch before, and in one after.
 */
export async function signInByCode(
  parts: GatewayParts,
  call: GatewayCall,
  entered: Entered,
): Promise<GatewayResult> {
  const { info } = call;
  const subject: CodeEntry = { ...newSignUp(), type: "code-entry" };
  const note: Note = (asker, outcome, needsAccount) =>
    info.afterAnswer(() =>
      noteStep(parts.db, { asker, email: entered.email, outcome, needsAccount }, info),
    );
  const result = await enter(parts, call, subject, entered, note).catch((error: unknown) => {
    // better-auth's hook has told which ban it refuses.
    if (subject.ban) return refusal(403, "BANNED_USER");
    const refused = refusalOfDatabase(error, info.id, SIGN_IN_PATH);
    if (!refused) log("error", "auth.failed", { request: info.id, ...describeError(error) });
    return refused ?? refusal(500, "UNKNOWN_ERROR");
  });
  if (result.ok) {
    log("info", "auth.sign-in.email-otp", { request: info.id });
    return result;
  }
  const { headers, status, code } = result;
  await addBanNotice(parts, headers, subject.ban);
  log("warn", "auth.refused", { request: info.id, path: SIGN_IN_PATH, status, code });
  return result;
}

async function enter(
  parts: GatewayParts,
  call: GatewayCall,
  subject: CodeEntry,
  { email, otp: secret, name, redirect }: Entered,
  note: Note,
): Promise<GatewayResult> {
  const scope = newScope(parts, call, { subject, redirect });
  const asker = await findCodeAsker(parts, scope, call.request, email);

  const link = await parts.entryLinkOf(redirect);
  const tried = await tryCode(parts, call, asker, { email, secret, link });
  if (!tried.ok) {
    // Without a code to compare, a row is written only for an account. The statement is the same.
    note(asker, tried.outcome, !tried.hasCode);
    return tried;
  }
  const { known, isAdmitted, entryLink, refusalRule, mailboxBans } = tried;
  if (known) {
    subject.people = [known];
    if (isBanned(known, asker.now)) note(asker, "denied.banned");
  } else {
    if (!isAdmitted) {
      note(asker, `denied.${refusalRule ?? "not_invited"}`);
      // As after a wrong code, so that nothing is revealed (decision 020).
      return refusal(400, "INVALID_OTP");
    }
    subject.ban = await keepMailboxBan(parts, email, mailboxBans);
    if (subject.ban) {
      note(asker, "denied.banned");
      return refusal(403, "BANNED_USER");
    }
    subject.entryLink = entryLink;
  }

  const sent = { body: { email, known }, headers: await headersFor(call, parts) };
  const begun = await gatewayScope
    .run(scope, () => parts.auth.api.beginSession({ ...sent, returnHeaders: true }))
    .catch((error: unknown) => {
      // Other sign-ups have taken the link's last places meanwhile.
      if (isRuleViolation(error, "INVITATION_LINK_USED_UP")) return undefined;
      throw error;
    });
  if (!begun) {
    note(asker, "denied.not_invited");
    return refusal(400, "INVALID_OTP");
  }
  const { headers: answered, response: made } = begun;
  if (!made) return refusal(400, "INVALID_OTP");

  const isLink = LINK_KEY.test(secret);
  const signedIn = await recordSignIn(
    parts,
    scope,
    signedInOf(made.user, known, parts.adminEmails),
    stepStatement(
      parts.db,
      { asker, email, outcome: isLink ? "entered.link" : "entered.code" },
      call.info,
    ),
  );
  const headers = cookiesOf(answered);
  await addDevice(parts, headers, scope, signedIn, "email");
  await linkPending(parts, headers, call, signedIn);
  const named = await nameNewUser(parts, call, signedIn, name);
  const body = { user: clientUser({ ...made.user, role: signedIn.role, ...named }) };
  const isOnboarded = signedIn.isOnboarded || named !== undefined;
  return {
    ok: true,
    headers,
    body,
    firstScreen: firstScreenOf({ ...signedIn, isOnboarded }, redirect),
  };
}

function isBanned({ banned, banExpires }: typeof user.$inferSelect, now: Date): boolean {
  return banned === true && (banExpires === null || banExpires > now);
}

/**
 * Counts the call towards its limit by IP address and tries the code, or the key of a link, in one
 * batch: a right one is spent, a wrong one is counted. Known and unknown mailboxes are asked the
 * same.
 */
async function tryCode(
  { db, keys, admissionOf, refusalRuleOf }: GatewayParts,
  { info }: GatewayCall,
  asker: Asker,
  { email, secret, link }: { email: string; secret: string; link: string | undefined },
) {
  const { now } = asker;
  const address = info.limitedIpAddress ?? "";
  const rule = ruleOf(ENDPOINT_LIMITS[SIGN_IN_PATH]);
  const key = await keys.mac("rate-limit", `${address}|${SIGN_IN_PATH}`);
  const limit = countedRequest(db, key, rule, now);
  const network = await keys.mac("rate-limit", address);
  const trial = await trialStatements({ db, keys }, asker, { secret, network });
  const [
    ,
    [counted],
    ,
    counting,
    spent,
    codes,
    [state],
    [known],
    admitted,
    mailboxBans,
    [refused],
  ] = await db.batch([
    limit.count,
    limit.read,
    ...trial(limit.isAllowed),
    db.select().from(user).where(eq(user.email, email)),
    selectAdmission(db, admissionOf, { email, now, link }),
    selectMailboxBans(db, asker.mailboxes, now),
    selectRefusal(db, refusalRuleOf(email, now)),
  ]);
  const hasCode = codes.length > 0;

  const retryAfterSeconds = secondsToWait(counted, rule, now);
  if (retryAfterSeconds) {
    const outcome: Outcome = "dead.address";
    return { ...refusal(429, "TOO_MANY_REQUESTS"), retryAfterSeconds, outcome, hasCode };
  }
  if (spent.length === 0) {
    const { code, left } = refusalOf(asker, secret, codes, state);
    const status = code === "LINK_REQUIRED" ? 403 : 400;
    const outcome = outcomeOf(asker, secret, {
      codes,
      state,
      isCompared: counting.meta.changes > 0,
    });
    return { ...refusal(status, code), triesLeft: left, outcome, hasCode };
  }
  return {
    ok: true,
    known,
    ...readAdmission(admitted, link),
    refusalRule: refused?.rule,
    mailboxBans,
  } as const;
}

/**
 * Links the provider's account with which the browser came, if the code was sent to prove its
 * e-mail, and drops what the browser keeps of it.
 */
async function linkPending(
  parts: GatewayParts,
  headers: Headers,
  call: GatewayCall,
  owner: SignedIn,
): Promise<void> {
  const dropped = dropPendingLink(call.request, parts.isSecure);
  if (!dropped) return;
  headers.append("Set-Cookie", dropped);
  const pending = await findPendingLink(parts, call.request, owner.email, call.info.now());
  if (!pending) return;
  await parts.methods.link(call, pending, owner);
  // The user began with the provider, which signs in without a code from now on.
  headers.append("Set-Cookie", lastMethodCookie(pending.provider));
}

/**
 * Gives a new user the name that the client sent with the code, as `/update-user` does. Returns
 * what changed for the client; undefined for a user who has a name, and on failure: the person is
 * signed in, and the client sends the name again.
 */
async function nameNewUser(
  { onboard }: GatewayParts,
  { info, language }: GatewayCall,
  { id: userId, email, isOnboarded }: SignedIn,
  name: string | undefined,
) {
  if (name === undefined || isOnboarded) return undefined;
  try {
    const own = { userId, email, name, language, termsVersion: undefined };
    if (!(await onboard(info, own))) return undefined;
    return { name, language, onboardedAt: info.now() };
  } catch (error) {
    log("error", "auth.name_not_kept", { request: info.id, ...describeError(error) });
    return undefined;
  }
}
