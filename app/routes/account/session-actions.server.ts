import { href, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { clearSessionCookie } from "../../features/auth/sessions/sessions.server.ts";
import { revokeUserSessions } from "../../features/users/commands/user-commands.server.ts";
import type { PostedForm } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { describeError, log } from "../../runtime/log.ts";
import { done, ownerOf } from "./account-form.server.ts";

export async function endSession(posted: PostedForm, sessionId: string) {
  return (await revoke(posted, { sessionId })) ?? done(posted, "account:toast.sessionEnded");
}

/** Ends every session of the user except the current one. */
export async function endOtherSessions(posted: PostedForm) {
  const { session } = ownerOf(posted);
  return (
    (await revoke(posted, { exceptSessionId: session.id })) ??
    done(posted, "account:toast.othersEnded")
  );
}

/** Ends all sessions including this one, so it redirects to the login screen. */
export async function endAllSessions(posted: PostedForm) {
  const { isSecure } = ownerOf(posted);
  const headers = { "Set-Cookie": clearSessionCookie(isSecure) };
  return (await revoke(posted, {})) ?? redirect(href("/login"), { headers });
}

/** Ends sessions of the user. Returns the account screen with an error toast when the database fails. */
async function revoke(
  posted: PostedForm,
  which: { sessionId?: string; exceptSessionId?: string },
): Promise<Response | undefined> {
  const { db, actor, user } = ownerOf(posted);
  try {
    await revokeUserSessions(db, actor, { userId: user.id, ...which });
    return undefined;
  } catch (error) {
    log("error", "session.not_ended", { request: actor.source.id, ...describeError(error) });
    const toast = { kind: "warning", message: "codes:SESSIONS_NOT_ENDED" } as const;
    return redirectWithToast(accountPaths(areaOf(posted.url)).account, toast);
  }
}
