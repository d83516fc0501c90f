import { and, eq, isNotNull } from "drizzle-orm";
import { session, user } from "../../../db/schema/schema.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import { PASSKEY_SIGN_IN_PATH } from "../sign-in/passkey-call.server.ts";
import { readAnswer } from "./auth-answer.ts";
import { forward } from "./forward.server.ts";
import { type GatewayCall, type GatewayResult, refusal } from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/**
 * Proves the current session by a passkey of its user. better-auth checks the passkey as for a sign-in; the new session
 * and its cookie are left out.
 */
export async function confirmByPasskey(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  { user: owner, session: own }: CurrentSession,
  body: { response: { id: string } },
): Promise<GatewayResult> {
  const { answer, scope } = await parts.callAuth(call, PASSKEY_SIGN_IN_PATH, {
    method: "POST",
    body,
    redirect: undefined,
    about: {
      type: "confirmation",
      credentialId: body.response.id,
      confirms: { sessionId: own.id, userId: owner.id },
    },
  });
  const { subject } = scope;
  if (subject.type !== "confirmation" || !subject.isConfirmed) {
    const read =
      answer instanceof Response ? await readAnswer(PASSKEY_SIGN_IN_PATH, answer) : answer;
    const result = read.ok ? refusal(500, "UNKNOWN_ERROR") : read;
    const { status, code } = result;
    log("warn", "auth.refused", { request: call.info.id, path, status, code });
    return result;
  }
  log("info", "auth.passkey_confirmed", { request: call.info.id, user: owner.id });
  return { ok: true, headers: new Headers(), body: { confirmed: true } };
}

/** Adds a passkey, mails its owner about it, and takes it as a proof of the session that added it. */
export async function addPasskey(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  current: CurrentSession,
  body: Record<string, unknown>,
): Promise<GatewayResult> {
  const sent = { method: "POST", body, redirect: undefined, about: { type: "other" } } as const;
  const result = await forward(parts, call, path, sent, current);
  if (!result.ok) return result;
  const { id, name } = result.body;
  await parts.methods.tell(call, current.user.id, { type: "passkey", name: String(name) });
  await proveByNewPasskey(parts, call, current, String(id));
  return { ...result, body: { id } };
}

/**
 * Records that a new passkey has proven the session that added it, and ends an admin's leave to add one. On failure the
 * passkey is there, and the session is asked for it.
 */
async function proveByNewPasskey(
  { db }: GatewayParts,
  { info }: GatewayCall,
  { user: owner, session: own }: CurrentSession,
  passkeyId: string,
): Promise<void> {
  try {
    await db.batch([
      db
        .update(session)
        .set({ passkeyProvedAt: info.now(), passkeyProvedBy: passkeyId, provedBy: "passkey" })
        .where(eq(session.id, own.id)),
      db
        .update(user)
        .set({ passkeyReleaseUntil: null })
        .where(and(eq(user.id, owner.id), isNotNull(user.passkeyReleaseUntil))),
    ]);
  } catch (error) {
    log("error", "session.not_proven", { request: info.id, ...describeError(error) });
  }
}
