/** Takes the cookies from an answer that a shared cache may keep: it would give one person's to everyone. */
export function withholdPublicCookies(headers: Headers): void {
  if (/\bpublic\b/i.test(headers.get("Cache-Control") ?? "")) headers.delete("Set-Cookie");
}
