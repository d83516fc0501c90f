/**
 * Cookies that only the server reads and that are set without knowledge of the origin. On https they are sent as
 * `__Host-<name>`, so that no other host of the domain can set one (RFC 6265bis, section 4.1.3.2).
 */
const NAMES = [
  "gatehouse.theme",
  "gatehouse.toast",
  "gatehouse.code-sent",
  "gatehouse.setup",
  "gatehouse.method",
];
const PREFIX = "__Host-";

/**
 * Returns a request of an https origin with our cookies under their plain names, and without cookies of these names
 * that another host set.
 */
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

/** Makes every cookie of a response of an https origin `Secure`, and binds ours to this host. */
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
