/** Headers of a request that loads a screen before its link is clicked. */
export const LOAD_AHEAD_HEADERS = { Purpose: "prefetch" };

/** True when a request loads a screen that may never be shown. */
export function isLoadAhead(request: Request): boolean {
  return request.headers.get("Purpose") === "prefetch";
}
