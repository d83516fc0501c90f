import { z } from "zod";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { AccountForm } from "../../features/account/input.ts";
import { changeOwnName } from "../../features/account/own-name.server.ts";
import { VerifyForm } from "../../features/auth/gateway/input.ts";
import { invalid } from "../../http/forms.server.ts";
import { requirePasskey } from "../../middleware/current-user.ts";
import { refuseTurn } from "../../middleware/turn.server.ts";
import { type AccountCall, done, ownerOf } from "./account-form.server.ts";
import { requestDeletion } from "./deletion-actions.server.ts";
import { resendEmailCode, startEmailChange, verifyEmailCode } from "./email-actions.server.ts";
import { endAllSessions, endOtherSessions, endSession } from "./session-actions.server.ts";
import {
  linkAccount,
  removeOwnPasskey,
  renameOwnPasskey,
  unlinkOwnAccount,
} from "./sign-in-method-actions.server.ts";

/** Forms of the screen's panels, and the form for a one-time code. */
export const AccountPost = z.discriminatedUnion("intent", [
  ...AccountForm.options,
  ...VerifyForm.options,
]);

/** Forms without a limit: a thief of the session must not keep its owner from ending it. */
const UNCOUNTED: readonly string[] = ["revoke", "revoke-others", "revoke-all"];

/** Runs a form of the account screen. Returns a redirect, or the form with its errors. */
export async function changeOwnAccount(call: AccountCall, form: z.infer<typeof AccountPost>) {
  if (!UNCOUNTED.includes(form.intent)) {
    const refused = await refuseTurn(call.context, call.result);
    if (refused) return refused;
  }
  // A name gives no one anything.
  if (form.intent !== "change-name") {
    const { account: next } = accountPaths(areaOf(call.url));
    requirePasskey(call.context, call.url, { change: "account", next });
  }
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
  return done(call, "account:toast.nameChanged");
}
