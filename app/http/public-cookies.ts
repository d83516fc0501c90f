/**
 * Removes the cookies from a response that a shared cache may keep, because it would give one user's cookies to
 * everyone.
 */
export function withholdPublicCookies(headers: Headers): void {
  if (/\bpublic\b/i.test(headers.get("Cache-Control") ?? "")) headers.delete("Set-Cookie");
}
