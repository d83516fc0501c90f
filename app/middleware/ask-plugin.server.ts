import type { RouterContextProvider } from "react-router";
import type { PluginCall } from "../features/auth/gateway/plugin-call.server.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { gatewayCall } from "./gateway-call.server.ts";

/**
 * Returns the function that asks the plugins of a feature for this request.
 * @public For features, of which there may be none.
 */
export function askPluginOf(context: Readonly<RouterContextProvider>, request: Request) {
  const { askPlugin } = context.get(servicesContext).gateway;
  if (!askPlugin) throw new Error("No feature adds plugins to better-auth");
  return (sent: PluginCall) => askPlugin(gatewayCall(request, context), sent);
}
