import { isPasskeyMissing } from "../../access/passkey-demand.ts";
import { type CurrentSession, isFresh, isInGracePeriod } from "../sessions/sessions.server.ts";
import {
  type Access,
  type Calling,
  ENDPOINTS,
  invalidInput,
  type RouteInputs,
} from "./endpoints.server.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/** Calls one endpoint for a route action, whose form has parsed the input. */
export function pass<Path extends keyof RouteInputs>(
  parts: GatewayParts,
  call: GatewayCall,
  path: Path,
  input: RouteInputs[Path],
): Promise<GatewayResult> {
  return passTo(parts, call, path, endpointAt(path), input);
}

/** Calls one endpoint with an unchecked input. */
export async function passUnchecked(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  untrusted: unknown,
): Promise<GatewayResult> {
  const endpoint = endpointAt(path);
  const parsed = endpoint.input.safeParse(untrusted);
  if (!parsed.success) return invalidInput(parsed.error);
  return passTo(parts, call, path, endpoint, parsed.data);
}

function endpointAt(path: string): Calling {
  const endpoint = ENDPOINTS[path];
  if (!endpoint || endpoint.access === "reader")
    throw new Error(`The auth gateway has no endpoint ${path}`);
  return endpoint;
}

/** Calls one endpoint with a parsed input, and returns the result as a value. */
async function passTo(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  endpoint: Calling,
  input: Record<string, unknown>,
): Promise<GatewayResult> {
  const asked = { parts, call, path, input };
  if (endpoint.access === "anyone") return endpoint.answer(asked);
  const entry = letIn(endpoint.access, await call.current(), call.info.now());
  return entry.ok ? endpoint.answer({ ...asked, current: entry.current }) : entry;
}

/** Returns the session when it may call an endpoint, or why it may not. */
function letIn(
  access: Access,
  current: CurrentSession | undefined,
  now: Date,
): { ok: true; current: CurrentSession } | GatewayRefusal {
  if (!current) return refusal(401, "UNAUTHORIZED");
  if (current.session.impersonatedBy) return refusal(403, "CLOSED_WHILE_IMPERSONATING");
  if (access !== "session" && isInGracePeriod(current)) {
    return refusal(403, "ACCOUNT_BEING_DELETED");
  }
  const added = access === "method" || access === "new-passkey" ? access : undefined;
  if (added && !current.user.emailVerified) return refusal(403, "EMAIL_NOT_VERIFIED");
  if (access !== "confirmation" && isPasskeyMissing(current.session, added ?? "account")) {
    return refusal(403, "PASSKEY_REQUIRED");
  }
  if (added && !isFresh(current, now)) return refusal(403, "SESSION_EXPIRED");
  return { ok: true, current };
}
