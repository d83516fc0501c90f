const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Whether a request may change something. */
export function isMutation(request: Request): boolean {
  return !SAFE_METHODS.includes(request.method);
}

/**
 * Whether a request could change something and comes from another site. React Router checks neither resource routes
 * nor requests without an Origin; better-auth only requests with cookies. Source: Fetch Metadata, RFC 6454.
 */
export function isForeignMutation(request: Request, baseUrl: string): boolean {
  if (!isMutation(request)) return false;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site && site !== "same-origin" && site !== "none") return true;
  if (origin) return origin !== baseUrl;
  // Every browser of today sends one of the two with a POST; a program has no cookies to abuse.
  return !site && request.headers.has("cookie");
}
