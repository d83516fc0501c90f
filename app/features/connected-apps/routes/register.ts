import type { RouterContextProvider } from "react-router";
import { readBody } from "../../../http/body.ts";
import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { requestContext } from "../../../http/request-context.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { readClientMetadata } from "../client-metadata.ts";
import { MAX_CALL_BYTES } from "../limits.ts";
import { PROVIDER } from "../provider-paths.ts";
import { applicationTypeOf } from "../redirect-uris.ts";
import {
  countRefused,
  getRegistrationSettings,
  hereOf,
  registerApp,
} from "../registration.server.ts";
import type { Route } from "./+types/register.ts";
import { answerFault, refuse } from "./call.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/**
 * Registers an app that nobody here has added, while managers let apps do so. It has no secret, and
 * no token with which it could be changed. Source: RFC 7591.
 */
export async function action({ request, context }: Route.ActionArgs) {
  try {
    return await register(request, context);
  } catch (error) {
    return answerFault(context, PROVIDER.register, error);
  }
}

async function register(request: Request, context: Readonly<RouterContextProvider>) {
  const { db, keys, config, features } = context.get(servicesContext);
  const source = context.get(requestContext);
  const asker = { source, ipAddress: source.limitedIpAddress };
  const settings = await getRegistrationSettings(db);
  if (!settings.byCall) {
    const description = "Apps do not register themselves here";
    return refuse({ status: 404, error: "access_denied", description });
  }
  const here = hereOf(config.baseUrl, callScopesOf(features));
  const read = readClientMetadata(await readMetadata(request), here);
  if (!read.ok) {
    const seconds = await countRefused({ db, keys }, asker);
    return seconds ? refuseTooMany(seconds) : refuse({ status: 400, ...read });
  }
  const registered = await registerApp({ db, keys }, read.metadata, settings, asker);
  if (!registered.ok) {
    const { why, retryAfterSeconds } = registered;
    return why === "tooMany" ? refuseTooMany(retryAfterSeconds) : refuseFull(retryAfterSeconds);
  }
  const { clientId, input } = registered;
  return Response.json(
    {
      client_id: clientId,
      client_id_issued_at: Math.floor(source.now().getTime() / 1_000),
      client_name: input.name,
      redirect_uris: input.redirectUris,
      application_type: applicationTypeOf("public", input.redirectUris),
      token_endpoint_auth_method: "none",
      grant_types: read.metadata.grants,
      response_types: ["code"],
      scope: input.scopes.join(" "),
    },
    { status: 201, headers: { "Cache-Control": "no-store", Pragma: "no-cache" } },
  );
}

/** Returns the JSON of a call; undefined for another body, or one that is too large. */
async function readMetadata(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.toLowerCase() ?? "";
  if (!/^application\/json\s*(;|$)/.test(type)) return undefined;
  const body = await readBody(request, { maxBytes: MAX_CALL_BYTES });
  try {
    return body && JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function refuseTooMany(seconds: number): Response {
  const description = "Too many calls";
  const error = "temporarily_unavailable";
  return refuse({ status: 429, error, description }, { "Retry-After": String(seconds) });
}

function refuseFull(seconds: number): Response {
  const description = "There is no room for another app that registers itself";
  const error = "temporarily_unavailable";
  return refuse({ status: 503, error, description }, { "Retry-After": String(seconds) });
}
