import type { RouterContextProvider } from "react-router";
import type { GatewayCall } from "../features/auth/gateway/gateway-call.ts";
import { requestContext } from "../http/request-context.ts";
import { languageContext } from "./locale.ts";
import { findCurrentSession } from "./session.ts";

/** Returns what the auth gateway needs from a request. */
export function gatewayCall(
  request: Request,
  context: Readonly<RouterContextProvider>,
): GatewayCall {
  return {
    request,
    info: context.get(requestContext),
    language: context.get(languageContext),
    current: () => findCurrentSession(context),
  };
}
