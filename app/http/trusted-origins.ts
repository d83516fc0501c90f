// Other origins, such as of a mobile app or a second website, whose calls of `/api/auth/*` are
// answered (TRUSTED_ORIGINS). Every other URL, and every other origin, is refused as before.

const CALLS = "/api/auth/";
const METHODS = "GET, POST";
/** What better-auth's client and the captcha send. */
const HEADERS = "content-type, x-captcha-response";
/** Chromium keeps the answer to a preflight no longer. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * Returns the trusted origin that a call of `/api/auth/*` comes from. `expo-origin` counts only
 * where no browser can have sent the request: a browser sends `Origin` or `Sec-Fetch-Site`, and a
 * page cannot take them away.
 */
export function trustedOriginOf(
  { headers, url }: Request,
  trustedOrigins: readonly string[],
): string | undefined {
  if (!new URL(url).pathname.startsWith(CALLS)) return undefined;
  const sent = headers.get("origin") ?? appOriginOf(headers);
  return trustedOrigins.find((origin) => origin === sent);
}

function appOriginOf(headers: Headers): string | null {
  const origin = headers.has("sec-fetch-site") ? null : headers.get("expo-origin");
  // A website is known by the header that its pages cannot choose.
  return origin?.startsWith("http") ? null : origin;
}

/**
 * Returns the answer to a browser that asks whether a page of a trusted origin may send a call; undefined otherwise.
 */
export function answerPreflight(
  request: Request,
  trustedOrigins: readonly string[],
): Response | undefined {
  const isPreflight =
    request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (!isPreflight || !trustedOriginOf(request, trustedOrigins)) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": HEADERS,
      "Access-Control-Max-Age": String(PREFLIGHT_MAX_AGE_SECONDS),
    },
  });
}

/** Lets a page of a trusted origin read the answer to a call, which had its user's cookies. */
export function allowTrustedOrigin(
  headers: Headers,
  request: Request,
  trustedOrigins: readonly string[],
): void {
  if (!new URL(request.url).pathname.startsWith(CALLS)) return;
  headers.append("Vary", "Origin");
  const origin = trustedOriginOf(request, trustedOrigins);
  if (!origin || !request.headers.has("origin")) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
}
