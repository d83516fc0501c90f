// Paths that any program and any page of the web may call. They are told who asks by the request
// itself, never by a cookie.

const METHODS = "GET, POST";
/** Chromium keeps the answer to a preflight no longer. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/** A path, and the method where another one is the product's own page. */
export type OpenCall = { path: string; method?: "POST" };

export function isOpenCall(request: Request, openCalls: readonly OpenCall[]): boolean {
  const { pathname } = new URL(request.url);
  return openCalls.some(
    ({ path, method }) => path === pathname && (!method || method === request.method),
  );
}

/** Returns the request without what a browser adds by itself. */
export function withoutCookies(request: Request): Request {
  const open = new Request(request);
  open.headers.delete("cookie");
  return open;
}

/** Returns the answer to a browser that asks whether a page may send an open call; undefined otherwise. */
export function answerOpenPreflight(request: Request): Response | undefined {
  const isPreflight =
    request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (!isPreflight) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": METHODS,
      // Without cookies no header can do harm.
      "Access-Control-Allow-Headers":
        request.headers.get("access-control-request-headers") ?? "authorization",
      "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_SECONDS),
    },
  });
}

/** Lets any page read the answer to an open call. */
export function allowAnyOrigin(headers: Headers): void {
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate, X-Request-Id");
}
