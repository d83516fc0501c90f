import { innerCallContext } from "../../../http/inner-call.ts";
import { readJson } from "../../../http/json.ts";
import { methodNotAllowed } from "../../../http/method-refusal.ts";
import { answerProblem } from "../../../http/problem.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { DEFAULT_LANGUAGE } from "../../../i18n/languages.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ME_API, type Me } from "../../api-keys/api.ts";
import { MCP, RESOURCE_METADATA } from "../mcp-paths.ts";
import { requestOf, toolsFor } from "../tools.server.ts";
import type { Route } from "./+types/mcp.ts";

/** Nothing is sent by the site alone, so no stream is opened. */
export function loader({ context }: Route.LoaderArgs) {
  return methodNotAllowed(context.get(languageContext), ["POST"]);
}

/**
 * Answers an agent with the calls of the API, each with the token of this request: the same
 * permissions, limits, approvals and events. Without a token that counts, the answer says where one
 * is to be had. Sources: Model Context Protocol, Authorization; RFC 9728, 5.1.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { config, features, publicSettings } = context.get(servicesContext);
  const { baseUrl } = config;
  const call = context.get(innerCallContext);
  const headers = ofCaller(request);
  const known = await call(new Request(baseUrl + ME_API.getMe.path, { headers }));
  if (!known.ok) return known.status === 401 ? withMetadata(known, baseUrl) : known;
  if (request.method !== "POST") return methodNotAllowed(context.get(languageContext), ["POST"]);
  const me = (await known.json()) as Me;
  const sent = await readJson(request);
  const reader = { language: context.get(languageContext), baseUrl };
  if (!sent.ok) return answerProblem(reader, sent);
  // The protocol has no batches since its version of June 2025: one message makes one call.
  if (Array.isArray(sent.value)) {
    return answerProblem(reader, { status: 400, code: "INVALID_PAYLOAD" });
  }
  // Loaded with the first message, because an isolate's start would take longer with it.
  const { answerMessage } = await import("../server.server.ts");
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  return answerMessage(request, sent.value, {
    name: brand.names[DEFAULT_LANGUAGE],
    version: __BUILD__.version,
    tools: toolsFor(me, features.api),
    run: async (tool, fields) => {
      const endpoint = features.api[tool];
      const asked = endpoint && requestOf(endpoint, fields, { baseUrl, headers });
      return asked && call(asked);
    },
  });
}

/** Returns the headers that say who calls, and in which language. */
function ofCaller({ headers }: Request): Headers {
  const kept = ["authorization", "x-api-key", "accept-language"];
  return new Headers([...headers].filter(([name]) => kept.includes(name)));
}

function withMetadata(refused: Response, baseUrl: string): Response {
  const told = new Response(refused.body, refused);
  const challenge = refused.headers.get("www-authenticate") ?? "Bearer";
  const separator = challenge.includes("=") ? "," : "";
  const metadata = `resource_metadata="${baseUrl}${RESOURCE_METADATA}${MCP}"`;
  told.headers.set("WWW-Authenticate", `${challenge}${separator} ${metadata}`);
  return told;
}
