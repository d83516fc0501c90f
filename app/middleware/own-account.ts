import { href, redirect } from "react-router";
import { accountPaths, areaOf } from "../features/account/areas.ts";
import type { AccountForm } from "../features/account/input.ts";
import { changeOwnName } from "../features/account/own-name.server.ts";
import type { VerifyForm } from "../features/auth/input.ts";
import { clearSessionCookie } from "../features/auth/session.server.ts";
import { removePasskey, renamePasskey } from "../features/passkeys/own-passkeys.server.ts";
import { revokeUserSessions } from "../features/users/user-commands.server.ts";
import { notFound } from "../http/responses.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../services.server.ts";
import {
  type AccountCall,
  requestDeletion,
  resendEmailCode,
  startEmailChange,
  verifyEmailCode,
} from "./leaving.ts";
import { linkAccount, unlinkOwnAccount } from "./linked-accounts.ts";
import { requireActor, requireFresh, requireOwner } from "./require-user.ts";

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
      return verifyEmailCode(call, form.code);
    case "request-deletion":
      return requestDeletion(call);
  }
}

async function changeName(call: AccountCall, name: string) {
  const { db, actor, user } = ownerOf(call);
  await changeOwnName(db, actor, user, name);
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
  const { db, actor, user } = ownerOf(call);
  await revokeUserSessions(db, actor, { userId: user.id, sessionId });
  return done(call, "sessionEnded");
}

async function endOtherSessions(call: AccountCall) {
  const { db, actor, user, session } = ownerOf(call);
  await revokeUserSessions(db, actor, { userId: user.id, exceptSessionId: session.id });
  return done(call, "othersEnded");
}

/** This session with the others, so the way leads out. */
async function endAllSessions(call: AccountCall) {
  const { db, isSecure, actor, user } = ownerOf(call);
  await revokeUserSessions(db, actor, { userId: user.id });
  return redirect(href("/login"), { headers: { "Set-Cookie": clearSessionCookie(isSecure) } });
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
