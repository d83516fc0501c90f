import { z } from "zod";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { AccountForm } from "../../features/account/input.ts";
import { changeOwnName } from "../../features/account/own-name.server.ts";
import { VerifyForm } from "../../features/auth/gateway/input.ts";
import { invalid, type PostedForm } from "../../http/forms.server.ts";
import { requirePasskey } from "../../middleware/current-user.ts";
import { refuseTurn } from "../../middleware/turn.server.ts";
import { done, ownerOf } from "./account-form.server.ts";
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
export async function changeOwnAccount(posted: PostedForm, form: z.infer<typeof AccountPost>) {
  if (!UNCOUNTED.includes(form.intent)) {
    const refused = await refuseTurn(posted.context, posted.result);
    if (refused) return refused;
  }
  // A name gives no one anything.
  if (form.intent !== "change-name") {
    const { account: next } = accountPaths(areaOf(posted.url));
    requirePasskey(posted.context, posted.url, { change: "account", next });
  }
  switch (form.intent) {
    case "change-name":
      return changeName(posted, form.name);
    case "rename-passkey":
      return renameOwnPasskey(posted, form.passkey, form.passkeyName);
    case "remove-passkey":
      return removeOwnPasskey(posted, form.passkey);
    case "revoke":
      return endSession(posted, form.session);
    case "revoke-others":
      return endOtherSessions(posted);
    case "revoke-all":
      return endAllSessions(posted);
    case "link":
      return linkAccount(posted, form.provider);
    case "unlink":
      return unlinkOwnAccount(posted, form.account);
    case "change-email":
      return startEmailChange(posted, form.email);
    case "resend":
      return resendEmailCode(posted);
    case "verify":
      return verifyEmailCode(posted, form);
    case "request-deletion":
      return requestDeletion(posted);
  }
}

async function changeName(posted: PostedForm, name: string) {
  const { db, actor, user } = ownerOf(posted);
  if (!(await changeOwnName(db, actor, user, name))) {
    return invalid(posted.result, { name: ["codes:CONFLICT"] }, { status: 409 });
  }
  return done(posted, "account:toast.nameChanged");
}
