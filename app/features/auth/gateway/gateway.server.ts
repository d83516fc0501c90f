import { href, redirect } from "react-router";
import { isUnavailable } from "../../../db/bounded-d1.server.ts";
import { refuseCall } from "../../../http/call-refusal.server.ts";
import { readJson } from "../../../http/json.ts";
import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { createDevices } from "../sign-in/new-device.server.ts";
import { isPostedCallback, PROVIDER_IDS } from "../sign-in/providers.ts";
import { createSignInMethods } from "../sign-in/sign-in-methods.server.ts";
import { recordSignIn } from "../sign-in/sign-in-record.server.ts";
import { AUTH_BASE_PATH } from "./auth.server.ts";
import { createAuthCalls } from "./auth-call.server.ts";
import { pass, passUnchecked } from "./endpoint-call.server.ts";
import { ENDPOINTS } from "./endpoints.server.ts";
import { messageForCode } from "./error-message.ts";
import { type GatewayCall, type GatewayResult, refusal } from "./gateway-call.ts";
import type { GatewayOptions, GatewayParts } from "./gateway-parts.ts";
import { createPluginCalls } from "./plugin-call.server.ts";
import { handleCallback, repeatCallback } from "./provider-callback.server.ts";

/** Path to which an identity provider redirects. */
const CALLBACK = new RegExp(`^/callback/(${PROVIDER_IDS.join("|")})$`);

export type Gateway = ReturnType<typeof createGateway>;

/** The only access to better-auth, for `/api/auth/*` and for route actions. */
export function createGateway(options: GatewayOptions) {
  const devices = createDevices(options);
  const methods = createSignInMethods(options);
  const { callAuth } = createAuthCalls(options, (scope, signedIn) =>
    recordSignIn({ ...options, devices }, scope, signedIn),
  );
  const parts = { ...options, devices, methods, callAuth };
  return {
    handle: handle.bind(undefined, parts),
    pass: pass.bind(undefined, parts),
    /** Asks the plugins that a feature adds to better-auth; undefined where none does. */
    askPlugin: options.loadPluginAuth && createPluginCalls(options, options.loadPluginAuth),
    /** All endpoints, for their documentation. */
    endpoints: { ...ENDPOINTS, ...options.clientCalls?.endpoints },
  };
}

/** Answers a request to `/api/auth/*`. Error answers are `{code, message}` with the error's status. */
async function handle(parts: GatewayParts, call: GatewayCall): Promise<Response> {
  const url = new URL(call.request.url);
  const path = url.pathname.slice(AUTH_BASE_PATH.length);
  if (CALLBACK.test(path)) {
    if (isPostedCallback(call.request)) return repeatCallback(call.request);
    if (call.request.method !== "GET") return methodNotAllowed(call.language, ["GET"]);
    return handleCallback(parts, call, path, url.search);
  }
  // better-auth sends a browser here; the product has a screen for it.
  if (path === "/error" && call.request.method === "GET") {
    return redirect(href("/login/error") + url.search);
  }
  const { clientCalls } = parts;
  const client = clientCalls?.endpoints[path];
  const own = ENDPOINTS[path];
  const endpoint = client ?? own;
  if (!endpoint) return responseOf(call, refusal(404, "NOT_FOUND"));
  if (endpoint.method !== call.request.method)
    return methodNotAllowed(call.language, [endpoint.method]);
  try {
    if (clientCalls && client)
      return responseOf(call, await clientCalls.answer(client, call, path));
    if (own?.access === "reader") return responseOf(call, await own.answer(call));
    if (endpoint.method === "GET")
      return responseOf(call, await passUnchecked(parts, call, path, {}));
    const body = await readJson(call.request);
    if (!body.ok) return responseOf(call, refusal(body.status, body.code));
    return responseOf(call, await passUnchecked(parts, call, path, body.value));
  } catch (error) {
    log("error", "auth.failed", { request: call.info.id, path, ...describeError(error) });
    const otherwise = isUnavailable(error) ? "DATABASE_UNAVAILABLE" : "UNKNOWN_ERROR";
    const code = ("failure" in endpoint && endpoint.failure) || otherwise;
    return responseOf(call, refusal(code === "UNKNOWN_ERROR" ? 500 : 503, code));
  }
}

function responseOf({ language }: GatewayCall, result: GatewayResult<unknown>): Response {
  const { headers } = result;
  if (result.ok) return Response.json(result.body, { headers });
  const { status, code, field, retryAfterSeconds } = result;
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  const message = result.message ?? messageForCode(code, { ...result, language });
  return refuseCall(language, { status, code, message, headers, ...(field && { field }) });
}
