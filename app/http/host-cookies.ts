/**
 * Cookies that only the server reads and whose owners know nothing of the origin. On https they go over the wire as
 * `__Host-<name>`, so that no other host of the domain can plant one (RFC 6265bis, section 4.1.3.2).
 */
const NAMES = ["gatehouse.theme", "gatehouse.toast", "gatehouse.code-sent", "gatehouse.bookmark"];
const PREFIX = "__Host-";

/** A request of an https origin as the product reads it: our cookies by their plain names, and none that was planted. */
export function openCookies(request: Request): Request {
  const header = request.headers.get("cookie");
  if (!header?.includes("gatehouse.")) return request;
  const pairs = header
    .split(/;\s*/)
    .filter((pair) => !NAMES.includes(nameOf(pair)))
    .map((pair) => (isOurs(pair) ? pair.slice(PREFIX.length) : pair));
  const headers = new Headers(request.headers);
  headers.set("cookie", pairs.join("; "));
  return new Request(request, { headers });
}

/** Makes every cookie of an answer of an https origin `Secure`, and ours bound to this host. */
export function sealCookies(headers: Headers): void {
  const lines = headers.getSetCookie();
  headers.delete("Set-Cookie");
  for (const line of lines) {
    const sealed = /;\s*secure\b/i.test(line) ? line : `${line}; Secure`;
    headers.append("Set-Cookie", NAMES.includes(nameOf(line)) ? PREFIX + sealed : sealed);
  }
}

function isOurs(pair: string): boolean {
  return pair.startsWith(PREFIX) && NAMES.includes(nameOf(pair).slice(PREFIX.length));
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf("=")).trim();
}
