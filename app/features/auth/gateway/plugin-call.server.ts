import { isDatabaseError } from "../../../db/db.server.ts";
import { log } from "../../../runtime/log.ts";
import { gatewayScope } from "../sign-in/scope.server.ts";
import type { Auth } from "./auth.server.ts";
import { type AuthCallOptions, headersFor, newScope } from "./auth-call.server.ts";
import type { GatewayCall } from "./gateway-call.ts";

/** A request to a plugin that a feature has added to better-auth. */
export type PluginCall = {
  method: "GET" | "POST";
  /** With the query. */
  path: string;
  /** A form, or what is sent as JSON. */
  body?: URLSearchParams | object;
  headers?: Readonly<Record<string, string>>;
  /** What the plugin is to note beside what it writes. */
  reference?: string | undefined;
  /** True when the browser's cookies are kept from it. */
  isAnonymous?: boolean;
};

export type AskPlugin = (call: GatewayCall, sent: PluginCall) => Promise<Response>;

/**
 * Returns a function that sends requests to the better-auth with a feature's plugins, which it loads
 * once. The answer is the plugin's own. Throws the error of a database that does not answer.
 */
export function createPluginCalls(
  options: Pick<AuthCallOptions, "baseUrl" | "isSecure" | "secrets">,
  load: () => Promise<Auth>,
): AskPlugin {
  let auth: Auth | undefined;
  return async function askPlugin(call, sent) {
    const { method, path, body, headers = {} } = sent;
    auth ??= await load();
    const { handler } = auth;
    const known = await headersFor(call, options);
    if (sent.isAnonymous) known.delete("cookie");
    if (body instanceof URLSearchParams) {
      known.set("Content-Type", "application/x-www-form-urlencoded");
    }
    for (const [name, value] of Object.entries(headers)) known.set(name, value);
    const request = new Request(options.baseUrl + path, {
      method,
      headers: known,
      ...(body && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      redirect: "manual",
    });
    const scope = newScope(options, call, { subject: { type: "other" }, redirect: undefined });
    scope.reference = sent.reference;
    const answer = await gatewayScope.run(scope, () => handler(request));
    if (!answer.ok && isDatabaseError(scope.caught)) throw scope.caught;
    if (answer.status >= 500) {
      log("error", "auth.failed", {
        request: call.info.id,
        path: path.split("?")[0],
        status: answer.status,
      });
    }
    return answer;
  };
}
