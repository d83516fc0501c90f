import { parseCookie, stringifySetCookie } from "cookie";

/** Returns the value of a request cookie; undefined when it is absent or cannot be decoded. */
export function findCookie(request: Request, name: string): string | undefined {
  return readCookie(request.headers.get("cookie"), name);
}

/** Returns the value of one cookie in a Cookie header; undefined when it is absent or cannot be decoded. */
export function readCookie(header: string | null, name: string): string | undefined {
  return parseCookie(header ?? "", { decode })[name];
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
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
  return stringifySetCookie({
    name,
    value,
    path: "/",
    maxAge: maxAgeSeconds,
    sameSite: "lax",
    httpOnly: isHttpOnly,
    secure: isSecure,
  });
}
