/** A longer target leads nowhere. */
export const MAX_REDIRECT_LENGTH = 2_048;

const AREAS = ["/app", "/manager", "/invitations"];

/** Returns a path of one of the product's areas that a `redirect` may lead to; undefined for anything else. */
export function safeRedirect(target: unknown): string | undefined {
  const path = localPath(target);
  const isInside = AREAS.some((area) => path === area || path?.match(`^${area}[/?#]`));
  return isInside ? path : undefined;
}

/**
 * Returns a path of this origin, as every browser would resolve it. Undefined for another scheme or host, `//x`,
 * `/\\x`, and control characters and their escapes. Dot segments are resolved.
 */
export function localPath(target: unknown): string | undefined {
  if (typeof target !== "string" || target.length > MAX_REDIRECT_LENGTH) return undefined;
  // Browsers drop tabs and newlines from URLs and read a backslash as a slash.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  const isDoubtful = /[\u0000-\u0020\u007f\\]|^[^/]|^\/\/|%(0[0-9a-f]|1[0-9a-f]|5c|7f)/i.test(
    target,
  );
  const base = "https://gatehouse.invalid";
  if (target === "" || isDoubtful || !URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
