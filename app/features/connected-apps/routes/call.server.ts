import type { RouterContextProvider } from "react-router";
import { isUnavailable } from "../../../db/bounded-d1.server.ts";
import { ruleOf } from "../../../db/db.server.ts";
import { readBody } from "../../../http/body.ts";
import { requestContext } from "../../../http/request-context.ts";
import { askPluginOf } from "../../../middleware/ask-plugin.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { DATABASE_RETRY_SECONDS } from "../../../ui/feedback/retry-seconds.ts";
import type { PluginCall } from "../../auth/gateway/plugin-call.server.ts";
import { findApiRefusal, hasEnded } from "../api-tokens.server.ts";
import { isThisSite } from "../app-request.ts";
import { MAX_CALL_BYTES } from "../limits.ts";
import { isForeignToken, type OAuthError, refusalOf, withBasic } from "../oauth-call.ts";
import { PROVIDER } from "../provider-paths.ts";
import { IN_FLIGHT_SECONDS, mendRotation } from "../rotation.server.ts";

type Asked = { request: Request; context: Readonly<RouterContextProvider> };

const FORM = "application/x-www-form-urlencoded";

/** Reads the form of a call; undefined for another body, or one that is too large. */
export async function readCallForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  if (!type.startsWith(FORM)) return undefined;
  const body = await readBody(request, { maxBytes: MAX_CALL_BYTES });
  return body && new URLSearchParams(new TextDecoder().decode(body));
}

/** Answers a call that an app's server posts with its own credentials. Source: RFC 6749, 2.3. */
export async function answerForm(asked: Asked, path: string): Promise<Response> {
  const form = await readCallForm(asked.request);
  const refused = (description: string) =>
    refuse({ status: 400, error: "invalid_request", description });
  if (!form) return refused("The body must be a form");
  removeThisSite(form, asked.context.get(servicesContext).config.baseUrl);
  const names = [...form.keys()];
  const repeated = names.find((name, at) => name !== "resource" && names.indexOf(name) !== at);
  if (repeated) return refused(`The parameter ${repeated} is there twice`);
  const sent = withBasic(form, asked.request.headers.get("authorization"));
  if (!sent) return refused("The client authenticates in two ways");
  if (isForeignToken(form.get("token"))) return answerUnknownToken(path);
  return answerCall(asked, { method: "POST", path, ...sent });
}

const NOT_ALLOWED: OAuthError = {
  status: 400,
  error: "invalid_grant",
  description: "The app or its user was switched off",
};

/** Why an app gets no token for a server. */
const API_REFUSALS: Record<"unasked" | "outsider", OAuthError> = {
  unasked: {
    status: 400,
    error: "invalid_target",
    description: "The sign-in was not about this resource",
  },
  outsider: NOT_ALLOWED,
};
/** Leaves out this site among the servers for which the app wants a token: each of them is one. */
function removeThisSite(form: URLSearchParams, baseUrl: string): void {
  const others = form.getAll("resource").filter((one) => !isThisSite(one, baseUrl));
  form.delete("resource");
  for (const one of others) form.append("resource", one);
}

/** Answers a call of an app as its specification says, whatever goes wrong. */
export async function answerCall({ request, context }: Asked, sent: PluginCall): Promise<Response> {
  const { now } = context.get(requestContext);
  const { db, config } = context.get(servicesContext);
  try {
    const form = sent.body instanceof URLSearchParams ? sent.body : new URLSearchParams();
    const refreshToken = form.get("refresh_token");
    if (refreshToken && (await mendRotation(db, refreshToken, now()))) {
      return tryLater("The same token is being used by another call", IN_FLIGHT_SECONDS);
    }
    const refused = sent.path === PROVIDER.token && (await findApiRefusal(db, form));
    if (refused) return refuse(API_REFUSALS[refused]);
    const answer = await askPluginOf(
      context,
      request,
    )({
      ...sent,
      headers: { Accept: "application/json", ...sent.headers },
      isAnonymous: true,
    });
    const retryAfter = answer.headers.get("retry-after") ?? answer.headers.get("x-retry-after");
    if (answer.status === 429) {
      return refuse(
        { status: 429, error: "temporarily_unavailable", description: "Too many calls" },
        { "Retry-After": retryAfter ?? "60" },
      );
    }
    const body: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) {
      const token = signedTokenOf(sent, body);
      return token && (await hasEnded(db, token, config.baseUrl + PROVIDER.userinfo))
        ? answerUnknownToken(sent.path)
        : Response.json(body, { headers: NOT_STORED });
    }
    const known = refusalOf(sent.path, answer.status, body);
    const challenge = answer.headers.get("www-authenticate");
    return refuse(known, challenge ? { "WWW-Authenticate": challenge } : {});
  } catch (error) {
    if (ruleOf(error, ["APP_NOT_ALLOWED"])) {
      return refuse(NOT_ALLOWED);
    }
    return answerFault(context, sent.path, error);
  }
}

/** Answers a call that something unexpected has broken off, and logs it. */
export function answerFault(
  context: Readonly<RouterContextProvider>,
  path: string,
  error: unknown,
): Response {
  const { id } = context.get(requestContext);
  log("error", "auth.failed", { request: id, path, ...describeError(error) });
  if (!isUnavailable(error)) {
    return refuse({ status: 500, error: "server_error", description: "Something went wrong" });
  }
  return tryLater("The database does not answer", DATABASE_RETRY_SECONDS);
}

/** Returns the signed token about which a server asks, if the provider takes it for a valid one. */
function signedTokenOf({ path, body: form, headers }: PluginCall, answer: unknown) {
  if (path === PROVIDER.introspect && form instanceof URLSearchParams) {
    const token = form.get("token");
    const isActive = Reflect.get(Object(answer), "active") === true;
    return isActive && token?.includes(".") ? token : undefined;
  }
  if (path !== PROVIDER.userinfo) return undefined;
  const token = headers?.Authorization?.replace(/^Bearer /i, "");
  return token?.includes(".") ? token : undefined;
}

function tryLater(reason: string, seconds: number): Response {
  const description = `${reason}. Send the call again`;
  return refuse(
    { status: 503, error: "temporarily_unavailable", description },
    { "Retry-After": String(seconds) },
  );
}

function answerUnknownToken(path: string): Response {
  if (path === PROVIDER.introspect)
    return Response.json({ active: false }, { headers: NOT_STORED });
  if (path === PROVIDER.revoke) return Response.json({}, { headers: NOT_STORED });
  return refuse({ status: 401, error: "invalid_token", description: "The token is not valid" });
}

const NOT_STORED = { "Cache-Control": "no-store", Pragma: "no-cache" };

export function refuse(
  { status, error, description }: OAuthError,
  headers: Record<string, string> = {},
): Response {
  const challenge: Record<string, string> =
    status === 401 && error !== "invalid_client"
      ? { "WWW-Authenticate": `Bearer error="${error}", error_description="${description}"` }
      : {};
  return Response.json(
    { error, error_description: description },
    { status, headers: { ...NOT_STORED, ...challenge, ...headers } },
  );
}
