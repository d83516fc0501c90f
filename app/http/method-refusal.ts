/** Answers 405 with an error code and the allowed methods. */
export function methodNotAllowed(methods: string[]): Response {
  const headers = { Allow: methods.join(", ") };
  return Response.json({ code: "METHOD_NOT_ALLOWED" }, { status: 405, headers });
}

/**
 * Adds the allowed methods to the router's own 405, which it answers for a route without an action. A page stays as it
 * is. The router's JSON reports a bug, so an error code replaces it.
 */
export function nameMethodRefusal(response: Response): Response {
  if (response.status !== 405 || response.headers.has("Allow")) return response;
  const allowed = ["GET", "HEAD"];
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    return methodNotAllowed(allowed);
  }
  const named = new Response(response.body, response);
  named.headers.set("Allow", allowed.join(", "));
  return named;
}
