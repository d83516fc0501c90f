import { href, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import type { AccountForm } from "../../features/account/input.ts";
import { changeOwnName } from "../../features/account/own-name.server.ts";
import type { VerifyForm } from "../../features/auth/gateway/input.ts";
import { clearSessionCookie } from "../../features/auth/sessions/session.server.ts";
import { removePasskey, renamePasskey } from "../../features/passkeys/own-passkeys.server.ts";
import { revokeUserSessions } from "../../features/users/user-commands.server.ts";
import { invalid } from "../../http/forms.server.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireFresh, requireOwner } from "../../middleware/guards.ts";
import { describeError, log } from "../../runtime/log.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import {
  type AccountCall,
  requestDeletion,
  resendEmailCode,
  startEmailChange,
  verifyEmailCode,
} from "./email-actions.server.ts";
import { linkAccount, unlinkOwnAccount } from "./sign-in-method-actions.server.ts";

/** Does what a form of the account's screen asks for, and answers where it leads or what was wrong with it. */
export async function changeOwnAccount(call: AccountCall, form: AccountForm | VerifyForm) {
  switch (form.intent) {
    case "change-name":
      return changeName(call, form.name);
    case "rename-passkey":
      return renameOwnPasskey(call, form.passkey, form.passkeyName);
    case "remove-passkey":
      return removeOwnPasskey(call, form.passkey);
    case "revoke":
      return endSession(call, form.session);
    case "revoke-others":
      return endOtherSessions(call);
    case "revoke-all":
      return endAllSessions(call);
    case "link":
      return linkAccount(call, form.provider);
    case "unlink":
      return unlinkOwnAccount(call, form.account);
    case "change-email":
      return startEmailChange(call, form.email);
    case "resend":
      return resendEmailCode(call);
    case "verify":
      return verifyEmailCode(call, form);
    case "request-deletion":
      return requestDeletion(call);
  }
}

async function changeName(call: AccountCall, name: string) {
  const { db, actor, user } = ownerOf(call);
  if (!(await changeOwnName(db, actor, user, name))) {
    return invalid(call.result, { name: ["codes:CONFLICT"] }, { status: 409 });
  }
  return done(call, "nameChanged");
}

async function renameOwnPasskey(call: AccountCall, id: string, name: string) {
  const { db, actor } = ownerOf(call);
  if (!(await renamePasskey(db, actor, id, name))) notFound();
  return done(call, "passkeyRenamed");
}

/** Whoever takes a way in away has just proved to be there. */
async function removeOwnPasskey(call: AccountCall, id: string) {
  const { db, actor } = ownerOf(call);
  requireFresh(call.context, call.url, accountPaths(areaOf(call.url)).account);
  if (!(await removePasskey(db, actor, id))) notFound();
  return done(call, "passkeyRemoved");
}

async function endSession(call: AccountCall, sessionId: string) {
  return (await revoke(call, { sessionId })) ?? done(call, "sessionEnded");
}

async function endOtherSessions(call: AccountCall) {
  const { session } = ownerOf(call);
  return (await revoke(call, { exceptSessionId: session.id })) ?? done(call, "othersEnded");
}

/** Ends this session with the others, so it leads to the login screen. */
async function endAllSessions(call: AccountCall) {
  const { isSecure } = ownerOf(call);
  const headers = { "Set-Cookie": clearSessionCookie(isSecure) };
  return (await revoke(call, {})) ?? redirect(href("/login"), { headers });
}

/** Ends sessions of the person. Answers the account screen with an error toast when the database cannot end them. */
async function revoke(
  call: AccountCall,
  which: { sessionId?: string; exceptSessionId?: string },
): Promise<Response | undefined> {
  const { db, actor, user } = ownerOf(call);
  try {
    await revokeUserSessions(db, actor, { userId: user.id, ...which });
    return undefined;
  } catch (error) {
    log("error", "session.not_ended", { request: actor.source.id, ...describeError(error) });
    const toast = { kind: "warning", message: "codes:SESSIONS_NOT_ENDED" } as const;
    return redirectWithToast(accountPaths(areaOf(call.url)).account, toast);
  }
}

/** Who posted the form, the person themselves, and what writes down what they change. */
function ownerOf({ context }: AccountCall) {
  const { db, config } = context.get(servicesContext);
  const actor = requireActor(context, "account", "update");
  return { db, isSecure: config.isSecure, actor, ...requireOwner(context) };
}

function done({ url }: AccountCall, message: string) {
  const { account } = accountPaths(areaOf(url));
  return redirectWithToast(account, { kind: "success", message: `account:toast.${message}` });
}
