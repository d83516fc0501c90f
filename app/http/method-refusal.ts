import type { Language } from "../i18n/languages.ts";
import { refuseCall } from "./call-refusal.server.ts";
import { findLanguage } from "./language-detection.server.ts";

/** Answers 405 with an error code and the allowed methods. */
export function methodNotAllowed(language: Language, methods: string[]): Response {
  const headers = { Allow: methods.join(", ") };
  return refuseCall(language, {
    status: 405,
    code: "METHOD_NOT_ALLOWED",
    message: "codes:METHOD_NOT_ALLOWED",
    headers,
  });
}

/**
 * Adds the allowed methods to the router's own 405, which it answers for a route without an action. A page stays as it
 * is. The router's JSON reports a bug, so an error code replaces it.
 */
export async function nameMethodRefusal(request: Request, response: Response): Promise<Response> {
  if (response.status !== 405 || response.headers.has("Allow")) return response;
  const allowed = ["GET", "HEAD"];
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    return methodNotAllowed(await findLanguage(request), allowed);
  }
  const named = new Response(response.body, response);
  named.headers.set("Allow", allowed.join(", "));
  return named;
}
