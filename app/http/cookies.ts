/** The value of a request cookie, or undefined when it is absent or cannot be decoded. */
export function findCookie(request: Request, name: string): string | undefined {
  return readCookie(request.headers.get("cookie"), name);
}

/** The value of one cookie in a Cookie header, or undefined when it is absent or cannot be decoded. */
export function readCookie(header: string | null, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((candidate) => candidate.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

type CookieOptions = {
  /** When whoever sets it has to know, for its name; `sealCookies` sees to the others. */
  isSecure?: boolean;
  maxAgeSeconds: number;
  isHttpOnly?: boolean;
};

/** A Set-Cookie value for the whole site, SameSite=Lax, HttpOnly unless said otherwise. */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const { isSecure = false, maxAgeSeconds, isHttpOnly = true } = options;
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "SameSite=Lax"];
  if (isHttpOnly) attributes.push("HttpOnly");
  if (isSecure) attributes.push("Secure");
  return [`${name}=${encodeURIComponent(value)}`, ...attributes].join("; ");
}
