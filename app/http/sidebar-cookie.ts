import { findCookie } from "./cookies.ts";

/** Holds "collapsed" while the back-office's sidebar is collapsed. It grants nothing, so it is not signed. */
const SIDEBAR_COOKIE = "gatehouse.sidebar";
const MAX_AGE_SECONDS = 31_536_000;

/** True when the sidebar was collapsed the last time this browser showed it. */
export function isSidebarCollapsed(request: Request): boolean {
  return findCookie(request, SIDEBAR_COOKIE) === "collapsed";
}

/** Saves the sidebar's state in this browser, so that the server draws it the same way. */
export function rememberSidebar(isCollapsed: boolean): void {
  const maxAge = isCollapsed ? MAX_AGE_SECONDS : 0;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in every browser
  document.cookie = `${SIDEBAR_COOKIE}=collapsed; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`;
}
