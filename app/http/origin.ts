/**
 * True for a page that is opened at another origin than `BASE_URL`, such as with a wrong setting. Its forms would be
 * refused as another site's.
 */
export function isPageAtWrongOrigin(request: Request, baseUrl: string): boolean {
  const isPage = request.headers.get("accept")?.includes("text/html") ?? false;
  return !isMutation(request) && isPage && new URL(request.url).origin !== baseUrl;
}

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

export function isMutation(request: Request): boolean {
  return !SAFE_METHODS.includes(request.method);
}

/** True for a request that another site's page caused, such as by a link. Source: Fetch Metadata. */
export function isFromOtherSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

/**
 * True for a mutation that comes from another site. React Router checks neither resource routes nor requests without an
 * Origin; better-auth checks only requests with cookies. Source: Fetch Metadata, RFC 6454.
 */
export function isForeignMutation(request: Request, baseUrl: string): boolean {
  if (!isMutation(request)) return false;
  const origin = request.headers.get("origin");
  if (isFromOtherSite(request)) return true;
  if (origin) return origin !== baseUrl;
  // Every current browser sends one of the two with a POST. A program has no cookies to abuse.
  return !request.headers.has("sec-fetch-site") && request.headers.has("cookie");
}
