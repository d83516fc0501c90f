import type { Db } from "../../db/db.server.ts";
import { readJson } from "../../http/json.ts";
import type { ErrorCode } from "../../i18n/message-key.ts";
import { log } from "../../runtime/log.ts";
import { takeChange } from "../access/change-limit.server.ts";
import { isPasskeyMissing } from "../access/passkey-demand.ts";
import { may } from "../access/permissions.ts";
import { needsProof } from "../access/proof.ts";
import type { ClientEndpoint } from "../auth/gateway/client-endpoint.ts";
import { invalidInput } from "../auth/gateway/endpoints.server.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "../auth/gateway/gateway-call.ts";
import { type CurrentSession, checkEntry, isFresh } from "../auth/sessions/sessions.server.ts";

/**
 * Answers a call of an endpoint that belongs to a feature, by the guards of its screens. Errors:
 * those of `checkEntry`, CLOSED_WHILE_IMPERSONATING, the one for a missing permission,
 * PASSKEY_REQUIRED, those of `readJson` and `invalidInput`, SESSION_EXPIRED for a change that needs
 * a fresh proof, TOO_MANY_REQUESTS, and the endpoint's own.
 */
export async function passClientCall(
  { db }: { db: Db },
  endpoint: ClientEndpoint,
  call: GatewayCall,
  path: string,
): Promise<GatewayResult<unknown>> {
  const { request, info, language } = call;
  if (endpoint.actFor && !endpoint.act) throw new Error(`${path} has no act for its entry`);
  const entry = letIn(endpoint, await call.current());
  if (!entry.ok) return entry;
  const { current } = entry;
  const sent =
    endpoint.method === "GET"
      ? ({ ok: true, value: readQuery(new URL(request.url)) } as const)
      : await readJson(request);
  if (!sent.ok) return refusal(sent.status, sent.code);
  const parsed = endpoint.input.safeParse(sent.value);
  if (!parsed.success) return invalidInput(parsed.error, endpoint.codes);
  const isProven = isFresh(current, info.now());
  const act = endpoint.actFor?.(parsed.data) ?? endpoint.act;
  if (act && needsProof(act) && !isProven) return refusal(403, "SESSION_EXPIRED");
  if (act && !endpoint.isUncounted) {
    const retryAfterSeconds = await takeChange(db, current.user.id, info.now());
    if (retryAfterSeconds) return { ...refusal(429, "TOO_MANY_REQUESTS"), retryAfterSeconds };
  }
  const asked = { request, current, info, language, isFresh: isProven };
  const result = await endpoint.answer(asked, parsed.data);
  if (!result.ok) {
    const { status, code } = result;
    log("warn", "auth.refused", { request: info.id, path, status, code });
    return { ...result, headers: new Headers() };
  }
  if (act) {
    log("info", `auth${path.replaceAll("/", ".")}`, { request: info.id, user: current.user.id });
  }
  return { ok: true, headers: result.headers ?? new Headers(), body: result.body };
}

/** Error codes of better-auth for users without a permission. */
const NOT_ALLOWED: { readonly [permission: string]: ErrorCode } = {
  "user.list": "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
  "user.get": "YOU_ARE_NOT_ALLOWED_TO_GET_USER",
  "user.create": "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS",
  "user.update": "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS",
  "user.set-role": "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
  "user.ban": "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS",
  "user.impersonate": "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS",
  "user.delete": "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS",
  "session.list": "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
  "session.revoke": "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
  "session.delete": "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
};

/** Returns the session when it may call the endpoint. */
function letIn(
  endpoint: ClientEndpoint,
  found: CurrentSession | undefined,
): { ok: true; current: CurrentSession } | GatewayRefusal {
  const entry = checkEntry(found);
  const isNewcomer = !entry.ok && entry.code === "NOT_ONBOARDED" && endpoint.isOpenToNewcomers;
  if (!entry.ok && !isNewcomer) return refusal(entry.status, entry.code);
  if (!found) return refusal(401, "UNAUTHORIZED");
  const { user, session } = found;
  if (endpoint.act && session.impersonatedBy) {
    return refusal(403, "CLOSED_WHILE_IMPERSONATING");
  }
  const permission = endpoint.act?.permission ?? endpoint.needs;
  if (permission && !may(user, permission))
    return refusal(403, NOT_ALLOWED[permission.join(".")] ?? "FORBIDDEN");
  if (endpoint.change && isPasskeyMissing(session, endpoint.change)) {
    return refusal(403, "PASSKEY_REQUIRED");
  }
  return { ok: true, current: found };
}

/** Reads a query as better-auth does: a repeated parameter is a list. */
function readQuery({ searchParams }: URL): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const [first = "", ...others] = searchParams.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );
}
