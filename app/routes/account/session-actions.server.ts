import { href, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { clearSessionCookie } from "../../features/auth/sessions/sessions.server.ts";
import { revokeUserSessions } from "../../features/users/commands/user-commands.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type AccountCall, done, ownerOf } from "./account-form.server.ts";

export async function endSession(call: AccountCall, sessionId: string) {
  return (await revoke(call, { sessionId })) ?? done(call, "account:toast.sessionEnded");
}

/** Ends every session of the user except the current one. */
export async function endOtherSessions(call: AccountCall) {
  const { session } = ownerOf(call);
  return (
    (await revoke(call, { exceptSessionId: session.id })) ?? done(call, "account:toast.othersEnded")
  );
}

/** Ends all sessions including this one, so it redirects to the login screen. */
export async function endAllSessions(call: AccountCall) {
  const { isSecure } = ownerOf(call);
  const headers = { "Set-Cookie": clearSessionCookie(isSecure) };
  return (await revoke(call, {})) ?? redirect(href("/login"), { headers });
}

/** Ends sessions of the user. Returns the account screen with an error toast when the database fails. */
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
