/** Answers 405 by code, with the methods that the URL knows. */
export function methodNotAllowed(methods: string[]): Response {
  const headers = { Allow: methods.join(", ") };
  return Response.json({ code: "METHOD_NOT_ALLOWED" }, { status: 405, headers });
}

/**
 * Says in the router's own 405 which methods there are: it answers one where a route has no action. A page stays the
 * page it is; the router's JSON is its word for a bug, so a code takes its place.
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
