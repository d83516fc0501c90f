/**
 * True when the browser asks for a screen's data because the pointer rests on its link. Every
 * answer is `no-store`, so the browser would throw the data away, and the click would ask again;
 * and the toast of the next screen would be lost.
 */
export function isDataPrefetch(request: Request): boolean {
  const isPrefetch = request.headers.get("Sec-Purpose")?.startsWith("prefetch") ?? false;
  return isPrefetch && new URL(request.url).pathname.endsWith(".data");
}
