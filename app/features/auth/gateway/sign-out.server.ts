import { and, eq } from "drizzle-orm";
import { href } from "react-router";
import { changeAndRecord } from "../../../db/change.server.ts";
import { session } from "../../../db/schema/schema.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { NewToast } from "../../../ui/feedback/toast-kinds.ts";
import { ownEvent } from "../../audit/audit.server.ts";
import {
  type ImpersonationOptions,
  type Return,
  stopImpersonation,
} from "../impersonation/impersonation.server.ts";
import { type CurrentSession, clearSessionCookie } from "../sessions/sessions.server.ts";
import type { GatewayCall } from "./gateway-call.ts";

type SignOut = Return & {
  /** True when an impersonation ended, which leads back to the manager's own session. */
  isImpersonation: boolean;
};

/**
 * Ends the session of a request. An impersonation leads back to the manager's own session, any other session to the
 * login screen. When the database fails, `isEnded` is false and the session ends only in this browser: copies of its
 * cookie may still be signed in. Without a session nothing happens.
 */
export async function signOut(
  options: Omit<ImpersonationOptions, "secret">,
  call: GatewayCall,
): Promise<SignOut> {
  const location = href("/login");
  const headers = new Headers({ "Set-Cookie": clearSessionCookie(options.isSecure) });
  try {
    const stopped = await stopImpersonation(options, call);
    if (stopped.ok) return { ...stopped, isImpersonation: true };
    const current = await call.current();
    if (current) await endSession(options, call, current);
    return { isEnded: true, isImpersonation: false, location, headers };
  } catch (error) {
    log("error", "session.not_ended", { request: call.info.id, ...describeError(error) });
    return { isEnded: false, isImpersonation: false, location, headers };
  }
}

/** Returns the toast for the next screen. */
export function toastOf({
  isEnded,
  isImpersonation,
}: Pick<SignOut, "isEnded" | "isImpersonation">): NewToast {
  const kind = isEnded ? "info" : "warning";
  if (isImpersonation) {
    return { kind, message: `common:impersonation.${isEnded ? "ended" : "notEnded"}` };
  }
  return { kind, message: isEnded ? "common:signedOut" : "common:notSignedOut" };
}

async function endSession(
  { db }: Pick<ImpersonationOptions, "db">,
  { info }: GatewayCall,
  { user, session: own }: CurrentSession,
): Promise<void> {
  await changeAndRecord(db, {
    change: db.delete(session).where(and(eq(session.id, own.id), eq(session.userId, user.id))),
    event: ownEvent(info, user.id, "user.signed_out"),
  });
  log("info", "auth.sign-out", { request: info.id, user: user.id });
}
