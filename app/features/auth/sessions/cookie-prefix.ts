/** Prefix of every cookie the product sets. `__Host-` binds a cookie to this host; a browser takes it over https only. */
export function cookiePrefix(isSecure: boolean): string {
  return isSecure ? "__Host-gatehouse" : "gatehouse";
}
