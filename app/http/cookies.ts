/** Returns the value of a request cookie; undefined when it is absent or cannot be decoded. */
export function findCookie(request: Request, name: string): string | undefined {
  return readCookie(request.headers.get("cookie"), name);
}

/** Returns the value of one cookie in a Cookie header; undefined when it is absent or cannot be decoded. */
export function readCookie(header: string | null, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((candidate) => candidate.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

type CookieOptions = {
  /** Only for cookies whose name depends on it; `sealCookies` sets it on all others. */
  isSecure?: boolean;
  maxAgeSeconds: number;
  isHttpOnly?: boolean;
};

/** Returns a Set-Cookie value for the whole site: SameSite=Lax, and HttpOnly by default. */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const { isSecure = false, maxAgeSeconds, isHttpOnly = true } = options;
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "SameSite=Lax"];
  if (isHttpOnly) attributes.push("HttpOnly");
  if (isSecure) attributes.push("Secure");
  return [`${name}=${encodeURIComponent(value)}`, ...attributes].join("; ");
}
