import { findCookie } from "./cookies.ts";

/** Says "collapsed" while the back-office's sidebar is. A choice of this browser that grants nothing, so it is plain. */
const SIDEBAR_COOKIE = "gatehouse.sidebar";
const MAX_AGE_SECONDS = 31_536_000;

/** True when the sidebar was collapsed when this browser last showed it. */
export function isSidebarCollapsed(request: Request): boolean {
  return findCookie(request, SIDEBAR_COOKIE) === "collapsed";
}

/** Keeps the state of the sidebar in this browser, for the server to draw it the same way. */
export function rememberSidebar(isCollapsed: boolean): void {
  const maxAge = isCollapsed ? MAX_AGE_SECONDS : 0;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in every browser
  document.cookie = `${SIDEBAR_COOKIE}=collapsed; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`;
}
