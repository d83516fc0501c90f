import { findCookie } from "./cookies.ts";

/** Holds the name of the browser's time zone. It grants nothing, so it is not signed. */
const ZONE_COOKIE = "gatehouse.time-zone";
const MAX_AGE_SECONDS = 31_536_000;

/**
 * Returns the reader's time zone, such as "Africa/Nairobi": the browser's own once its scripts have
 * told it, before that the one in which Cloudflare places the IP address; undefined without either.
 * Formats treat an unknown name as UTC.
 */
export function findTimeZone(request: Request, ofAddress: string | undefined): string | undefined {
  const told = findCookie(request, ZONE_COOKIE);
  return told && /^[\w+-]{1,32}(\/[\w+-]{1,32}){0,2}$/.test(told) ? told : ofAddress;
}

/** Tells the server the browser's time zone with the next request, if it wrote times in another one. */
export function rememberTimeZone(written: string): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === written) return;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in every browser
  document.cookie = `${ZONE_COOKIE}=${timeZone}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax${secure}`;
}
